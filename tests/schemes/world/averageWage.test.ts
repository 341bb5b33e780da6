/** A base from payroll: the average monthly wage of the year before, or the wages of the month itself. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RecordData, Value } from '../../../engine/model/model.ts'
import { aboutOf } from '../../../src/procedures/welfare/about.ts'
import { schemeHouse, type SchemeHouse } from '../schemeHouse.ts'
import { catalogWith } from './worldFiles.ts'
import { isLong } from '../../long.ts'

const union = 'unionfee'
const annuity = 'enterpriseannuity'
const base = 'coalesce(averageWage, declaredBase)'
const ofMonth = 'coalesce(monthWage, declaredBase)'

let at: SchemeHouse
beforeAll(async () => {
  at = await schemeHouse(() =>
    catalogWith('averageWage', {
      [union]: ({ items }) => ({
        items: items.map((item) => ({
          ...item,
          floor: `max(baseFloor, min(baseCeiling, ${base}))`,
          cap: `max(baseFloor, min(baseCeiling, ${base}))`,
        })),
      }),
      [annuity]: ({ items }) => ({ items: items.map((item) => ({ ...item, floor: ofMonth, cap: ofMonth })) }),
    }),
  )
  const begun = (family: string) => {
    const rows = at.house.runtime.derived.catalog.entities.policy.fields[`${family}Items`].default as RecordData[]
    return rows.map((row) => ({ ...row, baseFloor: '3000', baseCeiling: '9000' })) as Value
  }
  await at.policy('world', {
    cutoffDay: 20,
    payDay: 25,
    supplementAllowed: false,
    [`${union}Items`]: begun(union),
    [`${annuity}Items`]: begun(annuity),
  })
})
afterAll(() => at?.house.close())

/** Inserts wages of a month with this status. */
async function paid(person: number, payrollMonth: string, grossPay: string, status = 'paid'): Promise<void> {
  const { pool } = at.house.database
  const { rows } = await pool.query(
    `insert into payroll ("payrollMonth", status, "incomeType") values ($1, $2, 'wage') returning id`,
    [payrollMonth, status],
  )
  await pool.query(
    `insert into "payrollLine" (payroll, person, "lineStatus", "grossPay") values ($1, $2, 'normal', $3)`,
    [rows[0].id, person, grossPay],
  )
}

test.skipIf(!isLong)(
  "the base is the last year's average within the limits, or the declared base without one",
  async () => {
    const joins = (declaredBase: string) =>
      at.joins({ entryDate: '2025-11-01', [`${union}Needed`]: true, [`${union}DeclaredBase`]: declaredBase })
    const [{ id }, { id: newcomer }] = [await joins('3456.78'), await joins('4000.00')]
    await paid(id, '2025-11', '6000.00')
    await paid(id, '2025-12', '7001.01')
    await paid(id, '2026-01', '20000.00')
    await paid(id, '2025-10', '90000.00', 'approved')
    await at.generate(union, '2026-03')
    const bases = async (person: number) =>
      (await at.lines(union, person)).map(({ unionFundBase, unionFundCompany }) => [unionFundBase, unionFundCompany])
    expect(await bases(id)).toEqual([['6500.51', '130.01']])
    expect(await bases(newcomer)).toEqual([['4000.00', '80.00']])
  },
)

test.skipIf(!isLong)('approved wages of the month count, summed over all payrolls', async () => {
  const { id } = await at.joins({
    entryDate: '2025-08-04',
    [`${annuity}Needed`]: true,
    [`${annuity}DeclaredBase`]: '5000',
  })
  const [ticket] = await at.ticketsOf(`${annuity}Addition`, id)
  expect(ticket).toMatchObject({ startMonth: '2026-03' })
  await at.call(`${annuity}Addition`, 'succeed', ticket.id!, { handleMonth: '2026-03' })
  const charged = async () => {
    expect(await at.generate(annuity, '2026-03')).toMatchObject({ code: 1 })
    return (await at.lines(annuity, id)).map((line) => [line.base, line.annuityCompany, line.annuityPersonal])
  }
  expect(await charged()).toEqual([['5000.00', '250.00', '100.00']])
  await paid(id, '2026-02', '9999.00')
  await paid(id, '2026-03', '6000.00', 'submitted')
  expect(await charged()).toEqual([['5000.00', '250.00', '100.00']])
  await paid(id, '2026-03', '6100.00', 'approved')
  await paid(id, '2026-03', '400.00')
  expect(await charged()).toEqual([['6500.00', '325.00', '130.00']])
})

test.skipIf(!isLong)('a year without wages has no average', () => {
  const person = {
    birthDate: null,
    entryDate: null,
    gender: null,
    nationality: null,
    householdType: null,
    workerKind: null,
  }
  const known = { ...person, averageWages: new Map([[2025, '6500.51']]) } as never
  expect([aboutOf(known, '2026-01'), aboutOf(known, '2027-01')].map(({ averageWage }) => averageWage)).toEqual([
    '6500.51',
    null,
  ])
})
