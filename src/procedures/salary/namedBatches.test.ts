import { expect, test } from 'vitest'
import type { ProcedureWork } from '../../../engine/server/procedure.ts'
import { namedBatches } from './namedBatches.ts'

const payrolls = [
  { id: 1, batchNo: 'PR1' },
  { id: 2, batchNo: 'PR2' },
  { id: 3, batchNo: 'PR3' },
]
const seeing = (...ids: number[]) => ({ visibleAmong: async () => new Set(ids) }) as unknown as ProcedureWork

test('batches are named for a user who may view them, and the others only mentioned', async () => {
  expect(await namedBatches(seeing(1, 2, 3), payrolls)).toEqual({ cn: 'PR1、PR2、PR3', en: 'PR1, PR2, PR3' })
  expect(await namedBatches(seeing(2), payrolls)).toEqual({
    cn: 'PR2、（您无权查看）',
    en: 'PR2, (one that you may not view)',
  })
  expect(await namedBatches(seeing(), payrolls)).toEqual({ cn: '（您无权查看）', en: '(one that you may not view)' })
})
