import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')

test('a cast of a record is refused where it stands, and nothing else that is called so', () => {
  const folder = mkdtempSync(join(tmpdir(), 'formwork-lint-'))
  try {
    const rules = { 'formwork/record-casts': 'error' }
    const config = { categories: { correctness: 'off' }, jsPlugins: [join(root, '.oxlint-rules.js')], rules }
    writeFileSync(join(folder, 'config.json'), JSON.stringify(config))
    const lines = [
      'const one = given as RecordData',
      'const many = given as readonly RecordData[]',
      'const twice = given as unknown as Terms',
      'const known = given as Terms',
      'const record: RecordData = given',
      '// oxlint-disable-next-line formwork/record-casts -- what was kept by another version',
      'const excused = given as RecordData',
    ]
    writeFileSync(join(folder, 'sample.ts'), lines.join('\n'))
    const command = join(root, 'node_modules/.bin/oxlint')
    const { stdout } = spawnSync(command, ['-c', 'config.json', '-f', 'unix', 'sample.ts'], {
      cwd: folder,
      encoding: 'utf8',
    })
    const found = [...stdout.matchAll(/sample\.ts:(\d+):/g)].map(([, line]) => Number(line))
    expect(found, stdout).toEqual([1, 2, 3])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
