import { execFile, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestDatabase, createTestDatabase } from '../../tests/database.ts'
import { isLong } from '../../tests/long.ts'
import { startUploadServer } from '../../tests/unfinishedUploads.ts'

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
  return { status, output: (stdout + stderr).trim() }
}

it('writes one private file beside running servers, and restores it once they are stopped', async () => {
  const file = join(home, 'backup.gz')
  expect(run('backup', source, 'source', '--to', file)).toEqual({
    status: 0,
    output: `Backup written to ${file}: 1 tables, 1 rows, 1 files.`,
  })
  expect(statSync(file).mode & 0o777).toBe(0o600)

  const waiting = await target.pool.connect()
  expect(run('restore', target, 'target', '--from', file)).toEqual({
    status: 1,
    output: 'Servers are working on this database (connections: 1). Stop them first.',
  })
  waiting.release(true)
  await target.pool.query('select 1').then(() => target.pool.end())
  expect(run('restore', target, 'target', '--from', file)).toEqual({
    status: 0,
    output: `Restored from ${file}: 1 tables, 1 rows, 1 files.`,
  })
  expect(existsSync(join(home, 'target/files/a.txt'))).toBe(true)
  if (!isLong) return
  expect(run('restore', target, 'target', '--from', file)).toMatchObject({
    status: 1,
    output: expect.stringContaining('adding --replace'),
  })
  expect(run('restore', target, 'target', '--from', file, '--replace').status).toBe(0)
})

it.skipIf(!isLong)('leaves nothing behind on failure, and shows its usage', () => {
  const nowhere = join(home, 'no/such/folder')
  expect(run('backup', source, 'source', '--to', nowhere)).toMatchObject({
    status: 1,
    output: expect.stringContaining('ENOENT'),
  })
  expect(readdirSync(home).sort()).toEqual(['backup.gz', 'source', 'target'])
  if (!isLong) return
  expect(run('backup', source, 'source')).toEqual({ status: 2, output: 'Usage: npm run backup -- --to <file>' })
  expect(run('restore', target, 'target')).toEqual({
    status: 2,
    output: 'Usage: npm run restore -- --from <file> [--replace]',
  })
})

it.skipIf(!isLong)('removes what killed backups left, but not the files of backups that may be running', () => {
  const folder = join(home, 'nightly')
  mkdirSync(folder)
  const gone = spawnSync(process.execPath, ['-e', '']).pid
  const made = (name: string, hours: number) => {
    writeFileSync(join(folder, name), 'half')
    const at = new Date(Date.now() - hours * 3_600_000)
    utimesSync(join(folder, name), at, at)
    return name
  }
  made(`monday.gz.formwork.${hostname()}-${gone}.part`, 1)
  made('tuesday.gz.formwork.elsewhere-1.part', 25)
  const kept = [
    // The file of a process not visible from here, as in a container with the same host name.
    made(`wednesday.gz.formwork.${hostname()}-${gone}.part`, 0),
    made(`thursday.gz.formwork.${hostname()}-${process.pid}.part`, 1),
    made('friday.gz.formwork.elsewhere-1.part', 1),
    made('another.part', 25),
    made('monday.gz.1', 25),
  ]
  const { status, output } = run('backup', source, 'source', '--to', join(folder, 'saturday.gz'))
  expect([status, output]).toEqual([0, expect.stringContaining('Removed what killed backups had left there: 2.')])
  expect(readdirSync(folder).sort()).toEqual([...kept, 'saturday.gz'].sort())
})

it.skipIf(!isLong)('aborts the uploads that killed backups left in the folder of the bucket', async () => {
  const old = new Date(Date.now() - 25 * 3_600_000)
  const server = await startUploadServer([
    { key: 'nightly/monday.gz', begun: old, parts: [old] },
    { key: 'nightly/tuesday.gz', begun: old, parts: [old, new Date()] },
    { key: 'nightly/other/product', begun: old },
    { key: 'wednesday.gz', begun: old },
    { key: 'another', begun: old },
  ])
  const backUp = async (to: string) =>
    promisify(execFile)(
      process.execPath,
      ['--import', 'tsx', 'src/commands/backup.ts', '--to', `s3://formwork/${to}?endpoint=${server.endpoint}`],
      {
        env: {
          ...process.env,
          DATABASE_URL: source.url,
          DATA_DIR: join(home, 'source'),
          AWS_ACCESS_KEY_ID: 'formwork',
          AWS_SECRET_ACCESS_KEY: 'formwork',
        },
      },
    )
  try {
    expect(await backUp('nightly/saturday.gz')).toMatchObject({ stderr: '', stdout: expect.stringContaining('1 rows') })
    expect(server.left()).toEqual(['another', 'nightly/other/product', 'nightly/tuesday.gz', 'wednesday.gz'])
    if (!isLong) return
    // Without a folder, only an object of the same name is certainly a backup.
    await backUp('wednesday.gz')
    expect(server.left()).toEqual(['another', 'nightly/other/product', 'nightly/tuesday.gz'])
  } finally {
    server.close()
  }
})
