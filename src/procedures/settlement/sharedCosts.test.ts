import { expect, test } from 'vitest'
import type { Id } from '../../../engine/server/procedure.ts'
import { sharedCosts } from './sharedCosts.ts'

const statement = (id: number, billMonth: string, contract = 1) => ({
  id: id as Id<'statement'>,
  customer: 9 as Id<'customer'>,
  contract: contract as Id<'contract'>,
  billMonth,
  wageMonth: billMonth,
  insuranceMonth: billMonth,
})
const cost = (id: number, costMonth: string, values: { contract?: number | null; statement?: number } = {}) => ({
  id: id as Id<'costLine'>,
  customer: 9 as Id<'customer'>,
  contract: (values.contract === undefined ? 1 : values.contract) as Id<'contract'> | null,
  billMonth: null,
  costMonth,
  sourceType: 'payroll' as const,
  statement: (values.statement ?? null) as Id<'statement'> | null,
})
/** Statement → ids of the costs that it bills; `null` → those that no statement bills. */
const shared = (costs: ReturnType<typeof cost>[], statements: ReturnType<typeof statement>[]) => {
  const { moved, ...found } = sharedCosts(costs, statements)
  const ids = Object.fromEntries(moved.map((each) => [String(each.statement), each.costs.map(({ id }) => Number(id))]))
  for (const [id, own] of found.costs) expect(own.map((each) => Number(each.id))).toEqual(ids[id] ?? [])
  return ids
}

test('a due cost goes to the first statement, and one not yet due to the next', () => {
  expect(
    shared([cost(1, '2026-02'), cost(2, '2026-03')], [statement(10, '2026-02'), statement(11, '2026-03')]),
  ).toEqual({ 10: [1], 11: [2] })
})

test("the next statement takes what another releases, and others' costs stay with them", () => {
  const late = cost(1, '2026-03', { statement: 10 })
  const own = cost(2, '2026-02', { statement: 11 })
  expect(shared([late, own], [statement(10, '2026-02'), statement(11, '2026-03')])).toEqual({ 11: [1, 2] })
})

test("a cost moved to another contract is released, and one without a contract is its customer's", () => {
  const moved = cost(1, '2026-02', { contract: 2, statement: 10 })
  const ofNone = cost(2, '2026-02', { contract: null })
  expect(shared([moved, ofNone], [statement(10, '2026-02')])).toEqual({ null: [1], 10: [2] })
})
