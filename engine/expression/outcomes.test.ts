import { expect, test } from 'vitest'
import { outcomes, outcomesWithin, type KnownValues } from './outcomes.ts'

const verdicts = (text: string, known?: KnownValues) =>
  outcomes(text, known).map(({ always, text: part }) => `${part} is ${always ? 'always' : 'never'} true`)

test.each([
  ["status == 'open' && status == 'paid'"],
  ["status in ['open'] && status == 'paid'"],
  ['amount > 10 && amount < 5'],
  ['amount > 5 && amount <= 5'],
  ["date >= '2026-05-01' && date < '2026-01-01'"],
  ["kind == 'a' && kind == ''"],
  ['false'],
  ['1 == 2'],
  ['size(lines) < 0'],
  ['!(a == 1 || a != 1)'],
  ['enabled && !enabled'],
  ['status in []'],
])('%s is never true', (text) => expect(verdicts(text)).toEqual([`${text} is never true`]))

test.each([
  ["status == 'open' || status != 'open'"],
  ["status != 'open' || status != 'paid'"],
  ['true'],
  ['size(lines) == 0 || size(lines) > 0 || !(size(lines) >= 0)'],
])('%s is always true', (text) => {
  // A missing value has no size.
  expect(verdicts(text, (term) => (term.startsWith('size') ? [0, 1, 2] : undefined))).toEqual([
    `${text} is always true`,
  ])
})

test.each([
  ["status == 'open' || status == 'paid'"],
  ['amount > 0 || amount <= 0'], // not for a missing value
  ['amount > 5 && amount < 6'],
  ["date >= '2026-01-01' && date < '2026-01-02'"],
  ['a == b && a != b'], // nothing is known about comparisons of two fields
  ["lines.exists(one, one.kind == 'a') && lines.exists(one, one.kind == 'b')"],
  ["'x' in kinds && 'y' in kinds"],
  ["kind != ''"],
  ['count == 0 && size(lines) > 0'],
  ["old.status == 'open' && status == 'paid'"],
  ['now() > end && amount > 1'],
  ['(a == 1 ? b : c) && d'],
  ['a =='],
])('%s may be true or false', (text) => expect(verdicts(text)).toEqual([]))

test('reports those parts of an undecided condition that are always or never true', () => {
  expect(verdicts("a == 1 || kind == 'x' && kind == 'y'")).toEqual(["kind == 'x' && kind == 'y' is never true"])
  expect(verdicts('lines.exists(one, one.a > 2 && one.a < 1)')).toEqual(['one.a > 2 && one.a < 1 is never true'])
})

test('takes the known values of fields into account', () => {
  const known: KnownValues = (term) => (term === 'status' ? ['open', 'paid'] : undefined)
  expect(verdicts("status == 'void'", known)).toEqual(["status == 'void' is never true"])
  expect(verdicts("status in ['open', 'paid', 'void']", known)).toEqual([
    "status in ['open', 'paid', 'void'] is always true",
  ])
  expect(verdicts("status == 'open'", known)).toEqual([])
})

test('reports both values if a field would have to equal two', () => {
  expect(outcomes("a > 1 && status == 'open' && 'paid' == status")).toMatchObject([
    { twice: { path: 'status', values: ['open', 'paid'] } },
  ])
})

test.each([
  ["status == 'a' && status == 'b' ? 1 : 2", ["status == 'a' && status == 'b'"]],
  ['kind == null ? 0 : status in [] ? amount : 2', ['status in []']],
  ['coalesce(amount > 5 && amount < 1 ? amount : 0, 0)', ['amount > 5 && amount < 1']],
  ['amount > 5 && amount < 1', ['amount > 5 && amount < 1']],
  ['amount == null ? 0 : amount * 2', []],
  ['true', []],
])('within the formula %s', (text, never) => {
  expect(outcomesWithin(text).map(({ text: part, always }) => [part, always])).toEqual(
    never.map((part) => [part, false]),
  )
})
