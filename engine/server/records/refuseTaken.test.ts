import { expect, test } from 'vitest'
import type { Entity } from '../../model/model.ts'
import { Refusal } from '../errors.ts'
import type { Context } from '../runtime.ts'
import { guarded } from './refuseTaken.ts'

test('a number too large for its column, such as a total of large amounts, is refused and no internal error', async () => {
  const failed = Promise.reject(Object.assign(new Error('numeric field overflow'), { code: '22003' }))
  const refusal = await guarded({} as Context, {} as Entity, failed).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(Refusal)
  expect((refusal as Refusal).code).toBe('tooLarge')
})
