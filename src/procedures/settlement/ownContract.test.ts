import { expect, test } from 'vitest'
import type { People } from './billableCosts.ts'
import { leftToOwn } from './ownContract.ts'

const rule = (feeMode: string) => ({ feeMode, effectiveFrom: '2026-01', effectiveTo: null, tiers: [] })
const billing = (id: number, people: number[], { feeMode = 'perHead', lastDay = null as string | null } = {}) => ({
  contract: { id, startDate: '2026-01-01', lastDay, feeRules: [rule(feeMode)] } as never,
  billMonth: '2026-02',
  costs: people.map((person) => ({ person })),
})
const person = (serviceContract: number, former: object[] = []) => ({
  serviceContract,
  entryDate: '2026-02-10',
  leaveDate: null,
  former,
})
/** Person 5 is under contract 2 now; person 6 came to it only in March. */
const people = new Map<number, unknown>([
  [5, person(2)],
  [6, { ...person(2, [{ serviceContract: 1, entryDate: '2026-01-05' }]), entryDate: '2026-03-01' }],
]) as People

test('the contract that a person is under in the month charges it, if its statement bills costs of theirs too', () => {
  expect(leftToOwn([billing(1, [5, 6]), billing(2, [5, 6])], people)).toEqual([new Set([5]), new Set([6])])
})

test.each<[string, ReturnType<typeof billing>]>([
  ['bills nothing of theirs', billing(2, [7])],
  ['charges nobody by the head', billing(2, [5], { feeMode: 'fixed' })],
  ['has ended', billing(2, [5], { lastDay: '2026-01-31' })],
])('but not if it %s', (_, own) => {
  expect(leftToOwn([billing(1, [5]), own], people)[0]).toEqual(new Set())
})
