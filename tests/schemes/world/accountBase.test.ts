/** Bases that nobody declares: that of the customer's account, and that of the policy. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RecordData, Value } from '../../../engine/model/model.ts'
import { schemeHouse, type SchemeHouse } from '../schemeHouse.ts'
import { measured } from './measured.ts'
import { isLong } from '../../long.ts'

const union = 'unionfee'

let at: SchemeHouse
beforeAll(async () => {
  at = await schemeHouse(measured)
  await at.house.database.pool.query(`update customer set "insuranceAccountMode" = 'customer' where id = $1`, [
    at.customer,
  ])
  const rows = at.house.runtime.derived.catalog.entities.policy.fields[`${union}Items`].default as RecordData[]
  const account = { ownerType: 'customer', customer: at.customer, status: 'enabled' }
  await at.policy('world', {
    cutoffDay: 20,
    payDay: 25,
    supplementAllowed: true,
    supplementMaxMonths: 6,
    [`${union}Items`]: rows.map((row) => ({ ...row, enabled: true, baseFloor: '3000', baseCeiling: '9000' })) as Value,
    [`${union}Accounts`]: [{ name: '自有户', accountNo: '1', base: '5000.00', ...account }] as Value,
  })
})
afterAll(() => at?.house.close())

const shown = ({ unionFundBase, unionFundCompany, unionDuesBase, unionDuesPersonal }: RecordData) => [
  unionFundBase,
  unionFundCompany,
  unionDuesBase,
  unionDuesPersonal,
]

test.skipIf(!isLong)('the account and the policy determine the base, whatever is declared', async () => {
  const { id } = await at.joins({
    entryDate: '2026-03-01',
    [`${union}Needed`]: true,
    mealallowanceNeeded: false,
    [`${union}DeclaredBase`]: '3456.78',
    [`${union}UnionDuesOn`]: true,
  })
  const [enrolment] = await at.ticketsOf(`${union}Enrolment`, id)
  expect(shown(enrolment)).toEqual(['5000.00', '100.00', '3000.00', '15.00'])
  await at.generate(union, '2026-03')
  expect((await at.lines(union, id)).map(shown)).toEqual([['5000.00', '100.00', '3000.00', '15.00']])
})

test.skipIf(!isLong)('months missed before an addition are paid at once, on the same bases', async () => {
  const { id } = await at.joins({
    entryDate: '2026-01-05',
    [`${union}Needed`]: true,
    mealallowanceNeeded: false,
    [`${union}StartMonth`]: '2026-01',
    [`${union}DeclaredBase`]: '3456.78',
    [`${union}UnionDuesOn`]: true,
  })
  await at.generate(union, '2026-03')
  const lines = await at.lines(union, id)
  const missed = lines.filter(({ expenseType }) => expenseType === 'supplement')
  expect(missed.map((line) => [line.belongMonth, ...shown(line)])).toEqual([
    ['2026-01', '5000.00', '100.00', '3000.00', '15.00'],
    ['2026-02', '5000.00', '100.00', '3000.00', '15.00'],
  ])
})

test.skipIf(!isLong)('accounts of other families have no base', () => {
  const { fields } = at.house.runtime.derived.catalog.entities.policyAccount
  expect(fields.base).toMatchObject({ type: 'money', visibleWhen: expect.stringContaining(`family in ['${union}']`) })
})
