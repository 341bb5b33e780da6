import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestDatabase, createTestDatabase } from '../../tests/database.ts'

let home: string
let source: TestDatabase
let target: TestDatabase
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'formwork-backup-'))
  for (const name of ['source', 'target']) mkdirSync(join(home, name))
  mkdirSync(join(home, 'source/files'))
  writeFileSync(join(home, 'source/files/a.txt'), 'a')
  source = await createTestDatabase()
  await source.pool.query('create table customer as select 1 as id')
  target = await createTestDatabase()
})
afterAll(async () => {
  await source.drop()
  await target.drop()
  rmSync(home, { recursive: true, force: true })
})

function run(command: 'backup' | 'restore', database: TestDatabase, dataDir: string, ...parameters: string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', 'tsx', `src/commands/${command}.ts`, ...parameters],
    {
      encoding: 'utf8',
      env: { ...process.env, DATABASE_URL: database.url, DATA_DIR: join(home, dataDir) },
    },
  )
  return { status, said: (stdout + stderr).trim() }
}

it('writes one private file beside running servers, and puts it back once they are stopped', async () => {
  const file = join(home, 'backup.gz')
  expect(run('backup', source, 'source', '--to', file)).toEqual({
    status: 0,
    said: `Backup written to ${file}: 1 tables, 1 rows, 1 files.`,
  })
  expect(statSync(file).mode & 0o777).toBe(0o600)

  const waiting = await target.pool.connect()
  expect(run('restore', target, 'target', '--from', file)).toEqual({
    status: 1,
    said: 'Servers are working on this database (connections: 1). Stop them first.',
  })
  waiting.release(true)
  await target.pool.query('select 1').then(() => target.pool.end())
  expect(run('restore', target, 'target', '--from', file)).toEqual({
    status: 0,
    said: `Restored from ${file}: 1 tables, 1 rows, 1 files.`,
  })
  expect(existsSync(join(home, 'target/files/a.txt'))).toBe(true)
  expect(run('restore', target, 'target', '--from', file)).toMatchObject({
    status: 1,
    said: expect.stringContaining('adding --replace'),
  })
  expect(run('restore', target, 'target', '--from', file, '--replace').status).toBe(0)
})

it('leaves nothing behind where it fails, and says how it is called', () => {
  const nowhere = join(home, 'no/such/folder')
  expect(run('backup', source, 'source', '--to', nowhere)).toMatchObject({
    status: 1,
    said: expect.stringContaining('ENOENT'),
  })
  expect(run('backup', source, 'source')).toEqual({ status: 2, said: 'Usage: npm run backup -- --to <file>' })
  expect(run('restore', target, 'target')).toEqual({
    status: 2,
    said: 'Usage: npm run restore -- --from <file> [--replace]',
  })
  expect(readdirSync(home).sort()).toEqual(['backup.gz', 'source', 'target'])
})
