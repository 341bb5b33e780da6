import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { namesPath } from './writeEditorNames.ts'

test('a development server writes nothing that it watches, or it would restart forever', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: { dev: string } }
  const watched = [...scripts.dev.matchAll(/--watch-path=(\S+)/g)].map(([, folder]) => path.resolve(folder))
  expect(watched.length).toBeGreaterThan(0)
  expect(watched.filter((folder) => !path.relative(folder, namesPath).startsWith('..'))).toEqual([])
})
