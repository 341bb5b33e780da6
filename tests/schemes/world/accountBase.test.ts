/** Bases that nobody declares: the number of the customer's account, and the policy's own. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compileWithWarnings } from '../../../engine/schema/compile.ts'
import { readSchemas } from '../../../engine/server/catalog/sources.ts'
import type { RecordData, Value } from '../../../engine/model/model.ts'
import { lists } from '../../../src/lists.ts'
import { schemeHouse, type SchemeHouse } from '../schemeHouse.ts'

const union = 'unionfee'
/** Funds are paid on what the account says, dues on what the policy says. */
const files = ['world', union].map((name) => {
  const file = JSON.parse(readFileSync(`${import.meta.dirname}/${name}.family.json`, 'utf8')) as {
    parameters: { items: object[] }
  }
  if (name === union)
    for (const [index, base] of ['accountBase', 'baseFloor'].entries())
      Object.assign(file.parameters.items[index], { floor: base, cap: base })
  return { path: `schemas/welfare/${name}.family.json`, text: JSON.stringify(file, null, 2) }
})

let at: SchemeHouse
beforeAll(async () => {
  const { catalog, issues, warnings } = compileWithWarnings([...readSchemas('schemas'), ...files], lists)
  const told = [...issues, ...warnings].map(({ file, message }) => `${file} ${message}`)
  expect(told.filter((one) => !one.includes('has the same label'))).toEqual([])
  at = await schemeHouse(() => structuredClone(catalog!))
  await at.house.database.pool.query(`update customer set "insuranceAccountMode" = 'customer' where id = $1`, [
    at.customer,
  ])
  const rows = catalog!.entities.policy.fields[`${union}Items`].default as RecordData[]
  const account = { ownerType: 'customer', customer: at.customer, status: 'enabled' }
  await at.policy('world', {
    cutoffDay: 20,
    payDay: 25,
    supplementAllowed: false,
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

test('whatever is declared, the base is that of the account, and that of the policy', async () => {
  const { id } = await at.joins({
    entryDate: '2026-03-01',
    [`${union}Needed`]: true,
    [`${union}DeclaredBase`]: '3456.78',
    [`${union}UnionDuesOn`]: true,
  })
  const [enrolment] = await at.ticketsOf(`${union}Enrolment`, id)
  expect(shown(enrolment)).toEqual(['5000.00', '100.00', '3000.00', '15.00'])
  await at.generate(union, '2026-03')
  expect((await at.lines(union, id)).map(shown)).toEqual([['5000.00', '100.00', '3000.00', '15.00']])
})

test('accounts of families that do not ask have none', () => {
  const { fields } = at.house.runtime.derived.catalog.entities.policyAccount
  expect(fields.base).toMatchObject({ type: 'money', visibleWhen: expect.stringContaining(`family in ['${union}']`) })
})
