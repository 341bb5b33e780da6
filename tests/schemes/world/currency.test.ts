/** Schemes in a foreign currency: shown and calculated in it, but billed and withheld in yuan at the policy's rate. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RecordData, Value } from '../../../engine/model/model.ts'
import { ProcedureWork } from '../../../engine/server/procedure.ts'
import { inWork } from '../../../engine/server/records/Work.ts'
import { readWelfare } from '../../../src/procedures/salary/readWelfare.ts'
import { readOutstanding } from '../../../src/procedures/welfare/expenses/outstanding.ts'
import { schemeHouse, type SchemeHouse } from '../schemeHouse.ts'
import { catalogWith } from './worldFiles.ts'
import { isLong } from '../../long.ts'

const [mpf, union] = ['hongkongmpf', 'unionfee']
let at: SchemeHouse
let policy: number
let person: number
const rowsOf = (family: string, limits: object): Value =>
  (at.house.runtime.derived.catalog.entities.policy.fields[`${family}Items`].default as RecordData[]).map((row) => ({
    ...row,
    ...limits,
  })) as Value

beforeAll(async () => {
  at = await schemeHouse(() => catalogWith('currency', { [mpf]: () => ({}), [union]: () => ({}) }))
  policy = await at.policy('world', {
    cutoffDay: 20,
    payDay: 25,
    supplementAllowed: false,
    [`${mpf}ExchangeRate`]: '91.53',
    [`${mpf}Items`]: rowsOf(mpf, { baseFloor: '7100.00', baseCeiling: '30000.00', baseRound: 'halfUp2' }),
    [`${union}Items`]: rowsOf(union, { baseFloor: '1.00', baseCeiling: '90000.00' }),
  })
  const joined = await at.joins({
    entryDate: '2026-01-01',
    [`${mpf}Needed`]: true,
    [`${mpf}DeclaredBase`]: '12345.00',
    [`${union}Needed`]: false,
  })
  person = joined.id
  const [ticket] = await at.ticketsOf(`${mpf}Addition`, person)
  expect(await at.call(`${mpf}Addition`, 'succeed', ticket.id!, { handleMonth: '2026-03' })).toMatchObject({ code: 1 })
  expect(await at.generate(mpf, '2026-03')).toMatchObject({ code: 1 })
})
afterAll(() => at?.house.close())

test.skipIf(!isLong)('every amount of the family is in its currency, and no amount of another family', () => {
  const { entities } = at.house.runtime.derived.catalog
  const currencies = (family: string) =>
    new Set(
      Object.values(entities)
        .filter(({ name }) => name.startsWith(family))
        .flatMap(({ fields }) => Object.values(fields))
        .filter(({ type }) => type === 'money')
        .map(({ options }) => options.currency ?? 'CNY'),
    )
  expect([...currencies(mpf)]).toEqual(['HKD'])
  expect([...currencies(union)]).toEqual(['CNY'])
  const { person: people, policy: policies } = entities
  expect(people.fields[`${mpf}DeclaredBase`]).toMatchObject({ options: { currency: 'HKD' } })
  // A salary in yuan is not a base in another currency.
  expect(people.fields[`${mpf}DeclaredBase`].defaultFrom).toBeUndefined()
  expect(people.fields[`${union}DeclaredBase`].defaultFrom).toBe('baseSalary')
  expect(people.fields[`${mpf}CompanyPreview`].options).toMatchObject({ currency: 'HKD' })
  expect(policies.fields[`${mpf}Items`].options.byType).toEqual({ money: { currency: 'HKD' } })
  expect(policies.fields[`${union}ExchangeRate`]).toBeUndefined()
})

test.skipIf(!isLong)('a line is in the currency; its costs and payroll deductions are in yuan', async () => {
  expect(await at.lines(mpf, person)).toMatchObject([{ mpfCompany: '617.25', mpfPersonal: '617.25', total: '1234.50' }])
  const { rows } = await at.house.database.pool.query(
    'select party, base, amount from "costLine" where person = $1 order by party',
    [person],
  )
  expect(rows).toEqual(['company', 'personal'].map((party) => ({ party, base: '11299.38', amount: '564.97' })))
  const welfare = await inWork(at.house.context(), { cause: 'system' }, ({ context, db }) =>
    readWelfare(new ProcedureWork(context, db), [person], '2026-03'),
  )
  expect(welfare.get(person)!.items).toMatchObject([{ personal: '564.97', company: '564.97', statutory: '564.97' }])
})

test.skipIf(!isLong)('undeducted contributions are in yuan, as in payroll', async () => {
  const months = { from: '2026-01', to: '2026-03', lines: [] }
  const outstanding = await inWork(at.house.context(), { cause: 'system' }, ({ context, db }) =>
    readOutstanding(new ProcedureWork(context, db), [person], months),
  )
  expect([...outstanding].map(([key, { personal }]) => [key, personal.toFixed(2)])).toEqual([
    [`${person} 2026-03`, '564.97'],
  ])
})

test.skipIf(!isLong)('a policy without the exchange rate is refused', async () => {
  const answer = await at.change('/welfare/policy', await revised(), { [`${mpf}ExchangeRate`]: null })
  expect(answer.errors).toMatchObject([{ field: `${mpf}ExchangeRate` }])
})

test.skipIf(!isLong)('the effect of a policy is shown by currency, never as one sum', async () => {
  const draft = await revised()
  const rows = (await policyOf(draft))[`${mpf}Items`] as RecordData[]
  expect(
    await at.change('/welfare/policy', draft, {
      effectiveFrom: '2026-04',
      [`${mpf}Items`]: rows.map(({ id }) => ({ id, companyRate: '6' })) as Value,
    }),
  ).toMatchObject({ code: 1 })
  const foreseen = await at.house.admin.post('/welfare/policy/enable/foresee', { id: draft })
  const facts = (foreseen.result.facts as { label: { cn: string }; value: { cn: string } }[]).map(
    ({ label, value }) => [label.cn, value.cn],
  )
  expect(facts).toContainEqual(['单位每月', 'HK$617.25 → HK$740.70（+HK$123.45）'])
})

const policyOf = async (id: number): Promise<RecordData> =>
  (await at.house.admin.get('/welfare/policy/detail', { id })).result
let draft = 0
async function revised(): Promise<number> {
  if (draft) return draft
  expect(await at.house.admin.post('/welfare/policy/revise', { id: policy })).toMatchObject({ code: 1 })
  const filters = { status: { equals: 'draft' } }
  return (draft = (await at.house.admin.get('/welfare/policy/list', { filters })).result.list[0].id)
}
