import { expect, it } from 'vitest'
import { choices } from './choices.ts'
import { examples } from './choices.examples.ts'

it('reads each part of a cell once', () => {
  const { options, dictionaries } = examples
  const context = { label: {}, dictionary: (name: string) => dictionaries![name], now: () => '' }
  const read = (cell: string) => choices.sheet!.read(cell, options[0] as never, context as never)
  expect(read('x、'.repeat(2_000))).toEqual(['x'])
  expect(read('x,'.repeat(2_000))).toEqual(['x'])
  expect(read('劳务派遣、x、劳务派遣')).toEqual(['dispatch', 'x'])
})
