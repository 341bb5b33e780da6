import { expect, test } from 'vitest'
import { cardOf } from './card.ts'

const column = (field: string, rest = {}) => ({ field, hidden: false, pin: 'none' as const, sum: false, ...rest })
const fields = Object.fromEntries(
  ['code', 'name', 'type', 'city', 'count', 'balance', 'owed', 'status'].map((name) => [
    name,
    { type: ({ count: 'number', balance: 'money', owed: 'money' } as Record<string, string>)[name] ?? 'text' },
  ]),
)
const card = (columns: ReturnType<typeof column>[], tagged: string[] = []) =>
  cardOf({
    columns,
    fields,
    display: 'name',
    states: ['status'],
    tagged: (field) => tagged.includes(field),
    summable: (type) => type !== 'text',
    money: (type) => type === 'money',
  })

test('a card has the name as title, with code, state, amount and two facts', () => {
  const all = ['code', 'name', 'type', 'count', 'city', 'status'].map((field) => column(field))
  expect(card([...all, column('balance')])).toEqual({
    title: 'name',
    second: 'code',
    state: 'status',
    amounts: ['balance'],
    facts: ['type', 'city'],
  })
  // A duration is a number but no amount, unless the column has a sum.
  expect(card(all)).toMatchObject({ amounts: [], facts: ['type', 'city'] })
  const summed = all.map((each) => ({ ...each, sum: each.field === 'count' }))
  expect(card(summed)?.amounts).toEqual(['count'])
})

test('a bare number is no second line, and as the title it has its label', () => {
  expect(card([column('count'), column('city')])).toMatchObject({ title: 'count', labelled: true })
  expect(card([column('name'), column('count')])).not.toHaveProperty('labelled')
  expect(card([column('count'), column('name'), column('city')])).toMatchObject({ second: 'city', facts: ['count'] })
  expect(card([column('count'), column('name')])?.second).toBeUndefined()
})

test('leaves out hidden and unknown columns', () => {
  expect(card([column('code'), column('name', { hidden: true }), column('gone')])).toEqual({
    title: 'code',
    second: undefined,
    state: undefined,
    amounts: [],
    facts: [],
  })
  expect(card([column('status'), column('balance')])).toMatchObject({ title: 'status', amounts: ['balance'] })
  expect(card([])).toBeUndefined()
})

test('without a state, a field with coloured tags takes its place', () => {
  const columns = ['code', 'name', 'type', 'city'].map((field) => column(field))
  expect(card(columns, ['city'])?.state).toBe('city')
  expect(card([...columns, column('status')], ['city'])?.state).toBe('status')
})

test('amounts of equal rank are alternatives, one of which a record has', () => {
  const both = [column('name'), column('balance', { sum: true }), column('owed', { sum: true })]
  // A number without its label does not work as the second line.
  expect(card(both)).toMatchObject({ amounts: ['balance', 'owed'], second: undefined, facts: ['owed'] })
  expect(card([column('name'), column('balance', { sum: true }), column('owed')])?.amounts).toEqual(['balance'])
})

test('what is looked up is no state of the record', () => {
  const computed = { kind: 'lookup', by: 'city', field: 'type' } as const
  const stateWith = (type: (typeof fields)[string] & { computed?: typeof computed }) =>
    cardOf({
      columns: [column('name'), column('type')],
      fields: { ...fields, type },
      display: 'name',
      states: [],
      tagged: (field) => field === 'type',
      summable: () => false,
      money: () => false,
    })?.state
  expect(stateWith({ type: 'text' })).toBe('type')
  expect(stateWith({ type: 'text', computed })).toBeUndefined()
})
