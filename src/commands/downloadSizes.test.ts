import { expect, test } from 'vitest'
import { circularFile, filesOf, limitOf, overBudget } from './downloadSizes.ts'

const list = { name: 'list', kilobytes: 440, files: 50 }

test('a kind of screen may grow by its margin since the last release, and a new one may have any size', () => {
  expect(limitOf({ list: 430 }, 'list')).toBe(442)
  expect(overBudget([list, { ...list, name: 'map', kilobytes: 900 }], { list: 430 })).toEqual([])
  expect(overBudget([{ ...list, kilobytes: 443 }], { list: 430 })).toEqual(['list: 443 KB of 442 KB'])
})

test('reports a released kind that is missing in the build', () => {
  expect(overBudget([list], { list: 430, map: 400 })).toEqual(['map: not in the build'])
})

test('counts imported files and their styles, each once, and finds a shared view by its name', () => {
  const manifest = {
    'index.html': { file: 'index.js', imports: ['_shared.js'], css: ['index.css'] },
    '_shared.js': { file: 'shared.js', imports: ['index.html'] },
    '_list.view-1.js': { file: 'list.js', name: 'list.view', imports: ['_shared.js'] },
    'later.tsx': { file: 'later.js' },
  }
  expect(filesOf(manifest, ['index.html', 'engine/screens/list/list.view.tsx'])).toEqual([
    'index.js',
    'index.css',
    'shared.js',
    'list.js',
  ])
  expect(() => filesOf(manifest, ['gone.tsx'])).toThrow('The build does not have gone.tsx.')
})

test('finds a file that imports itself through others', () => {
  const line = {
    'a.js': { file: 'a', imports: ['b.js'] },
    'b.js': { file: 'b', imports: ['c.js'] },
    'c.js': { file: 'c' },
  }
  expect(circularFile(line)).toBeUndefined()
  expect(circularFile({ ...line, 'c.js': { file: 'c', imports: ['a.js'] } })).toBe('a.js')
})
