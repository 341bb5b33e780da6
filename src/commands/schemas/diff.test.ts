import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compile } from '../../../engine/schema/compile.ts'
import { applyTables } from '../../../engine/server/postgres/tables.ts'
import { createSystemTables } from '../../../engine/server/postgres/system.ts'
import { createImportTables } from '../../../engine/server/imports/importTables.ts'
import { readSchemas } from '../../../engine/server/catalog/sources.ts'
import { createTestDatabase, type TestDatabase } from '../../../tests/database.ts'
import { isLong } from '../../../tests/long.ts'
import { copySoundTree } from '../../../tests/soundTree.ts'
import { lists } from '../../lists.ts'

let home: string
let database: TestDatabase
const git = (...parameters: string[]) => {
  const { status, stderr } = spawnSync(
    'git',
    ['-C', home, '-c', 'user.name=A', '-c', 'user.email=a@b.c', ...parameters],
    { encoding: 'utf8' },
  )
  expect(stderr && status).toBeFalsy()
}
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'formwork-diff-'))
  copySoundTree(join(home, 'back office/schemas'))
  git('init', '-q')
  git('add', '.')
  git('commit', '-qm', 'first')
  git('tag', 'released')
  database = await createTestDatabase()
  await createSystemTables(database)
  await createImportTables(database)
  await applyTables(database, compile(readSchemas(join(home, 'back office/schemas')), lists).catalog!.tables)
  await database.pool.query("insert into customer (name) values ('a'), ('long enough'), ('b')")
})
afterAll(async () => {
  await database.drop()
  rmSync(home, { recursive: true, force: true })
})

function run(...parameters: string[]) {
  return runOn(database.url, ...parameters)
}
const runOn = (url: string, ...parameters: string[]) => runIn(join(home, 'back office/schemas'), url, ...parameters)
function runIn(schemas: string, url: string, ...parameters: string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', 'tsx', 'src/commands/schemas.ts', 'diff', ...parameters, '--schemas', schemas],
    {
      encoding: 'utf8',
      env: { ...process.env, DATABASE_URL: url, DATA_DIR: home },
    },
  )
  return { status, output: (stdout + stderr).trim() }
}
const edit = (path: string, from: string, to: string) => {
  const file = join(home, 'back office/schemas', path)
  const text = readFileSync(file, 'utf8')
  expect(text).toContain(from)
  writeFileSync(file, text.replace(from, to))
}

test('compares with a commit, and queries the database', () => {
  expect(run('released')).toEqual({ status: 0, output: 'Nothing that anybody would notice has changed.' })
  edit('shop/customer.entity.json', '"name": { "type": "text",', '"name": { "type": "text", "minLength": 3,')
  edit('shop/order.list.json', '    "customer",\n', '')
  expect(run('HEAD', '--data').output).toBe(
    [
      'Columns',
      '  -  removed  /order: the column customer (顾客 · Customer)',
      '',
      'Validators',
      '  !  stricter customer: name (名称 · Name) has minLength 3',
      '',
      'In the database',
      '  invalid  customer: 2, 顾客 · Customer: could no longer be saved as they are; most often: name: 长度不能少于3个字符 · At least 3 characters (2)',
    ].join('\n'),
  )
  if (!isLong) return
  expect(JSON.parse(run('released', '--json', '--data').output)).toMatchObject({
    differences: [
      { group: 'columns', change: 'removed', of: '/order' },
      { group: 'validators', change: 'stricter', of: 'customer' },
    ],
    data: [{ kind: 'invalid', of: 'customer', count: 2 }],
  })
}, 240_000)

test('queries no missing database, and creates none', () => {
  expect(runOn('', 'HEAD', '--data')).toEqual({
    status: 2,
    output: `There is no database in ${home}: say with DATABASE_URL or DATA_DIR which one is meant, or leave --data out.`,
  })
  expect(existsSync(join(home, 'postgres'))).toBe(false)
}, 240_000)

test.runIf(isLong)(
  'compares with files that lack a field which procedures use by now',
  () => {
    const product = join(home, 'product/schemas')
    cpSync('schemas', product, { recursive: true })
    const file = join(product, 'settlement/receipt.entity.json')
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, text.replace(/^ *"taughtPayer": .*\n/m, ''))
    git('add', '.')
    git('commit', '-qm', 'without the field')
    writeFileSync(file, text)
    const { status, output } = runIn(product, '', 'HEAD')
    expect([status, output]).toEqual([0, expect.stringMatching(/added +receipt.*taughtPayer/)])
  },
  240_000,
)

test.runIf(isLong)(
  'refuses an unknown commit, and broken files',
  () => {
    expect(run('relesed')).toEqual({ status: 2, output: 'There is no commit, branch or tag "relesed".' })
    edit('shop/order.list.json', '"status"', '"staus"')
    expect(run('HEAD')).toMatchObject({
      status: 2,
      output: expect.stringContaining('have 1 issue(s), so nothing can be compared'),
    })
    if (!isLong) return
    expect(run('--output=x')).toMatchObject({ status: 2 })
    expect(run()).toMatchObject({ status: 2, output: expect.stringContaining('Say since when') })
  },
  240_000,
)
