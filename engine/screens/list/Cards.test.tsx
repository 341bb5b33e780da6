// @vitest-environment jsdom
import { cleanup, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { draw, entity, field, plan } from '../../../tests/fixtures/screen.tsx'
import type { RecordData } from '../../model/model.ts'
import Cards from './Cards.tsx'
import { cardOf } from './card.ts'
import type { GridColumn } from './GridRow.tsx'

afterEach(cleanup)

const amounts = ['income', 'expense']
const shown = ['name', 'kind', 'remark', ...amounts]
const movement = entity(
  'movement',
  shown.map((name) => field(name, amounts.includes(name) ? 'money' : 'text')),
)
const columns = shown.map(
  (name) => ({ field: name, label: name, text: (record: RecordData) => String(record[name] ?? '') }) as GridColumn,
)
const card = cardOf({
  columns: shown.map((name) => ({
    field: name,
    hidden: false,
    pin: 'none',
    sum: name.endsWith('e') && name !== 'name',
  })),
  fields: movement.fields,
  display: 'name',
  states: [],
  tagged: () => false,
  summable: (type) => type === 'money',
  money: (type) => type === 'money',
})!

test('shows only that one of two alternative amounts which the record has', () => {
  const rows = [
    { id: 1, name: '甲', kind: '登记', income: '8.00' },
    { id: 2, name: '乙', kind: '核销', expense: '5.00' },
  ].map((record) => ({ record, key: record.id }))
  draw(
    () => <Cards label="movements" columns={columns} card={card} rows={rows as never} stale={false} empty={null} />,
    plan(movement, 'list', {}),
    [movement],
  )
  const [income, expense] = screen.getAllByRole('listitem').map(({ textContent }) => textContent)
  expect(income).toBe('甲登记income 8.00')
  expect(expense).toBe('乙核销expense 5.00')
})

test('says a name once, and leaves no line empty', () => {
  const rows = [
    { id: 1, name: '马婷示', kind: '马婷示', expense: '5.00' },
    { id: 2, name: '王文婷', kind: '王文婷' },
  ].map((record) => ({ record, key: record.id }))
  draw(
    () => <Cards label="movements" columns={columns} card={card} rows={rows as never} stale={false} empty={null} />,
    plan(movement, 'list', {}),
    [movement],
  )
  const cards = screen.getAllByRole('listitem')
  expect(cards.map(({ textContent }) => textContent)).toEqual(['马婷示expense 5.00', '王文婷'])
  expect(cards.map((each) => each.querySelectorAll('.card-line').length)).toEqual([2, 1])
})
