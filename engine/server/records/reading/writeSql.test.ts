/** A formula has the same value in code and in SQL: with missing values, and for every function that has SQL. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../../tests/database.ts'
import { Decimal, evaluateFormula, functions, relational, type RelationalType } from '../../../expression/index.ts'
import type { Value } from '../../../model/model.ts'
import { writeSql } from './writeSql.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database?.drop())

const types = {
  kind: 'string',
  other: 'string',
  from: 'string',
  to: 'string',
  price: 'decimal',
  paid: 'decimal',
  open: 'boolean',
  tags: 'list<string>',
} as const
const columns: Record<string, string> = {
  string: 'text',
  decimal: 'numeric',
  boolean: 'boolean',
  'list<string>': 'text[]',
}
const nothing = Object.fromEntries(Object.keys(types).map((name) => [name, null]))
/** One record with all values, one without any, and some with a few. */
const records: Record<string, Value>[] = [
  nothing,
  { ...nothing, kind: 'truck', price: '100.00', from: '2024-02-29', tags: ['truck'] },
  { ...nothing, kind: 'car', other: 'car', to: '2026-03-15', open: false, tags: ['car', 'van'] },
  { ...nothing, other: '', paid: '0.00', tags: [] },
  {
    kind: 'car',
    other: 'truck',
    from: '2024-02-29',
    to: '2025-02-28',
    price: '2.345',
    paid: '-7.5',
    open: true,
    tags: [],
  },
  {
    kind: 'Zug',
    other: 'van',
    from: '2026-12-31',
    to: '2026-01-01',
    price: '-2.345',
    paid: '2',
    open: true,
    tags: ['van'],
  },
]
const context = {
  now: '2026-03-15 08:30:00',
  settings: {},
  user: { id: 7, name: '周', roles: ['clerk'], department: 3 },
}

/** The value by expression and by database, for each of the records. */
async function both(text: string) {
  const formula = relational(text, types)
  if (!formula) throw new Error(`the database does not know ${text}`)
  const column = (name: string) => sql.ref(`one.${name}`)
  const values = records.map(
    (record) =>
      sql`(${sql.join(
        Object.entries(types).map(([name, type]) => sql`${record[name]}::${sql.raw(columns[type])}`),
        sql`, `,
      )})`,
  )
  const { rows } = await sql<{
    found: unknown
  }>`select json_build_array(${writeSql(formula, context as never, column)}) -> 0 as found
    from (values ${sql.join(values)}) as one(${sql.join(Object.keys(types).map((name) => sql.ref(name)))})`.execute(
    database.kysely,
  )
  const plain = (value: unknown) =>
    typeof value === 'number' || value instanceof Decimal ? new Decimal(value).toFixed() : (value ?? null)
  return {
    byDatabase: rows.map(({ found }) => plain(found)),
    byExpression: records.map((record) => {
      const value = evaluateFormula(text, { record, ...context } as never, types)
      return plain(typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? new Decimal(value) : value)
    }),
  }
}

describe('a missing value', () => {
  const holds = async (text: string) => {
    const { byDatabase, byExpression } = await both(text)
    expect(byDatabase, text).toEqual(byExpression)
    return byDatabase[0]
  }

  it('equals only another missing value, so it differs from every value', async () => {
    expect(await holds("kind != 'truck'")).toBe(true)
    expect(await holds("kind == 'truck'")).toBe(false)
    expect(await holds("kind != null && kind != 'truck'")).toBe(false)
    expect(await holds('kind == other')).toBe(true)
    expect(await holds("kind == ''")).toBe(true)
    expect(await holds("kind != ''")).toBe(false)
    expect(await holds("coalesce(kind, '') == other")).toBe(true)
    expect(await holds("kind in ['truck', 'car']")).toBe(false)
    expect(await holds("!(kind in ['truck', 'car'])")).toBe(true)
    expect(await holds("'truck' in tags")).toBe(false)
    expect(await holds('tags == null')).toBe(true)
    expect(await holds('open == false')).toBe(false)
    expect(await holds('price != paid')).toBe(false)
  })

  it('is neither less nor greater than anything: such a condition has no answer, even negated', async () => {
    for (const text of [
      'price > 100',
      'price <= 100',
      '!(price > 100)',
      'from < today()',
      'to >= from',
      'price + paid',
    ])
      expect(await holds(text), text).toBeNull()
    expect(await holds("price > 100 || kind != 'truck'")).toBe(true)
    expect(await holds("price > 100 && kind == 'truck'")).toBe(false)
    expect(await holds("price > 100 ? 'dear' : 'cheap'")).toBeNull()
    expect(await holds('open')).toBeNull()
  })
})

describe('a function with SQL', () => {
  const calls: Record<string, string[]> = {
    string: ['from', 'to', 'today()'],
    decimal: ['price', 'paid', '2'],
    ordered: ['price', 'paid', 'kind', 'other'],
    any: ['price', 'paid', 'kind', 'other', 'open', 'tags', 'null'],
  }
  const sqlFunctions = Object.entries(functions).filter(([, { sql: text }]) => text !== undefined)

  it.each(sqlFunctions)('%s has the same value in the database, whatever is missing', async (name, { parameters }) => {
    const combinations = parameters.reduce<string[][]>(
      (all, parameter) => all.flatMap((before) => (calls[parameter] ?? []).map((value) => [...before, value])),
      [[]],
    )
    const texts = combinations
      .map((values) => `${name}(${values.join(', ')})`)
      .filter((text) => relational(text, types))
    expect(texts.length).toBeGreaterThan(3)
    for (const text of texts) {
      const { byDatabase, byExpression } = await both(text)
      expect(byDatabase, text).toEqual(byExpression)
    }
  })

  it('has the type that the check finds', () => {
    const typeOf = (text: string): RelationalType | undefined =>
      (relational(text, types) as { type?: RelationalType }).type
    expect(typeOf('max(from, to)')).toBe('string')
    expect(typeOf('daysBetween(from, today())')).toBe('decimal')
  })
})
