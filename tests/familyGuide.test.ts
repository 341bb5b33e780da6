/**
 * Follows the guide to a first family to the letter: its questions, checks and explanation, then the family in force.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compile, compileWithWarnings } from '../engine/schema/compile.ts'
import { reloadSchemas } from '../engine/server/http/reload.ts'
import { readSchemas } from '../engine/server/catalog/sources.ts'
import type { SourceText } from '../engine/schema/reading/SourceFile.ts'
import { lists } from '../src/lists.ts'
import { schemeHouse, type SchemeHouse } from './schemes/schemeHouse.ts'
import { isLong } from './long.ts'
import { answering, schemasCommand } from './schemasCommand.ts'
import { productCatalog } from './compiledOnce.ts'

const page = readFileSync(path.resolve(import.meta.dirname, '../docs/family.md'), 'utf8')
const answers = [...page.matchAll(/^\| (?!question|---)(.+?) \| (.+) \|$/gm)].map(([, question, answer]) => ({
  question,
  answer: answer === 'Enter' ? '' : answer,
}))
const blocks = [...page.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].map(([, fence, text]) => ({ fence, text }))
/** The output that the guide shows. */
const shown = blocks.filter(({ fence }) => fence === '').map(({ text }) => text.trim().split('\n'))
const commands = blocks.filter(({ fence }) => fence === 'sh').flatMap(({ text }) => text.trim().split('\n'))

let home: string
const at = (file: string) => path.join(home, file)
const read = (): SourceText[] => readSchemas(at('schemas'))
beforeAll(() => {
  home = mkdtempSync(path.join(tmpdir(), 'formwork-family-'))
  cpSync(path.resolve(import.meta.dirname, '../schemas'), at('schemas'), { recursive: true })
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

/** Writes a block of the guide to the place that its fence names. */
function follow(begins: string) {
  const { fence, text } = blocks.find((block) => block.fence.startsWith(`json ${begins}`))!
  const [, file, line] = /^json (\S+)(?: before "(.+)")?$/.exec(fence)!
  if (line === undefined) return writeFileSync(at(file), text)
  const before = readFileSync(at(file), 'utf8')
  expect(before.split(`\n${line}`), line).toHaveLength(2)
  writeFileSync(
    at(file),
    before.replace(`\n${line}`, () => `\n${text}${line}`),
  )
}
const family = 'schemas/welfare/commuting.family.json'
const blocksOfFamily = blocks.filter(({ fence }) => fence.startsWith(`json ${family}`))

test('the guide has the commands that it is about', () => {
  expect(commands).toEqual(
    ['new family', 'check', 'check --strict', 'explain commuting'].map((words) => `npm run schemas -- ${words}`),
  )
  expect(shown).toHaveLength(4)
})

test('the command prompts with the questions of the guide and writes the file', async () => {
  follow('schemas/welfare/allowance.family.json')
  const typed = answers.map(({ answer }) => `${answer}\n`).join('')
  const { status, output } = await answering(typed, 'new', 'family', '--schemas', at('schemas'))
  let from = 0
  for (const { question } of answers) {
    const found = output.indexOf(question, from)
    expect(found, question).toBeGreaterThanOrEqual(from)
    from = found + question.length
  }
  expect(output.match(/: /g)!.length).toBeGreaterThanOrEqual(answers.length)
  for (const line of shown[0]) expect(output).toContain(line)
  expect(output).toContain(`written ${at(family)}`)
  expect(status).toBe(0)
}, 240_000)

test('each step of the guide compiles, and its mistakes are reported as shown', () => {
  const messages = () => {
    const { issues, warnings } = compileWithWarnings(read(), lists)
    return [...issues, ...warnings].map(({ message }) => message)
  }
  const [cost, ...others] = blocksOfFamily
  follow(cost.fence.slice(5))
  const right = readFileSync(at(family), 'utf8')
  for (const [index, [from, to]] of [
    ['"companyFixed"', '"companyFixd"'],
    ['"companyFixed": "300.00"', '"companyRate": "3"'],
  ].entries()) {
    expect(page).toContain(to)
    writeFileSync(at(family), right.replace(from, to))
    expect(messages()).toEqual([expect.stringContaining(shown[index + 1].join('\n'))])
  }
  writeFileSync(at(family), right)
  for (const { fence } of others) follow(fence.slice(5))
  expect(messages()).toEqual([])
}, 240_000)

test('explain prints what the guide shows', async () => {
  const { status, output } = await schemasCommand('explain', 'commuting', '--schemas', at('schemas'))
  expect(status).toBe(0)
  for (const line of shown[3]) expect(output).toContain(line)
}, 120_000)

let house: SchemeHouse
afterAll(() => house?.house.close())
test('on a running server people join and are charged from the fourth month on', async () => {
  house = await schemeHouse(() => structuredClone(productCatalog()))
  const { runtime, admin } = house.house
  expect(await reloadSchemas(runtime, () => compile(read(), lists))).toEqual([])
  const role = (await admin.get('/setting/role/list', { search: 'welfareClerk' })).result.list[0]
  expect((await admin.get('/setting/role/detail', { id: role.id })).result.functionPermissions).toContain(
    'welfare:commutingAddition:handle',
  )
  const policy = await house.policy('allowance', { cutoffDay: 20, payDay: 25 })
  expect((await admin.get('/welfare/policy/detail', { id: policy })).result.commutingItems).toMatchObject([
    { companyFixed: '300.00' },
  ])
  const { id } = await house.joins({ entryDate: '2025-12-10', commutingEntryLine: '12' })
  const { id: fresh } = await house.joins({ entryDate: '2026-02-10', commutingEntryLine: '7' })
  const done = { status: 'success' }
  expect(await house.ticketsOf('commutingAddition', id)).toMatchObject([{ ...done, line: '12', startMonth: '2026-03' }])
  expect(await house.ticketsOf('commutingAddition', fresh)).toMatchObject([{ ...done, startMonth: '2026-05' }])
  await expect(house.joins({ commutingEntryLine: '0' })).rejects.toThrow('没有0号线')
  expect(await house.generate('commuting', '2026-03')).toMatchObject({ code: 1 })
  expect(await house.lines('commuting', id)).toMatchObject([{ feeMonth: '2026-03', companyTotal: '300.00' }])
  expect(await house.lines('commuting', fresh)).toEqual([])

  // That a family can be unloaded, tests/schemes/world/twelveMonths.test.ts tests too.
  if (!isLong) return
  const withIt = read()
  const without = withIt.filter(({ path: name }) => !/(allowance|commuting)\.family\.json$/.test(name))
  expect(await reloadSchemas(runtime, () => compile(without, lists))).toEqual([])
  expect((await admin.get('/welfare/commutingEnrolment/list', {})).status).toBe(404)
  expect(await admin.get('/staff/person/detail', { id })).toMatchObject({ code: 1 })
  expect(await reloadSchemas(runtime, () => compile(withIt, lists))).toEqual([])
  expect(await house.lines('commuting', id)).toMatchObject([{ feeMonth: '2026-03', companyTotal: '300.00' }])
}, 240_000)
