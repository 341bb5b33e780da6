import { spawnSync } from 'node:child_process'
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestDatabase, createTestDatabase } from '../../../tests/database.ts'
import type { TablePlan } from '../../model/model.ts'
import type { Database } from './database.ts'
import { dump } from './dump.ts'
import { finishRestores, restore } from './restore.ts'
import { folderFiles } from '../files/folderFiles.ts'
import { createSystemTables, nextNumbers } from './system.ts'
import { applyTables, planChanges } from './tables.ts'
import { isLong } from '../../../tests/long.ts'

const tables: Record<string, TablePlan> = {
  customer: {
    name: 'customer',
    columns: [
      ['bank', 'bigint', 'bank'],
      ['name', 'text'],
      ['balance', 'numeric(16,2)'],
      ['since', 'date'],
      ['at', 'timestamp(0)'],
      ['tags', 'text[]'],
      ['more', 'jsonb'],
      ['active', 'boolean'],
      ['we"ird 列', 'varchar(9)'],
    ].map(([name, type, references]) => ({ name, type, references, nullable: name !== 'name' })),
    unique: [{ columns: ['name'] }],
    indexes: [
      { columns: ['name'], method: 'trigram' },
      { columns: ['tags'], method: 'gin' },
    ],
  },
  bank: {
    name: 'bank',
    columns: [{ name: 'customer', type: 'bigint', nullable: true, references: 'customer' }],
    unique: [],
    indexes: [],
  },
}

let home: string
let source: TestDatabase
const opened: TestDatabase[] = []
const picture = Buffer.from(Array.from({ length: 300_001 }, (_, index) => index % 251))

async function emptyDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase()
  opened.push(database)
  return database
}
const folder = () => mkdtempSync(join(home, 'data-'))
const dumpTo = (database: Database, dataDir: string, file: string) =>
  dump(database, folderFiles(dataDir), createWriteStream(file))
const restoreFrom = (file: string, database: Database, dataDir: string, replace = false) =>
  restore(database, folderFiles(dataDir), { from: file, content: createReadStream(file), replace })
/** All lines without the time of the copy. */
const textOf = (file: string) =>
  gunzipSync(readFileSync(file))
    .toString()
    .replace(/"at":"[^"]*"/, '')

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'formwork-dump-'))
  source = await emptyDatabase()
  await createSystemTables(source)
  await applyTables(source, tables)
  await source.pool
    .query(`create table odd (n serial, "always" bigint generated always as identity, double int generated always as (n * 2) stored,
    data bytea, kind text default 'x' check (kind <> 'y'), primary key (n, "always"))`)
  await source.pool.query("insert into odd (data) values ('\\x00ff0a'), (null)")
  await source.pool.query(`insert into customer (name, balance, since, at, tags, more, active, "we""ird 列", bank)
    select name, 12345678901234.50, '2026-02-28', '2026-03-01 08:00:00', array['甲', 'b "c", {d}', null], '{"a": [1.10, "\\n", null]}', false, '', null
    from unnest(array['中文', E'line\\nbreak\\t\\\\ "quoted" ''single''', '']) as name`)
  await source.pool.query(
    "insert into customer (name, \"searchText\") select 'bulk ' || n, repeat('字', 100) from generate_series(1, 1201) n",
  )
  await source.pool.query('delete from customer where id = 1204')
  await source.pool.query(
    'begin; insert into bank (customer) values (1); update customer set bank = 1 where id = 1; commit',
  )
  await nextNumbers(source.kysely, 'C{seq:6}', 41, '2026-03-01 00:00:00')
  const data = join(home, 'source')
  mkdirSync(join(data, 'files/2026/03'), { recursive: true })
  writeFileSync(join(data, 'files/2026/03/图.png'), picture)
  writeFileSync(join(data, 'files/empty.txt'), '')
  writeFileSync(join(data, 'secret.key'), 'key')
  writeFileSync(join(data, 'postgres.log'), 'not part of it')
  expect(await dumpTo(source, data, join(home, 'backup.gz'))).toEqual({ tables: 19, rows: 1209, files: 3 })
})
afterAll(async () => {
  for (const database of opened) await database.drop()
  rmSync(home, { recursive: true, force: true })
})
const backup = () => join(home, 'backup.gz')

describe('restore', () => {
  it('is finished after a kill: with the new files if the database is restored, else with the old', async () => {
    const { pid } = spawnSync(process.execPath, ['-e', ''])
    const left = (data: string) => {
      const name = `restored.${hostname()}-${pid}`
      mkdirSync(join(data, name, '.old/files'), { recursive: true })
      writeFileSync(join(data, name, '.old/files/a'), 'former')
      mkdirSync(join(data, 'files'))
      writeFileSync(join(data, 'files/a'), 'new')
      return name
    }
    const target = await emptyDatabase()
    const undone = folder()
    left(undone)
    await finishRestores(target, undone)
    expect([readdirSync(undone), readFileSync(join(undone, 'files/a'), 'utf8')]).toEqual([['files'], 'former'])
    const done = folder()
    await target.pool.query('create table system_restored (folder text)')
    await target.pool.query('insert into system_restored values ($1)', [left(done)])
    await finishRestores(target, done)
    expect([readdirSync(done), readFileSync(join(done, 'files/a'), 'utf8')]).toEqual([['files'], 'new'])
    expect((await target.pool.query("select to_regclass('system_restored') as there")).rows).toEqual([{ there: null }])
    await finishRestores(target, done)
  })

  it('creates an identical database, whose next copy is the same', async () => {
    const target = await emptyDatabase()
    const data = folder()
    expect(await restoreFrom(backup(), target, data)).toEqual({ tables: 19, rows: 1209, files: 3 })
    await dumpTo(target, data, join(home, 'again.gz'))
    expect(textOf(join(home, 'again.gz')).replace(/"public\.odd_n_seq"/g, '')).toBe(
      textOf(backup()).replace(
        "integer default nextval('odd_n_seq'::regclass) not null",
        'integer generated by default as identity not null',
      ),
    )
    expect(readdirSync(data).sort()).toEqual(['files', 'secret.key'])
    expect(readFileSync(join(data, 'files/2026/03/图.png')).equals(picture)).toBe(true)
    expect(existsSync(join(data, 'files/empty.txt'))).toBe(true)
    expect(await planChanges(target, tables)).toMatchObject({ additive: [], lossy: [] })
  })

  it.skipIf(!isLong)('continues all number series', async () => {
    const target = opened.at(-1)!
    expect((await target.pool.query("insert into customer (name) values ('next') returning id")).rows).toEqual([
      { id: 1205 },
    ])
    expect((await target.pool.query('insert into odd default values returning n, "always", double')).rows).toEqual([
      { n: 3, always: 3, double: 6 },
    ])
    expect(await nextNumbers(target.kysely, 'C{seq:6}', 1, '2026-03-01 00:00:00')).toEqual(['C000042'])
    await expect(target.pool.query("insert into customer (name) values ('中文')")).rejects.toMatchObject({
      constraint: 'customer_name_unique',
    })
    await expect(target.pool.query('insert into bank (customer) values (99999)')).rejects.toMatchObject({
      constraint: 'bank_customer_reference',
    })
  })

  it('refuses a target with data, and replaces it if told to', async () => {
    const target = await emptyDatabase()
    const data = folder()
    await target.pool.query('create table mine as select 1 as id')
    await expect(restoreFrom(backup(), target, data)).rejects.toThrow(/There is data already \(tables: 1\)/)
    mkdirSync(join(data, 'files'))
    writeFileSync(join(data, 'files/old.txt'), 'old')
    await restoreFrom(backup(), target, data, true)
    const { rows } = await target.pool.query("select to_regclass('mine') as mine, (select count(*) from customer) as n")
    expect(rows).toEqual([{ mine: null, n: 1203 }])
    expect(readdirSync(join(data, 'files')).sort()).toEqual(['2026', 'empty.txt'])
  })

  const broken = {
    'a file cut short': () => readFileSync(backup()).subarray(0, -200),
    'a copy without its end': () => gzipSync(textOf(backup()).split('\n').slice(0, -2).join('\n') + '\n'),
    'a copy that lacks rows': () => gzipSync(textOf(backup()).replace(/^R.*\n/m, '')),
    'another kind of file': () => gzipSync('hello'),
    'no gzip at all': () => Buffer.from('hello'),
    'a path that leads out': () => gzipSync(textOf(backup()).replace('F"secret.key"', 'F"../../outside"')),
  }
  it.each(Object.entries(broken))('changes nothing with %s', async (_, content) => {
    const target = opened.at(-1)!
    const data = folder()
    mkdirSync(join(data, 'files'))
    writeFileSync(join(data, 'files/old.txt'), 'old')
    const file = join(data, 'broken.gz')
    writeFileSync(file, content())
    await expect(restoreFrom(file, target, data, true)).rejects.toThrow(
      /could not be restored, and nothing was changed/,
    )
    expect((await target.pool.query('select count(*) as n from customer')).rows).toEqual([{ n: 1203 }])
    expect(readdirSync(data).sort()).toEqual(['broken.gz', 'files'])
    expect(readdirSync(join(data, 'files'))).toEqual(['old.txt'])
    expect(existsSync(join(home, 'outside'))).toBe(false)
  })
})

describe('dump', () => {
  it('captures a single moment, whatever others write meanwhile', async () => {
    const database = await emptyDatabase()
    await database.pool.query(`create table a as
      select n, string_agg(md5(random()::text), '') as noise from generate_series(1, 2000) n, generate_series(1, 40) group by n`)
    await database.pool.query('create table z as select 1 as n')
    const chunks: Buffer[] = []
    const output = new Writable({
      // The first piece arrives while `a` is being read, and reading stops until this commits.
      write(chunk: Buffer, _, done) {
        if (chunks.push(chunk) > 1) done()
        else database.pool.query('begin; insert into z values (2); delete from a; commit').then(() => done(), done)
      },
    })
    expect(await dump(database, folderFiles(folder()), output)).toMatchObject({ tables: 2, rows: 2001 })
    expect(gunzipSync(Buffer.concat(chunks)).toString()).toContain('T"z"\nR[["1"]]\n')
    expect(
      (await database.pool.query('select (select count(*) from a) as a, (select count(*) from z) as z')).rows,
    ).toEqual([{ a: 0, z: 2 }])
  })

  it('returns its connection if the stream breaks', async () => {
    const broken = new Writable({ write: (_, __, done) => done(new Error('disk full')) })
    await expect(dump(source, folderFiles(folder()), broken)).rejects.toThrow('disk full')
    expect(source.pool.idleCount).toBe(source.pool.totalCount)
  })
})
