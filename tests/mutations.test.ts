import { expect, test } from 'vitest'
import { compile } from '../engine/schema/compile.ts'
import { printIssue } from '../engine/schema/issue.ts'
import { readSchemas } from '../engine/server/sources.ts'
import { lists } from '../src/lists.ts'
import { mutationsOf, toldBy } from './mutations.ts'

const count = 500
const seed = 20261121

test(`${count} slips of a hand in the real schema files: no crash, each is told where it was made or where it shows`, () => {
  const sources = readSchemas('schemas')
  expect(compile(sources, lists).issues).toEqual([])
  const told = { line: 0, honest: 0, other: 0, nothing: 0 }
  const missed: string[] = []
  const started = process.cpuUsage()
  for (const mutation of mutationsOf(sources, lists, seed, count)) {
    const { issues, catalog } = compile(sources.map((source) => source.path === mutation.path ? { path: source.path, text: mutation.text } : source), lists)
    expect(catalog === undefined).toBe(issues.length > 0)
    const how = toldBy(mutation, issues)
    told[how]++
    if (how === 'other' || how === 'nothing') {
      const changed = mutation.text.split('\n')[mutation.line - 1]
      missed.push([`${mutation.kind}: ${mutation.path}:${mutation.line}: ${changed}`, ...issues.slice(0, 3).map(printIssue)].join('\n'))
    }
  }
  console.log(`${count} mutations in ${Math.round(process.cpuUsage(started).user / 1e6)} s of one core: ${told.line} told on their line, ${told.honest} where they show, `
    + `${told.other} elsewhere alone, ${told.nothing} not at all`)
  expect(missed).toEqual([])
}, 900_000)
