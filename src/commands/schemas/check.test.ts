import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isLong } from '../../../tests/long.ts'
import { schemasCommand } from '../../../tests/schemasCommand.ts'
import { copySoundTree } from '../../../tests/soundTree.ts'
import { watchSchemas } from './watch.ts'

let home: string
let directory: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'formwork-check-'))
  directory = join(home, 'schemas')
  copySoundTree(directory)
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const call = ['--import', 'tsx', 'src/commands/schemas.ts']
const run = async (...parameters: string[]) => {
  const { status, output } = await schemasCommand(...parameters)
  return { status, output: output.trim().replace(time, '') }
}
const runApart = (...parameters: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...call, ...parameters], { encoding: 'utf8' })
  return { status, output: (stdout + stderr).trim().replace(time, '') }
}
/** The duration, which is printed at the end. */
const time = / \(\d+\.\d\d s\)$/m
const list = () => join(directory, 'shop/order.list.json')
const edit = (from: string, to: string, file = list()) => {
  const text = readFileSync(file, 'utf8')
  expect(text).toContain(from)
  writeFileSync(file, text.replace(from, to))
}

test('reports issues, and fixes those with a single right answer', async () => {
  expect(await run('check', directory)).toEqual({ status: 0, output: '16 files, no issue' })
  expect(await run('check', directory), 'of what was checked before').toEqual({
    status: 0,
    output: '16 files, no issue',
  })
  const sound = readFileSync(list(), 'utf8')
  edit('"customer",\n', '"custmer",\n')
  edit('"pay"', '"cancelled"')
  expect(await run('check', directory)).toMatchObject({
    status: 1,
    output: expect.stringContaining('16 files, 2 issues (1 can be mended by --fix)'),
  })
  expect(JSON.parse((await run('check', directory, '--json')).output)).toMatchObject({
    issues: [
      {
        code: 'unknown-field',
        file: 'schemas/shop/order.list.json',
        line: 8,
        suggestion: 'customer',
        fix: { edits: [{ content: 'customer' }] },
      },
      { code: 'unknown-action' },
    ],
  })

  const fixed = await run('check', directory, '--fix')
  expect(fixed.status).toBe(1)
  expect(fixed.output).toMatch(/^schemas\/shop\/order\.list\.json:8 {2}unknown-field {2}"custmer" → "customer"\n/)
  expect(fixed.output).toMatch(/16 files, 1 mended, 1 issue, more may appear once these are mended$/)
  edit('"cancelled"', '"pay"')
  expect(readFileSync(list(), 'utf8')).toBe(sound)
  expect(await run('check', directory, '--fix')).toEqual({ status: 0, output: '16 files, no issue' })
}, 240_000)

test('reports warnings, which fail on request and which a reason in the file silences', async () => {
  const order = join(directory, 'shop/order.entity.json')
  edit('"total > 100"', '"total > 100 && total < 10"', order)
  const checked = await run('check', directory)
  expect(checked).toMatchObject({ status: 0, output: expect.stringMatching(/16 files, no issue, 1 warning$/) })
  expect(checked.output).toContain('schemas/shop/order.entity.json:10:52  warning  never-true\n')
  expect(await run('check', directory, '--strict')).toEqual({ status: 1, output: checked.output })
  expect(JSON.parse((await run('check', directory, '--json')).output)).toMatchObject({
    issues: [],
    warnings: [{ code: 'never-true', line: 10, column: 52, place: 'fields.discount.visibleWhen' }],
  })
  edit(
    '"display": "number",',
    '"display": "number", "meant": { "never-true": { "fields.discount": "Not yet" } },',
    order,
  )
  expect(await run('check', directory, '--strict')).toEqual({ status: 0, output: '16 files, no issue' })
  edit('total > 100 && total < 10', 'total > 100', order)
  expect(await run('check', directory, '--strict')).toMatchObject({
    status: 1,
    output: expect.stringContaining('warning  idle-reason'),
  })
}, 240_000)

test('cannot run without files, or with unknown parameters', async () => {
  expect((await run('check', home + '/none')).status).toBe(2)
  expect(runApart('check', directory, '--fxi').status).toBe(2)
  expect(await run('chek')).toMatchObject({ status: 2, output: expect.stringContaining('check [directory] [--json]') })
}, 240_000)

test.skipIf(!isLong)(
  'watches: reports changes, and ends when interrupted',
  async () => {
    const child = spawn(process.execPath, [...call, 'check', directory, '--watch'])
    let output = ''
    child.stdout.on('data', (part: Buffer) => {
      output += part
    })
    child.stderr.on('data', (part: Buffer) => {
      output += part
    })
    const ended = new Promise<unknown>((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })))
    const summaries = () => output.match(/\d+ files, .*/g)?.map((line) => line.replace(time, '')) ?? []
    try {
      await expect.poll(summaries).toEqual(['16 files, no issue'])
      edit('"customer",\n', '"custmer",\n')
      await expect.poll(summaries).toEqual(['16 files, no issue', '16 files, 1 issue (1 can be mended by --fix)'])
      expect(output).toContain('unknown-field')
      edit('"custmer",\n', '"customer",\n')
      await expect.poll(summaries).toHaveLength(3)
      expect(summaries().at(-1)).toBe('16 files, no issue')
    } finally {
      child.kill('SIGINT')
    }
    expect(await ended).toEqual({ code: 0, signal: null })
  },
  240_000,
)

test('a watch reports briefly that nothing is new, and continues after a failure', async () => {
  const [printed, interruption]: [string[], AbortController] = [[], new AbortController()]
  const look = () => (readFileSync(list(), 'utf8').includes('custmer') ? 'wrong' : 'right')
  const watching = watchSchemas(directory, look, (text) => printed.push(text), interruption.signal)
  edit('"title": {', '"title":  {')
  await expect.poll(() => printed.at(-1)).toMatch(/^\d\d:\d\d:\d\d as before$/)
  rmSync(list())
  await expect.poll(() => printed.at(-1)).toContain('ENOENT')
  writeFileSync(list(), '"custmer"')
  await expect.poll(() => printed.at(-1)).toContain('wrong')
  expect(printed.filter((text) => !text.endsWith('as before'))).toEqual([
    'right',
    expect.stringContaining('ENOENT'),
    expect.stringMatching(/^\n\d\d:\d\d:\d\d\nwrong$/),
  ])
  interruption.abort()
  await watching
})

test.runIf(isLong)('every command prints its usage', async () => {
  expect(await run('--help')).toMatchObject({ status: 0, output: expect.stringContaining('explain <what>') })
  expect(await run('diff', '--help')).toMatchObject({ status: 0, output: expect.stringContaining('diff <git-ref>') })
  expect(await run('new', 'entity', '--help')).toMatchObject({
    status: 0,
    output: expect.stringContaining('new area|entity'),
  })
})

test('new lists the flags of each kind with their meaning', async () => {
  const flags = async (...words: string[]) => {
    const { status, output } = await run('new', ...words, '--schemas', directory, '--help')
    expect(status).toBe(0)
    return output.match(/^  --.*/gm)
  }
  expect(await flags('entity')).toEqual([
    '  --name      Name of the entity (its file, its table)',
    expect.stringMatching(/^  --area      Area \(folder\) \[.*\]$/),
    '  --cn        What one record is called in "cn"',
    '  --en        What one record is called in "en"',
    '  --field     Its first field, by which people know a record (name)',
    '  --field-cn  What that field is called in "cn"',
    '  --field-en  What that field is called in "en"',
  ])
  expect((await flags('screen'))?.join('\n')).toMatch(/--route .*\n {2}--menu /)
  expect((await flags('area'))?.[0]).toBe('  --area      Name of the area (its folder)')
  expect((await flags('family', '--template', 'fee'))?.length).toBeGreaterThan(2)
  expect(await flags('widget')).toHaveLength(3)
  expect((await run('new', 'house', '--help')).status).toBe(2)
}, 240_000)
