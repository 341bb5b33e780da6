import path from 'node:path'
import { expect, test } from 'vitest'
import { watchedPaths } from './commands/watchedPaths.ts'
import { namesPath } from './namesPath.ts'

test('a development server writes nothing that it watches, or it would restart forever', () => {
  const watched = watchedPaths.map((folder) => path.resolve(folder))
  expect(watched.filter((folder) => !path.relative(folder, namesPath).startsWith('..'))).toEqual([])
})
