import { expect, test } from 'vitest'
import { sign } from './sign.ts'

test('a signature covers the sorted plain fields', () => {
  expect(sign({ b: 1, a: 2, z: 'x', o: { no: 1 }, n: null, u: undefined }, 'S3cret')).toBe(sign({ a: '2', b: '1', z: 'x' }, 'S3cret'))
  // The MD5 of `keya1b2key`.
  expect(sign({ b: '2', a: '1' }, 'key')).toBe('3A7635F0988AF09A53DF1A3CC1068790')
})
