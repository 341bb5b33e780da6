import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Decimal } from '../../../engine/expression/index.ts'
import { allocate, refusedMatch } from './allocation.ts'

const amountOf = (amount: string) => new Decimal(amount)
const fund = (id: number, rest: string) => ({ id, rest: amountOf(rest) })
const debt = (id: number, outstanding: string, dueDate: string | null = '2026-03-01') => ({
  id,
  outstanding: amountOf(outstanding),
  dueDate,
})
const allocated = (...given: Parameters<typeof allocate>) =>
  allocate(...given).map(({ fund, debt, before, amount, writeOff }) => [
    fund,
    debt,
    before.toFixed(2),
    amount.toFixed(2),
    writeOff.toFixed(2),
  ])

describe('money is allocated', () => {
  it('to the oldest due statements first, and to the last in part', () => {
    expect(
      allocated(
        [fund(1, '150.10')],
        [debt(1, '100.00', '2026-03-20'), debt(2, '60.10', '2026-02-20'), debt(3, '5.00', null)],
        amountOf('0'),
      ),
    ).toEqual([
      [1, 2, '60.10', '60.10', '0.00'],
      [1, 1, '100.00', '90.00', '0.00'],
    ])
  })

  it('from several receipts, each used up before the next', () => {
    expect(
      allocated([fund(1, '30.00'), fund(2, '100.00')], [debt(1, '50.00'), debt(2, '60.00')], amountOf('0')),
    ).toEqual([
      [1, 1, '50.00', '30.00', '0.00'],
      [2, 1, '20.00', '20.00', '0.00'],
      [2, 2, '60.00', '60.00', '0.00'],
    ])
  })

  it('with a difference within the tolerance written off, if no money is left', () => {
    expect(allocated([fund(1, '99.63')], [debt(1, '100.00')], amountOf('1'))).toEqual([
      [1, 1, '100.00', '99.63', '0.37'],
    ])
    expect(allocated([fund(1, '99.63'), fund(2, '10.00')], [debt(1, '100.00')], amountOf('1'))).toEqual([
      [1, 1, '100.00', '99.63', '0.00'],
      [2, 1, '0.37', '0.37', '0.00'],
    ])
    expect(allocated([fund(1, '98.99')], [debt(1, '100.00')], amountOf('1'))).toEqual([
      [1, 1, '100.00', '98.99', '0.00'],
    ])
  })

  it('in no case without money or debts', () => {
    expect([
      allocated([], [debt(1, '5')], amountOf('1')),
      allocated([fund(1, '0')], [debt(1, '0.50')], amountOf('1')),
      allocated([fund(1, '5')], [debt(1, '0'), debt(2, '-3')], amountOf('1')),
    ]).toEqual([[], [], []])
  })

  const cents = fc.integer({ min: 0, max: 5_000_000 }).map((value) => new Decimal(value).dividedBy(100))
  it('up to what both sides have, and as much as possible', () => {
    fc.assert(
      fc.property(
        fc.array(cents, { maxLength: 6 }),
        fc.array(cents, { maxLength: 6 }),
        fc.integer({ min: 0, max: 100 }),
        (rests, owed, tolerance) => {
          const funds = rests.map((rest, id) => ({ id, rest }))
          const debts = owed.map((outstanding, id) => ({ id, outstanding, dueDate: `2026-03-${10 + (id % 3)}` }))
          const limit = new Decimal(tolerance).dividedBy(100)
          const made = allocate(funds, debts, limit)
          const sum = (values: Decimal[]) => values.reduce((total, value) => total.plus(value), new Decimal(0))
          for (const { id, rest } of funds)
            expect(sum(made.filter((allocation) => allocation.fund === id).map(({ amount }) => amount)).lte(rest)).toBe(
              true,
            )
          for (const { id, outstanding } of debts)
            expect(
              sum(
                made
                  .filter((allocation) => allocation.debt === id)
                  .map(({ amount, writeOff }) => amount.plus(writeOff)),
              ).lte(outstanding),
            ).toBe(true)
          expect(sum(made.map(({ amount }) => amount)).equals(Decimal.min(sum(rests), sum(owed)))).toBe(true)
          const refused = made.map(({ amount, writeOff, before }) =>
            refusedMatch({ amount, writeOff, rest: amount, outstanding: before, tolerance: limit }),
          )
          expect(refused.every((each) => each === undefined)).toBe(true)
        },
      ),
      { seed: 7 },
    )
  })
})

describe('a match is refused', () => {
  const match = {
    amount: amountOf('99.63'),
    writeOff: amountOf('0.37'),
    rest: amountOf('99.63'),
    outstanding: amountOf('100'),
    tolerance: amountOf('1'),
  }
  it.each([
    ['amount', { amount: amountOf('0') }],
    ['amount', { rest: amountOf('99.62') }],
    ['amount', { outstanding: amountOf('99.62') }],
    ['writeOffAmount', { tolerance: amountOf('0.36') }],
    ['writeOffAmount', { writeOff: amountOf('0.36') }],
    ['writeOffAmount', { writeOff: amountOf('-0.01') }],
  ])('at %s if %j', (field, more) => {
    expect(refusedMatch({ ...match, ...more })?.field).toBe(field)
  })

  it('only for these reasons', () => {
    expect(refusedMatch(match)).toBeUndefined()
    expect(refusedMatch({ ...match, writeOff: amountOf('0') })).toBeUndefined()
  })
})
