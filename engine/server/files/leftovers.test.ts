import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { clearLeftovers, makerMark, sheetMark } from './leftovers.ts'
import { folderFiles } from './folderFiles.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'formwork-left-'))
  mkdirSync(join(folder, 'files/ab'), { recursive: true })
  vi.stubEnv('TMPDIR', folder)
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

const made = (name: string) => {
  const path = join(folder, name)
  writeFileSync(path, 'half')
  return path
}

it('removes the files of killed processes, but not those of live or unknown ones', async () => {
  const gone = spawnSync(process.execPath, ['-e', '']).pid
  const left = [
    made(`files/ab/abcd.${hostname()}-${gone}.part`),
    // Another process had our number before us: we have not made a file yet.
    made(`files/ab/bcde.${makerMark()}.part`),
    made(`${sheetMark}${hostname()}-${gone}.1-2-3.xlsx`),
  ]
  const old = made('files/ab/cdef.part')
  utimesSync(old, new Date(0), new Date(0))
  const kept = [
    made('files/ab/abcd'),
    made(`files/ab/defa.${hostname()}-${process.ppid}.part`),
    made('files/ab/efab.elsewhere-1.part'),
    made('another.xlsx'),
  ]
  expect(await clearLeftovers(folderFiles(folder))).toBe(4)
  expect([...left, old].filter((path) => existsSync(path))).toEqual([])
  expect(kept.filter((path) => !existsSync(path))).toEqual([])
})
