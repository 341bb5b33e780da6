import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')

/** The numbers of the lines that a rule refuses. */
function refused(rule: string, lines: readonly string[]): number[] {
  const folder = mkdtempSync(join(tmpdir(), 'formwork-lint-'))
  try {
    const rules = { [rule]: 'error' }
    const config = { categories: { correctness: 'off' }, jsPlugins: [join(root, '.oxlint-rules.js')], rules }
    writeFileSync(join(folder, 'config.json'), JSON.stringify(config))
    writeFileSync(join(folder, 'sample.ts'), lines.join('\n'))
    const command = join(root, 'node_modules/.bin/oxlint')
    const { stdout } = spawnSync(command, ['-c', 'config.json', '-f', 'unix', 'sample.ts'], {
      cwd: folder,
      encoding: 'utf8',
    })
    return [...stdout.matchAll(/sample\.ts:(\d+):/g)].map(([, line]) => Number(line))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

test('refuses a cast of a record where it is, and no other use of the name', () => {
  const lines = [
    'const one = given as RecordData',
    'const many = given as readonly RecordData[]',
    'const twice = given as unknown as Terms',
    'const any = given as never',
    'const known = given as Terms',
    'const record: RecordData = given',
    '// oxlint-disable-next-line formwork/record-casts -- what was kept by another version',
    'const excused = given as RecordData',
  ]
  expect(refused('formwork/record-casts', lines)).toEqual([1, 2, 3, 4])
})

test('refuses raw SQL without a comment before its statement that says why', () => {
  const lines = [
    'await sql`delete from customer`.execute(db)',
    '// No operation deletes the log.',
    'await sql`delete from system_log where id = ${first}`.execute(db)',
    'const { rows } = await sql<Row>`select 1`.execute(db)',
    '// The log is no entity.',
    'const all = await Promise.all(',
    '  ids.map((id) => sql`select ${sql`id`} from system_log where id = ${id}`.execute(db)),',
    ')',
    'const table = sql.table(name)',
  ]
  expect(refused('formwork/sql-reason', lines)).toEqual([1, 4])
})
