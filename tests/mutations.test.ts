import { expect, test } from 'vitest'
import { compile } from '../engine/schema/compile.ts'
import { printIssue } from '../engine/schema/issues/issue.ts'
import { readSchemas } from '../engine/server/catalog/sources.ts'
import { lists } from '../src/lists.ts'
import { isLong } from './long.ts'
import { mutationsOf, precisionOf, type Mutation } from './mutations.ts'

/** Set MUTATIONS=2000 for a longer manual run. */
const count = Number(process.env.MUTATIONS ?? (isLong ? 60 : 10))
const seed = 20261121
const sources = readSchemas('schemas')
const withText = ({ path, text }: Pick<Mutation, 'path' | 'text'>) =>
  sources.map((source) => (source.path === path ? { path, text } : source))
/** The same files as new objects, so that nothing is known of them from earlier compilations. */
const asNew = (given: typeof sources) => given.map((source) => ({ ...source }))

test(`${count} slips in the real schema files cause no crash, and each is reported where it was made or shows`, () => {
  expect(compile(sources, lists).issues).toEqual([])
  const tally = { line: 0, honest: 0, other: 0, nothing: 0 }
  const missed: string[] = []
  const started = process.cpuUsage()
  for (const mutation of mutationsOf(sources, lists, seed, count)) {
    const { issues, catalog } = compile(withText(mutation), lists)
    expect(catalog === undefined).toBe(issues.length > 0)
    const how = precisionOf(mutation, issues)
    tally[how]++
    if (how === 'other' || how === 'nothing') {
      const changed = mutation.text.split('\n')[mutation.line - 1]
      missed.push(
        [`${mutation.kind}: ${mutation.path}:${mutation.line}: ${changed}`, ...issues.slice(0, 3).map(printIssue)].join(
          '\n',
        ),
      )
    }
  }
  console.log(
    `${count} mutations in ${Math.round(process.cpuUsage(started).user / 1e6)} s of one core: ${tally.line} reported on their line, ${tally.honest} where they show, ` +
      `${tally.other} elsewhere alone, ${tally.nothing} not at all`,
  )
  expect(missed).toEqual([])
}, 900_000)

test('cached files change nothing: a compilation gives the same issues and catalog as one of new files', () => {
  const all: [file: string, from: RegExp, to: string][] = [
    ['customer/customer.entity.json', /"sensitive": true,? ?/, ''],
    ['customer/customer.entity.json', /"cn": "/, '"cn": "新'],
    ['customer/customer.list.json', /"order": 10/, '"order": 11'],
    ['setting/role.records.json', /"customer:customer:view"/, '"customer:*:view"'],
    ['welfare/social.family.json', /"cn": "/, '"cn": "新'],
    ['app.json', /"cn": "/, '"cn": "新'],
    ['welfare/handling/addition.entity.json', /"cn": "/, '"cn": "新'],
    ['customer/customer.imports.json', /"cn": "/, '"cn": "新'],
    ['setting/parameter.entity.json', /"default": 90/, '"default": 91'],
    // Another text by which other files refer to a field, and a removed text.
    ['welfare/handling/expenseLine.entity.json', /所属月份/g, '归属月份'],
    ['staff/person.entity.json', /"label": \{ "cn": "[^"]*", "en": "[^"]*" \},\n/, '\n'],
    // A text of a dictionary, and a value.
    ['customer/customerType.dictionary.json', /"cn": "企业"/, '"cn": "公司"'],
    ['customer/customerType.dictionary.json', /"value": "enterprise"/, '"value": "company"'],
  ]
  // In the short form a template, and a value that other files name.
  const edits = isLong ? all : [6, 12].map((place) => all[place])
  const edited = edits.flatMap(([file, from, to]) =>
    sources
      .filter(({ path }) => path.endsWith(`/${file}`))
      .map(({ path, text }) => ({ path, files: withText({ path, text: text.replace(from, to) }) })),
  )
  expect(edited.length).toBeGreaterThan(isLong ? 8 : 1)
  const [, family] = sources.filter(({ path }) => path.endsWith('.family.json'))
  edited.push({ path: `without ${family.path}`, files: sources.filter((source) => source !== family) })
  const hash = compile(sources, lists).catalog!.hash
  const hashes = edited.flatMap(({ path, files }) => {
    const known = compile(files, lists)
    expect(known, path).toEqual(compile(asNew(files), lists))
    return known.catalog?.hash ?? []
  })
  expect(hashes.length).toBeGreaterThan(isLong ? 6 : 0)
  expect(new Set([hash, ...hashes]).size).toBe(hashes.length + 1)
  expect(compile(sources, lists).catalog!.hash).toBe(hash)
  for (const mutation of mutationsOf(sources, lists, seed + 1, Math.ceil(count / 20))) {
    expect(compile(withText(mutation), lists).issues, `${mutation.kind}: ${mutation.path}:${mutation.line}`).toEqual(
      compile(asNew(withText(mutation)), lists).issues,
    )
  }
}, 300_000)
