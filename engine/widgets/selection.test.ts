import { expect, it } from 'vitest'
import { splitCell } from './selection.ts'

it('names each part of a cell once', () => {
  expect(splitCell('x、'.repeat(2_000))).toEqual(['x'])
  expect(splitCell(' b；a, b ')).toEqual(['b', 'a'])
})
