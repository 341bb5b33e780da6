/** Back-payments of a family with account bases: each month uses the base that the account had in it. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RecordData, Value } from '../../../engine/model/model.ts'
import { schemeHouse, type SchemeHouse } from '../schemeHouse.ts'
import { measuredBackPaid } from './measured.ts'
import { isLong } from '../../long.ts'

const union = 'unionfee'

let at: SchemeHouse
let policy: number
beforeAll(async () => {
  at = await schemeHouse(measuredBackPaid)
  policy = await inForce('5000.00')
})
afterAll(() => at?.house.close())

/** A policy with one account, which has this base. */
async function inForce(base: string): Promise<number> {
  const rows = at.house.runtime.derived.catalog.entities.policy.fields[`${union}Items`].default as RecordData[]
  const account = { name: '大户', accountNo: '1', ownerType: 'provider', agency: at.agency, status: 'enabled' }
  return at.policy('world', {
    cutoffDay: 20,
    payDay: 25,
    supplementAllowed: true,
    supplementMaxMonths: 12,
    [`${union}Items`]: rows.map((row) => ({ ...row, enabled: true, baseFloor: '3000', baseCeiling: '9000' })) as Value,
    [`${union}Accounts`]: [{ ...account, base }] as Value,
  })
}
/** Gives the account another base from a month on. */
async function revised(id: number, effectiveFrom: string, base: string): Promise<void> {
  const path = '/welfare/policy'
  expect(await at.house.admin.post(`${path}/revise`, { id })).toMatchObject({ code: 1 })
  const draft = (await at.house.admin.get(`${path}/list`, { sort: '-id' })).result.list[0].id
  const { revision, ...now } = (await at.house.admin.get(`${path}/detail`, { id: draft })).result
  const accounts = (now[`${union}Accounts`] as RecordData[]).map((row) => ({ ...row, base }))
  const values = { effectiveFrom, [`${union}Accounts`]: accounts }
  expect(await at.house.admin.post(`${path}/update`, { id: draft, revision, values })).toMatchObject({ code: 1 })
  expect(await at.house.admin.post(`${path}/enable`, { id: draft })).toMatchObject({ code: 1 })
}

const joins = () =>
  at.joins({
    entryDate: '2025-11-03',
    [`${union}Needed`]: true,
    mealallowanceNeeded: false,
    [`${union}StartMonth`]: '2026-03',
    [`${union}DeclaredBase`]: '3456.78',
    [`${union}UnionDuesOn`]: true,
  })
const payBack = (person: number, values: Record<string, Value>): Promise<number> =>
  at.house.create(`/welfare/${union}Supplement`, {
    person,
    supplementType: 'missed',
    fromMonth: '2026-01',
    toMonth: '2026-02',
    base: '3456.78',
    reason: '漏缴',
    items: ['unionFund', 'unionDues'],
    ...values,
  })
const paid = async (person: number, ticket: number): Promise<unknown[]> => {
  expect(await at.call(`${union}Supplement`, 'succeed', ticket, { handleMonth: '2026-03' })).toMatchObject({ code: 1 })
  const { ticketNo } = await at.detail(`${union}Supplement`, ticket)
  return (await at.lines(union, person))
    .filter(({ sourceNo }) => sourceNo === ticketNo)
    .map((line) => [
      line.belongMonth,
      line.unionFundBase,
      line.unionFundCompany,
      line.unionDuesBase,
      line.unionDuesPersonal,
    ])
}

test.skipIf(!isLong)("a back-payment uses the account's base of each month, not the given one", async () => {
  const [early, late] = [await joins(), await joins()]
  const ticket = await payBack(early.id, {})
  expect(await at.detail(`${union}Supplement`, ticket)).toMatchObject({
    companyTotal: '200.00',
    personalTotal: '30.00',
  })
  const before = [
    ['2026-01', '5000.00', '100.00', '3000.00', '15.00'],
    ['2026-02', '5000.00', '100.00', '3000.00', '15.00'],
  ]
  expect(await paid(early.id, ticket)).toEqual(before)
  await revised(policy, '2026-02', '6000.00')
  expect(await paid(late.id, await payBack(late.id, {}))).toEqual([
    before[0],
    ['2026-02', '6000.00', '120.00', '3000.00', '15.00'],
  ])
  // The paid month gets its difference at once, because the family has no adjustments.
  const february = (await at.lines(union, early.id)).filter(({ belongMonth }) => belongMonth === '2026-02')
  expect(february.map(({ expenseType, unionFundCompany }) => [expenseType, unionFundCompany])).toEqual([
    ['supplement', '100.00'],
    ['difference', '20.00'],
  ])
  // So no difference remains to be paid back.
  const difference = await payBack(early.id, { supplementType: 'baseDiff' })
  expect(await at.detail(`${union}Supplement`, difference)).toMatchObject({
    companyTotal: '0.00',
    personalTotal: '0.00',
  })
})
