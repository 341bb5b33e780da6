import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { compile } from '../engine/schema/compile.ts'
import { readSchemas } from '../engine/server/catalog/sources.ts'
import { copySoundTree } from '../tests/soundTree.ts'
import { lists } from './lists.ts'
import { whenValid } from './whenValid.ts'

it('waits until the issues are fixed, and reports the issues after each change', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'formwork-sound-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  copySoundTree(folder)
  const broken = path.join(folder, 'shop/order.list.json')
  const sound = readFileSync(broken, 'utf8')
  writeFileSync(broken, '{')
  const reports: string[] = []
  const { catalog } = await whenValid(
    folder,
    () => compile(readSchemas(folder), lists),
    (text) => {
      reports.push(text)
      // Like a user who reads the report: the first attempt is wrong.
      writeFileSync(broken, reports.length === 1 ? '[]' : sound)
    },
  )
  expect(reports[0]).toMatch(/order\.list\.json:1:\d[^]+Waiting for changes in/)
  expect(reports.at(-1)).toContain('order.list.json:1:')
  expect(Object.keys(catalog!.entities)).toContain('order')
})
