import { appendFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { watchFolders } from './watchFolders.ts'

let folder: string
let end: () => void
let reports: number
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'formwork-watch-'))
  mkdirSync(path.join(folder, 'area'))
  writeFileSync(path.join(folder, 'area/a.json'), '{}')
  reports = 0
  end = watchFolders(folder, () => {
    reports++
  })
})
afterEach(() => {
  end()
  rmSync(folder, { recursive: true, force: true })
})

const expectReport = async (change: () => void) => {
  const before = reports
  change()
  await vi.waitFor(() => expect(reports).toBeGreaterThan(before))
}

it('reports files written in place, replaced repeatedly, added and removed', async () => {
  const file = path.join(folder, 'area/a.json')
  const replace = () => {
    writeFileSync(path.join(folder, 'area/a.json~'), '{ }')
    renameSync(path.join(folder, 'area/a.json~'), file)
  }
  await expectReport(() => appendFileSync(file, ' '))
  await expectReport(replace)
  await expectReport(replace)
  await expectReport(() => appendFileSync(file, ' '))
  await expectReport(() => writeFileSync(path.join(folder, 'app.json'), '{}'))
  await expectReport(() => rmSync(file))
})

it('follows folders created later', async () => {
  await expectReport(() => {
    mkdirSync(path.join(folder, 'later/below'), { recursive: true })
    writeFileSync(path.join(folder, 'later/below/b.json'), '{}')
  })
  await expectReport(() => appendFileSync(path.join(folder, 'later/below/b.json'), ' '))
})

const replaced = (which: string) => {
  rmSync(which, { recursive: true })
  mkdirSync(path.join(which, which === folder ? 'area' : ''), { recursive: true })
  writeFileSync(path.join(folder, 'area/a.json'), '{}')
}

it.each(['area', ''])('follows a folder replaced at once, as when a branch is switched: /%s', async (name) => {
  await expectReport(() => replaced(path.join(folder, name)))
  await expectReport(() => appendFileSync(path.join(folder, 'area/a.json'), ' '))
})
