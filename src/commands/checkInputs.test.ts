import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { contentsOf, countPassedWith, importsOf, keepPassed } from './checkInputs.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'formwork-inputs-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const hashes = (text: string) => {
  const file = join(folder, 'one.ts')
  writeFileSync(file, text)
  return { contents: contentsOf([file]), imports: importsOf([file]) }
}

test('a change of the code changes the contents alone, and one of an import both', () => {
  const first = hashes("import { a } from './a.ts'\nexport const b = a + 1\n")
  const changed = hashes("import { a } from './a.ts'\nexport const b = a + 2\n")
  expect(changed.imports).toBe(first.imports)
  expect(changed.contents).not.toBe(first.contents)
  for (const text of [
    "import { a } from './c.ts'\nexport const b = a + 1\n",
    "import { a } from './a.ts'\nexport const b = a + 1\nawait import(\n  './later.ts'\n)\n",
    "import type { a } from './a.ts'\nexport const b = a + 1\n",
  ])
    expect(hashes(text).imports).not.toBe(first.imports)
})

test('a step is known to have passed with the same inputs only', () => {
  const kept = join(folder, 'deep', 'step')
  expect(countPassedWith(kept, 'one')).toBeUndefined()
  keepPassed(kept, 'one', 146)
  expect(countPassedWith(kept, 'one')).toBe(146)
  expect(countPassedWith(kept, 'other')).toBeUndefined()
})
