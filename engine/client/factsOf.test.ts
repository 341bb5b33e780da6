import { expect, test } from 'vitest'
import { fieldOf } from '../../tests/stage.tsx'
import type { EntityPlan, Field, Label, RecordData } from '../model/model.ts'
import { widgets } from '../widgets/index.ts'
import { factsOf } from './factsOf.ts'
import { words } from './words.ts'
import type { EngineContext } from './view.ts'

const entityOf = (fields: Field[], rest: Partial<EntityPlan>) =>
  ({ fields: Object.fromEntries(fields.map((field) => [field.name, field])), ...rest }) as EntityPlan

const item = entityOf([fieldOf('text', 'what'), fieldOf('money', 'amount')], { display: 'what', facts: ['amount'] })
const invoice = entityOf(
  [
    fieldOf('text', 'no'),
    fieldOf('text', 'customer'),
    fieldOf('money', 'amount', { negative: true }),
    fieldOf('integer', 'persons'),
    fieldOf('rows', 'items', { entity: 'item', by: 'bill', columns: ['what'], where: {}, byType: {}, fixed: false }),
  ],
  { display: 'no', facts: ['customer', 'items', 'amount', 'persons'] },
)
const engine = {
  language: 'en',
  text: ({ en }: Label) => en,
  widgets,
  dictionary: () => undefined,
  now: () => '2026-03-10 09:30:00',
  entity: (name: string) => (name === 'item' ? item : undefined),
} as unknown as EngineContext

const factTexts = (...records: RecordData[]) =>
  factsOf(words.translate('en'), engine, { entity: invoice, records }).map(({ label, value }) => `${label}: ${value}`)
const invoiceOf = (no: string, rest: Partial<RecordData>): RecordData => ({
  id: 1,
  no,
  customer: null,
  persons: null,
  items: null,
  amount: null,
  ...rest,
})

test('shows for one record its name and its non-empty facts, with those of its rows', () => {
  const items = [
    { what: 'Service', amount: '10.00' },
    { what: 'Wages', amount: '90.50' },
  ]
  expect(factTexts(invoiceOf('B1', { amount: '100.50', items, persons: 3 }))).toEqual([
    'no: B1',
    'items: Service ￥10.00, Wages ￥90.50',
    'amount: ￥100.50',
    'persons: 3',
  ])
})

test('shows for several records their names, the exact sum of amounts, and all other facts', () => {
  expect(
    factTexts(
      invoiceOf('B1', { customer: 'Muhe', amount: '9007199254740993.10', persons: 3 }),
      invoiceOf('B2', { customer: 'Muhe', amount: '-0.01', persons: 4 }),
      invoiceOf('B3', { customer: 'Ruogu', amount: null }),
    ),
  ).toEqual(['Selected records: B1, B2, B3', 'customer: Muhe, Ruogu', 'amount (3 records): ￥9,007,199,254,740,993.09'])
})

test('counts the rest of more than five records or values', () => {
  const many = Array.from({ length: 7 }, (_, index) =>
    invoiceOf(`B${index}`, { customer: `C${index}`, amount: '1.00' }),
  )
  expect(factTexts(...many)).toEqual([
    'Selected records: B0, B1, B2, B3, B4 and 2 more',
    'customer: C0, C1, C2, C3, C4 and 2 more',
    'amount (7 records): ￥7.00',
  ])
})

test('shows no sum if an amount is masked or was not read', () => {
  const masked = factTexts(invoiceOf('B1', { amount: '****' }), invoiceOf('B2', { amount: '1.00' }))
  expect(masked).toEqual(['Selected records: B1, B2'])
  const { amount: _, ...unread } = invoiceOf('B1', {})
  expect(factTexts(unread as RecordData, invoiceOf('B2', { amount: '1.00' }))).toEqual(['Selected records: B1, B2'])
})
