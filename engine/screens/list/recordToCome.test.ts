import { expect, test } from 'vitest'
import { entity, field } from '../../../tests/fixtures/screen.tsx'
import type { ActionPlan } from '../../model/model.ts'
import { isRefused, recordToCome } from './recordToCome.ts'

const line = entity('line', [
  field('name', 'text'),
  field('batchStatus', 'text', { computed: { kind: 'lookup', by: 'batch', field: 'status' } }),
  field('city', 'text', { computed: { kind: 'lookup', by: 'person', field: 'city' } }),
])

test('a new record has its look-ups in the record that it belongs to', () => {
  expect(recordToCome(line, 'batch', { id: 3, status: 'paid', city: 'x' })).toEqual({ batch: 3, batchStatus: 'paid' })
  expect(recordToCome(line, 'batch', { id: 3 })).toEqual({ batch: 3 })
})

test('a new record is refused if all inputs of the condition are known and it fails', () => {
  const create = (shownWhen?: string) => ({ name: 'create', shownWhen }) as ActionPlan
  const refused = (condition: string | undefined, holds: boolean) =>
    isRefused(create(condition), { batch: 3, batchStatus: 'paid' }, () => holds)
  expect(refused("batchStatus == 'draft'", false)).toBe(true)
  expect(refused("batchStatus == 'paid'", true)).toBe(false)
  expect(refused("batchStatus == 'draft' && name != null", false)).toBe(false)
  expect(refused(undefined, false)).toBe(false)
})
