import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { handOver, packagedBinaries } from './binaries.ts'
import { openOnce } from './clusterAccess.ts'
import { prepareCluster } from './dataDirectory.ts'

const home = mkdtempSync(join(tmpdir(), 'formwork-access-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))
const isRoot = process.getuid?.() === 0
const nobody = { uid: 65534, gid: 65534 }

it('does not write through a link that the account of the database left in its folder', () => {
  const [directory, victim] = [join(home, 'linked'), join(home, 'victim')]
  mkdirSync(directory)
  writeFileSync(victim, 'mine')
  symlinkSync(victim, join(directory, 'pg_hba.conf.new'))
  openOnce(directory, isRoot ? nobody : undefined)
  expect(readFileSync(victim, 'utf8')).toBe('mine')
  expect(statSync(victim).uid).toBe(process.getuid?.())
  expect(lstatSync(join(directory, 'pg_hba.conf')).isFile()).toBe(true)
  expect(existsSync(join(directory, 'pg_hba.conf.new'))).toBe(false)
})

it.runIf(isRoot)('gives a folder to the account with the links in it, and not what they lead to', () => {
  const [directory, victim] = [join(home, 'given'), join(home, 'kept')]
  mkdirSync(join(directory, 'base'), { recursive: true })
  mkdirSync(victim)
  writeFileSync(join(victim, 'file'), '')
  writeFileSync(join(directory, 'base', 'file'), '')
  symlinkSync(victim, join(directory, 'base', 'link'))
  handOver(directory, nobody)
  for (const path of ['', 'base', 'base/file', 'base/link'])
    expect(lstatSync(join(directory, path)).uid, path).toBe(nobody.uid)
  for (const path of ['', 'file']) expect(statSync(join(victim, path)).uid, path).toBe(0)
})

it('makes a new data folder that others cannot list', () => {
  const folder = join(home, 'new', 'data')
  prepareCluster(folder, packagedBinaries())
  expect(statSync(folder).mode & 0o777).toBe(isRoot ? 0o711 : 0o700)
})
