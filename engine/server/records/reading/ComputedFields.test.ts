import { sql, type RootOperationNode } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { customerValues } from '../../../../tests/customer.ts'
import { createTestServer, type TestServer } from '../../../../tests/server.ts'
import type { Catalog, Field } from '../../../model/model.ts'
import { systemUser } from '../../identity/access.ts'
import { createContext } from '../../identity/session.ts'
import type { Context, Db } from '../../runtime.ts'
import { ComputedFields } from './ComputedFields.ts'
import { declaredConditions } from './filters.ts'
import { readFiguresUpTo } from './figures.ts'
import { readStored } from './read.ts'

/** Written out, the last of them would count the customers 2^16 times. */
const doublings = 16

/** Each of the fields is twice the one before it; the first counts customers. */
function withDoublings(catalog: Catalog): Catalog {
  const { customerClassification, customer } = catalog.entities
  const add = (to: Record<string, Field>, name: string, computed: Field['computed']) => {
    to[name] = { ...customerClassification.fields.customerCount, name, computed }
  }
  const { fields } = customerClassification
  for (let step = 1; step <= doublings; step++) {
    const before = step === 1 ? 'customerCount' : `doubled${step - 1}`
    add(fields, `doubled${step}`, { kind: 'formula', formula: `${before} + ${before}` })
  }
  add(customer.fields, 'doubledThere', { kind: 'lookup', by: 'classification', field: `doubled${doublings}` })
  add(customer.fields, 'isLargest', { kind: 'formula', formula: 'doubledThere > 100000.0 ? 1.0 : 0.0' })
  return catalog
}

let house: TestServer
let [small, large] = [0, 0]
const last = `doubled${doublings}`
beforeAll(async () => {
  house = await createTestServer({ change: withDoublings, indexed: true })
  const classification = (name: string) => house.create('/customer/customerClassification', { name })
  small = await classification('小类')
  large = await classification('大类')
  for (const each of [small, large, large])
    await house.create('/customer', await customerValues(house, { classification: each }))
})
afterAll(() => house?.close())

const list = async (endpoint: string, query: Record<string, unknown>) =>
  (await house.admin.get(`${endpoint}/list`, query)).result

it('are formulas over formulas: read, filtered, sorted and added up', async () => {
  const read = await list('/customer/customerClassification', { fields: JSON.stringify([last]), sort: `-${last}` })
  expect(read.list.map((row: Record<string, unknown>) => row[last])).toEqual([2 ** 17, 2 ** 16])
  const found = await list('/customer/customerClassification', { filters: { [last]: { equals: 2 ** 17 } } })
  expect(found.list.map(({ id }: { id: number }) => id)).toEqual([large])
})

it('may be looked up, and the look-up read by a formula and counted in tabs', async () => {
  const { list: rows, counts } = await list('/customer', {
    fields: JSON.stringify(['doubledThere', 'isLargest']),
    sort: 'id',
    counts: JSON.stringify([{}, { isLargest: { equals: 1 } }, { doubledThere: { equals: 2 ** 16 } }]),
  })
  expect(rows.map(({ doubledThere, isLargest }: Record<string, number>) => [doubledThere, isLargest])).toEqual([
    [2 ** 16, 0],
    [2 ** 17, 1],
    [2 ** 17, 1],
  ])
  expect(counts).toEqual([3, 2, 1])
})

it('that read the same records read them once', () => {
  const context = createContext(house.runtime, systemUser, 'cn')
  const { statement } = context.derived.catalog.entities
  const fields = new ComputedFields(context, statement, { alias: 't', scoped: false, conditions: declaredConditions })
  const aggregates = Object.values(statement.fields).filter(({ computed }) => computed?.kind === 'aggregate')
  const earlier = aggregates.filter(({ computed }) => (computed as { entity: string }).entity === 'statementTerm')
  expect(earlier.length).toBeGreaterThan(8)
  for (const { name } of Object.values(statement.fields)) fields.read(name)
  const { sql: text } = sql`${fields.joins}`.compile(house.database.kysely)
  // Those of the terms in force then, and those that were recorded.
  expect(text.split('from "statementTerm"').length - 1).toBe(2)
  expect(text.split('from "customer"').length - 1).toBe(1)
})

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  'Actual Loops': number
  Plans?: Plan[]
}

const within = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(within)]

const tablesOf = (plans: Plan[]) => new Set(plans.flatMap((plan) => plan['Relation Name'] ?? []))

/** How the database carried out the first query of the work. */
async function planOf(work: (context: Context, db: Db) => Promise<unknown>): Promise<Plan> {
  const { kysely } = house.database
  const nodes: RootOperationNode[] = []
  const listening = kysely.withPlugin({
    transformQuery: ({ node }) => (nodes.push(node), node),
    transformResult: async ({ result }) => result,
  })
  await work(createContext(house.runtime, systemUser, 'cn'), listening)
  const query = kysely.getExecutor().compileQuery(nodes[0], { queryId: '1' })
  const explain = `explain (analyze, format json) ${query.sql}`
  const { rows } = await kysely.executeQuery<{ 'QUERY PLAN': [{ Plan: Plan }] }>({ ...query, sql: explain })
  return rows[0]['QUERY PLAN'][0].Plan
}

it.each([true, false])('are computed for the records that were found alone (locked: %s)', async (lock) => {
  // As an import finds records by their keys: joined to the table last, if the database may choose.
  const keys = sql<boolean>`"uscc" in (select * from unnest(${['1', '2']}::text[]))`
  const plan = await planOf((context, db) =>
    readStored(context, db, context.derived.catalog.entities.customer, [keys], { lock }),
  )
  const foundBy = within(plan).findLast(
    (each) =>
      tablesOf(within(each)).has('customer') && within(each).some((two) => two['Node Type'] === 'Function Scan'),
  )!
  expect(tablesOf(within(foundBy))).toEqual(new Set(['customer']))
})

it('are added up unless more records match than are to be counted', async () => {
  const sums = JSON.stringify([last])
  const figures = async (countTo: number) => {
    const { list: _, ...rest } = await list('/customer/customerClassification', { sums, countTo, size: 1 })
    return rest
  }
  expect(await figures(2)).toEqual({ next: true, total: 2, sums: { [last]: `${2 ** 16 + 2 ** 17}` }, counts: [] })
  expect(await figures(1)).toEqual({ next: true, total: 1, more: true })

  const readTables = async (most: number) => {
    const plan = await planOf((context, db) =>
      readFiguresUpTo(context, db, context.derived.catalog.entities.customerClassification, most, {
        matching: [],
        tab: [],
        query: { page: 1, size: 1, sums: [last] },
        measures: undefined,
      }),
    )
    return tablesOf(within(plan).filter((each) => each['Actual Loops'] > 0))
  }
  expect(await readTables(2)).toContain('customer')
  expect(await readTables(1)).toEqual(new Set(['customerClassification']))
})
