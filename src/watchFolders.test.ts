import { appendFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { watchFolders } from './watchFolders.ts'

let folder: string
let end: () => void
let told: number
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'formwork-watch-'))
  mkdirSync(path.join(folder, 'area'))
  writeFileSync(path.join(folder, 'area/a.json'), '{}')
  told = 0
  end = watchFolders(folder, () => {
    told++
  })
})
afterEach(() => {
  end()
  rmSync(folder, { recursive: true, force: true })
})

const tells = async (change: () => void) => {
  const before = told
  change()
  await vi.waitFor(() => expect(told).toBeGreaterThan(before))
}

it('reports files written in place, replaced repeatedly, added and removed', async () => {
  const file = path.join(folder, 'area/a.json')
  const replace = () => {
    writeFileSync(path.join(folder, 'area/a.json~'), '{ }')
    renameSync(path.join(folder, 'area/a.json~'), file)
  }
  await tells(() => appendFileSync(file, ' '))
  await tells(replace)
  await tells(replace)
  await tells(() => appendFileSync(file, ' '))
  await tells(() => writeFileSync(path.join(folder, 'app.json'), '{}'))
  await tells(() => rmSync(file))
})

it('follows folders created later', async () => {
  await tells(() => {
    mkdirSync(path.join(folder, 'later/below'), { recursive: true })
    writeFileSync(path.join(folder, 'later/below/b.json'), '{}')
  })
  await tells(() => appendFileSync(path.join(folder, 'later/below/b.json'), ' '))
})

const replaced = (which: string) => {
  rmSync(which, { recursive: true })
  mkdirSync(path.join(which, which === folder ? 'area' : ''), { recursive: true })
  writeFileSync(path.join(folder, 'area/a.json'), '{}')
}

it.each(['area', ''])('follows a folder replaced at once, as when a branch is switched: /%s', async (name) => {
  await tells(() => replaced(path.join(folder, name)))
  await tells(() => appendFileSync(path.join(folder, 'area/a.json'), ' '))
})
