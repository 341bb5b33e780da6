import { expect, test } from 'vitest'
import type { GroupPlan, MeasurePlan, ReportPlan } from '../../model/model.ts'
import { field, label } from '../../../tests/fixtures/screen.tsx'
import { recordsLink } from './recordsLink.ts'

const measure = (rest: Partial<MeasurePlan> = {}): MeasurePlan => ({
  name: 'amount',
  field: field('amount', 'money'),
  value: { kind: 'count' },
  where: {},
  ...rest,
})
const group = (...by: GroupPlan['by']): GroupPlan => ({ name: 'x', label: label('x'), by })
const plan = (rest: Partial<ReportPlan> = {}): ReportPlan => ({
  filters: [],
  where: {},
  groups: [],
  measures: [],
  tabs: [],
  charts: [],
  records: {
    to: '/thing',
    permission: 'p',
    filters: { status: 'in', customer: 'equals', month: 'between', day: 'between' },
    started: ['status'],
  },
  ...rest,
})
const byCustomer = group({ field: 'customer', shown: field('customer', 'reference') })
const everything = () => ['equals', 'in', 'between'] as const
/** The filters in the address of the list. */
const filters = (link: string | undefined) =>
  link === undefined
    ? undefined
    : Object.fromEntries(
        [...new URLSearchParams(link.split('?')[1])].map(([key, value]) => [
          key.slice(2),
          value && (JSON.parse(value) as unknown),
        ]),
      )
const linked = (
  given: Partial<Parameters<typeof recordsLink>[1]>,
  report = plan(),
  allowed: Parameters<typeof recordsLink>[2] = everything,
) =>
  filters(
    recordsLink(
      report,
      { measure: measure(), group: byCustomer, by: [{ id: 7, name: '甲', code: null }], filters: {}, ...given },
      allowed,
    ),
  )

test('a number leads to the records of its row, the filters, the report and the measure', () => {
  expect(linked({})).toEqual({ customer: { equals: 7 }, status: '' })
  expect(
    linked(
      {
        filters: { month: { between: ['2026-01', '2026-03'] } },
        measure: measure({ where: { status: { in: ['a', 'b'] } } }),
      },
      plan({ where: { status: { in: ['b', 'c'] } } }),
    ),
  ).toEqual({ customer: { equals: 7 }, month: { between: ['2026-01', '2026-03'] }, status: { in: ['b'] } })
})

test('a choice is ticked if the list filters by several values', () => {
  expect(linked({ group: group({ field: 'status', shown: field('status', 'choice') }), by: ['a'] })).toEqual({
    status: { in: ['a'] },
  })
})

test("a month is a range of the field's values, within the requested range", () => {
  const month = group({ field: 'month', unit: 'month', grain: 'month', shown: field('month', 'month') })
  const day = group({ field: 'day', unit: 'month', grain: 'day', shown: field('day', 'month') })
  const moment = group({ field: 'day', unit: 'month', grain: 'moment', shown: field('day', 'month') })
  expect(linked({ group: month, by: ['2026-02'], filters: { month: { between: ['2026-01', '2026-12'] } } })).toEqual({
    month: { between: ['2026-02', '2026-02'] },
    status: '',
  })
  expect(linked({ group: day, by: ['2024-02'], filters: { day: { between: ['2024-02-10', null] } } })).toEqual({
    day: { between: ['2024-02-10', '2024-02-29'] },
    status: '',
  })
  expect(linked({ group: moment, by: ['2024-02'] })).toEqual({
    day: { between: ['2024-02-01 00:00:00', '2024-02-29 23:59:59'] },
    status: '',
  })
})

test.each([
  ['what a formula comes to', { measure: measure({ value: { kind: 'formula', formula: '1' } }) }],
  ['what belongs to no group', { by: [null] }],
  ['several values at once', { by: [['a']] }],
  ['a field that the list is not narrowed by', { filters: { other: { equals: 'x' } } }],
  [
    'two filters that have nothing in common',
    { filters: { status: { equals: 'a' } }, measure: measure({ where: { status: { equals: 'b' } } }) },
  ],
  [
    'two filters that no single one says',
    { filters: { status: { empty: false } }, measure: measure({ where: { status: { equals: 'b' } } }) },
  ],
] as [string, Parameters<typeof linked>[0]][])('opens nothing for %s', (_, given) =>
  expect(linked(given)).toBeUndefined(),
)

test('opens nothing if the field lacks the operator, or without a list', () => {
  expect(linked({}, plan(), () => ['between'])).toBeUndefined()
  expect(linked({}, plan({ records: undefined }))).toBeUndefined()
})
