/** A change has the same outcome whether a form, cell, transition, action or imported row makes it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isLong } from './long.ts'
import type { Effects } from '../engine/model/model.ts'
import type { ListPlan } from '../engine/screens/list/list.ts'
import { outcomesOf } from '../engine/model/imports.ts'
import { type Case, done, importRefused, importRows } from './oneWay/Case.ts'
import { customerCases } from './oneWay/customers.ts'
import { joiners } from './oneWay/joiners.ts'
import { moment, without } from './oneWay/outcome.ts'
import { type Refused, refusedCases } from './oneWay/refused.ts'
import { salaryCases } from './oneWay/salary.ts'
import { welfareCases } from './oneWay/welfare.ts'
import { withOwnCatalog, type TestServer } from './server.ts'
import { statementsOf } from './statementsOf.ts'
import { handlingHouse, type HandlingHouse } from './welfare/handled.ts'

let all: HandlingHouse
let house: TestServer
beforeAll(async () => {
  all = await handlingHouse(withOwnCatalog)
  house = all.house
  // Receivers of the messages about what is submitted, received and refused.
  await house.user('managing', ['customerManager', 'financeManager'])
  await house.user('supporting', ['support', 'welfareClerk'])
})
afterAll(() => house?.close())

const met = new Set<string>()
/** The imports in `met` that were compared with a cell. */
const metInCells = new Set<string>()
/** Imports whose rows have no form. */
const apart = ['accumulationfundBigTableSupplementImport']

async function compare({ batches, row, given, ways, differs = {} }: Case): Promise<void> {
  const plan = house.runtime.derived.imports.get(batches)!
  met.add(batches)
  if ('cell' in ways) metInCells.add(batches)
  // Effects of a whole file have no counterpart elsewhere.
  delete plan.finish
  const { outcomeOf } = await moment(house)
  const tried = Object.entries({
    ...Object.fromEntries(Object.entries(ways).map(([name, act]) => [name, async () => void (await done(act()))])),
    import: () => importRows(house, batches, [row], given),
  })
  const [[first, act], ...others] = tried
  const expected = await outcomeOf(plan, act)
  expect(Object.keys(expected.records).length, `${first} writes something`).toBeGreaterThan(0)
  const common = (outcome: typeof expected) => without(outcome, plan.into, Object.keys(differs))
  for (const [name, way] of others) {
    expect({ way: name, ...common(await outcomeOf(plan, way)) }).toEqual({ way: name, ...common(expected) })
  }
}

/** The short form compares each kind of record and of way once. */
const covering = [
  'a new customer',
  'somebody who joins',
  'wages of a calculated payroll',
  'what the bank says of a payment',
  'Addition: one that was returned',
  'BaseChange: a base that is typed into the list',
  'Addition: succeed',
]
const chosen = <T>(cases: Record<string, T>) =>
  Object.entries(cases).filter(([name]) => isLong || covering.includes(name))

describe('customers, contracts and people', () => {
  test.each(chosen(customerCases))('%s', async (_, make) => compare(await make(house)))
})
describe('salary', () => {
  test.each(chosen(salaryCases))('%s', async (_, make) => compare(await make(house)))
})
describe('welfare', () => {
  test.each(chosen(welfareCases))('%s', async (_, make) => compare(await make(all)))
})

async function compareRefused({ batches, row, given, form, codes }: Refused): Promise<void> {
  const answer = await form()
  expect(Object.fromEntries((answer.errors ?? []).map(({ field, code }) => [field, code]))).toEqual(codes)
  // Errors of fields without a column are reported for the whole row.
  const isColumn = (name: string) =>
    house.runtime.derived.imports.get(batches)!.columns.some(({ field }) => field === name)
  const ofRow = Object.entries(codes).map(([field, code]) => [isColumn(field) ? field : 'row', code])
  expect(await importRefused(house, batches, row, given)).toEqual(Object.fromEntries(ofRow))
}
describe('refusals, and the fields they are reported at', () => {
  test.each(Object.entries(refusedCases))('%s', async (_, make) => compareRefused(await make(house)))
})

test.runIf(isLong)('twenty joiners with contracts, cards and tickets take as many SQL statements as two', async () => {
  const file = await joiners(all)
  const counts = async (size: number) => {
    const written = await file(size)
    const count = await statementsOf(written)
    const { rows } = await house.database.pool.query<{ tickets: number }>(
      `select count(*)::integer as tickets from "socialsecurityAddition" where person in (
        select id from person order by id desc limit $1) and enrolment is not null`,
      [size],
    )
    expect(rows[0].tickets).toBe(size)
    return count
  }
  // The first run fills caches, so it is not counted.
  await counts(1)
  const few = await counts(2)
  expect(await counts(20)).toBe(few)
})

test.skipIf(!isLong)(
  'every import of an entity with effects is compared above, a family import once for all families',
  () => {
    const { catalog, imports } = house.runtime.derived
    const hasEffects = ({ append, updates, notify, run, set }: Effects) =>
      append.length + updates.length + notify.length + Object.keys(set).length > 0 || run !== undefined
    const file = (batches: string) => catalog.entities[batches].file
    const known = new Set([...met].map(file))
    const missing = [...imports.values()].filter((plan) => {
      const { saves, states } = catalog.entities[plan.into]
      const outcomes = outcomesOf(plan).map((name) => states.map(({ transitions }) => transitions[name]).find(Boolean)!)
      return [...saves, ...outcomes].some(hasEffects) && !known.has(file(plan.batches))
    })
    expect(missing.map(({ batches }) => batches)).toEqual(apart)
  },
)

test.skipIf(!isLong)('every import into records with editable list cells is compared with a cell', () => {
  const { catalog, imports } = house.runtime.derived
  const inCells = new Set(
    Object.values(catalog.screens).flatMap(({ kind, entity, body }) => {
      if (kind !== 'list' || entity === undefined) return []
      const { columns } = body as ListPlan
      return columns.some(({ edit }) => edit) ? entity : []
    }),
  )
  const file = (batches: string) => catalog.entities[batches].file
  const known = new Set([...metInCells].map(file))
  const editedInCells = [...imports.values()].filter(({ into }) => inCells.has(into))
  expect(editedInCells.map(({ batches }) => batches)).toContain('socialsecurityBaseChangeImport')
  expect(editedInCells.filter(({ batches }) => !known.has(file(batches)))).toEqual([])
})
