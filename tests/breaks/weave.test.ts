import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { breaksOf } from './weave.ts'

test('the code of every break still exists', () => {
  const gone = breaksOf().filter(({ file, text }) => !readFileSync(file, 'utf8').includes(text))
  expect(gone.map(({ id, file, text }) => `${id} ${file}: ${text.slice(0, 80)}`)).toEqual([])
})
