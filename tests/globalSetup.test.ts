import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { clearKilled } from './globalSetup.ts'

const folder = mkdtempSync(join(tmpdir(), 'formwork-killed-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Greater than any that a process can have. */
const nobody = 2 ** 22 + 1
const remains = (run: string): string => {
  const name = `formwork-tests-${run}`
  mkdirSync(join(folder, name, 'postgres'), { recursive: true })
  writeFileSync(join(folder, name, 'product.json'), '{}')
  return name
}

test('of two runs that start at once, each clears what the other does not; neither fails', async () => {
  const all = Array.from({ length: 20 }, (_, index) => remains(`${nobody}_${index}`))
  const cleared: string[] = []
  const remove = async (path: string) => {
    cleared.push(path)
    // The other run looks meanwhile.
    await Promise.resolve()
    rmSync(path, { recursive: true })
  }
  await Promise.all([clearKilled(folder, remove), clearKilled(folder, remove)])
  expect(cleared).toHaveLength(all.length)
  expect(readdirSync(folder)).toEqual([])
})

test('the data of a run that goes on stays, and what could not be cleared is cleared by the next', async () => {
  const running = remains(`${process.pid}_1`)
  remains(`${nobody}_2`)
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
  await clearKilled(folder, () => Promise.reject(new Error('in use')))
  expect(warned).toHaveBeenCalledWith(expect.stringContaining('in use'))
  const [claimed, ...more] = readdirSync(folder).filter((name) => name !== running)
  expect(more).toEqual([])
  expect(claimed, 'by us').toContain(`-${process.pid}_`)
  const left = remains(claimed.replace('formwork-tests-', '').replace(String(process.pid), String(nobody)))
  await clearKilled(folder)
  expect(existsSync(join(folder, left))).toBe(false)
  expect(existsSync(join(folder, running))).toBe(true)
})
