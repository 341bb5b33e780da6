import { addMonths } from '../../../engine/expression/index.ts'
import { insertMany } from '../../../engine/server/records/insertMany.ts'
import { type OpenValues, ProcedureWork, rowsIn, valueIn } from '../../../engine/server/procedure.ts'
import type { Context, Db } from '../../../engine/server/runtime.ts'
import type { RecordData, Value } from '../../../engine/model/model.ts'
import { changeRecord, entityOf } from '../changeRecord.ts'
import { revisePolicy } from '../../procedures/welfare/revisePolicy.ts'
import { cityPolicies, type CityPolicy } from './cityPolicies.ts'

/** The number of months with expenses; last year's version covers them. */
const pastMonths = 15
/** Last year's limits and averages in proportion to this year's. */
const lastYear = 0.96

interface Owner {
  ownerType: string
  agency?: number
  customer?: number
  name: string
  own: boolean
}
interface Version {
  effectiveFrom: string
  effectiveTo: string | null
  status: string
  version: number
  factor: number
}

/**
 * For every kind and city the policy in force and last year's, with the pooled accounts of our own agencies and those
 * of customers.
 */
export async function writePolicies(context: Context, db: Db): Promise<void> {
  const { entities, families } = context.derived.catalog
  const month = context.now.slice(0, 7)
  const work = new ProcedureWork(context, db)
  const agencies = await readOwners(work)
  const clerk = await clerkOf(work)
  const numbers = new AccountNumbers()
  for (const kind of families.policy.map(({ key }) => String(key))) {
    const own = families.handling.filter(({ policyKind }) => policyKind === kind)
    const cities = cityPolicies.filter(({ kinds }) => kind in kinds)
    const recordOf = (policy: CityPolicy, version: Version) => policyRecord(context, kind, policy, version, clerk)
    const accounts: RecordData[] = []
    for (const { city, name } of cities)
      accounts.push(accountsOf(own, name, [...agencies, ...(await readCustomers(work, city))], numbers))
    const versions = (policy: CityPolicy): [Version, Version] => {
      const from = lastBegun(month, policy.kinds[kind].adjustMonth)
      const before = [addMonths(from, -12)!, addMonths(month, -pastMonths)!].sort()[0]
      return [
        { effectiveFrom: before, effectiveTo: addMonths(from, -1)!, status: 'history', version: 1, factor: lastYear },
        { effectiveFrom: from, effectiveTo: null, status: 'enabled', version: 2, factor: 1 },
      ]
    }
    const past = cities.map((policy, index) => ({ ...recordOf(policy, versions(policy)[0]), ...accounts[index] }))
    const ids = await insertMany(context, db, entities.policy, past, { action: 'create' })
    const numbered = await work.byId('policy', ids, { fields: ['policyNo'] })
    const current = await insertMany(
      context,
      db,
      entities.policy,
      cities.map((policy, index) => ({
        ...recordOf(policy, versions(policy)[1]),
        ...accounts[index],
        policyNo: numbered.get(ids[index])!.policyNo,
        previousPolicy: ids[index],
      })),
      { action: 'create' },
    )
    // One city has special terms for foreigners; another will have, but nobody is enrolled under them yet.
    const ofAbroad = (index: number, from?: string): RecordData => {
      const record = recordOf(cities.at(index)!, versions(cities.at(index)!)[1])
      return {
        ...record,
        ...accounts.at(index)!,
        version: 1,
        householdTypes: ['hmt', 'foreign'] as Value,
        name: `${String(record.name)}（港澳台及外籍）`,
        ...(from !== undefined && { effectiveFrom: from }),
      }
    }
    await insertMany(context, db, entities.policy, [ofAbroad(0), ofAbroad(-1, addMonths(month, 2)!)], {
      action: 'create',
    })
    for (const id of current.slice(-3)) await revise(context, db, id)
  }
}

/** Next year's figures of a city are being entered. */
async function revise(context: Context, db: Db, id: number): Promise<void> {
  await revisePolicy({ context, db, entity: 'policy', records: [{ id }], values: {} })
  const draft = (await new ProcedureWork(context, db).first('policy', { where: { previousPolicy: id } }))!
  const effectiveFrom = addMonths(String(draft.effectiveFrom), 12)!
  const name = String(draft.name).replace(/\d{4}/, effectiveFrom.slice(0, 4))
  await changeRecord(context, db, entityOf(context, 'policy'), draft, { effectiveFrom, name })
}

/** The latest month with this number up to now. */
function lastBegun(month: string, adjustMonth: number): string {
  const thisYear = `${month.slice(0, 4)}-${String(adjustMonth).padStart(2, '0')}`
  return thisYear <= month ? thisYear : addMonths(thisYear, -12)!
}

function policyRecord(
  context: Context,
  kind: string,
  policy: CityPolicy,
  { effectiveFrom, effectiveTo, status, version, factor }: Version,
  clerk: number,
): RecordData {
  const { families } = context.derived.catalog
  const { cn, hiddenFields } = families.policy.find(({ key }) => key === kind) as { cn: string; hiddenFields: string[] }
  const { adjustMonth } = policy.kinds[kind]
  const rows = families.handling
    .filter(({ policyKind }) => policyKind === kind)
    .map(({ key }) => [`${String(key)}Items`, itemRows(context, String(key), kind, policy, factor)])
  return {
    kind,
    name: `${policy.name}${effectiveFrom.slice(0, 4)}年${cn}`,
    city: policy.city,
    householdTypes: [],
    effectiveFrom,
    effectiveTo,
    status,
    version,
    avgMonthlyWage: yuan(policy.avgMonthlyWage, factor),
    cutoffDay: policy.cutoffDay,
    payDay: policy.payDay,
    baseAdjustMonth: adjustMonth,
    supplementAllowed: true,
    supplementMaxMonths: kind === 'fund' ? 12 : 24,
    lateFeeDailyRate: hiddenFields.includes('lateFeeDailyRate') ? null : '0.05',
    handleRule: `<p>每月${policy.cutoffDay}日前报送当月增减员，${policy.payDay}日前缴费。</p>`,
    requiredDocs: '身份证复印件、劳动合同复印件',
    createdBy: clerk,
    updatedBy: clerk,
    createdAt: `${effectiveFrom}-01 09:30:00`,
    updatedAt: `${effectiveFrom}-01 09:30:00`,
    ...Object.fromEntries(rows),
  }
}

const yuan = (amount: number, factor: number): string => Math.round(amount * factor).toFixed(2)

/** The family's own rows, with the city's values. */
function itemRows(context: Context, family: string, kind: string, { kinds }: CityPolicy, factor: number): Value {
  const { limits, round, items } = kinds[kind]
  const defaults = rowsIn('policyItem', context.derived.catalog.entities.policy.fields[`${family}Items`], 'default')
  return defaults.map((row) => {
    const {
      baseFloor = limits[0],
      baseCeiling = limits[1],
      ...given
    } = items[`${family}.${String(row.item)}`] ?? items[String(row.item)] ?? {}
    const whole: RecordData = { ...row, companyRound: round, personalRound: round, ...given }
    const byRate = whole.amountMode !== 'fixed'
    return {
      ...whole,
      baseFloor: byRate ? yuan(Number(baseFloor), factor) : null,
      baseCeiling: byRate ? yuan(Number(baseCeiling), factor) : null,
    }
  }) as Value
}

function accountsOf(
  families: readonly Record<string, Value>[],
  city: string,
  owners: readonly Owner[],
  numbers: AccountNumbers,
): RecordData {
  return Object.fromEntries(
    families.map(({ key, short, account }) => {
      const digits = /\{(\d+),/.exec(String(valueIn(account as OpenValues, 'personalPattern')))?.[1] ?? '8'
      return [
        `${String(key)}Accounts`,
        owners.map(({ name, own, ...owner }): RecordData => ({
          ...owner,
          name: `${name}${city}${String(short)}`.slice(-50),
          accountNo: numbers.next(Number(digits)),
          bureau: `${city}演示${String(short)}经办中心`,
          status: 'enabled',
          // A customer's own account has the rate of its trade.
          rates: own && String(key) === 'socialsecurity' ? ([{ item: 'workInjury', companyRate: '0.9' }] as Value) : [],
        })) as Value,
      ]
    }),
  )
}

class AccountNumbers {
  private last = 0
  next(digits: number): string {
    this.last += 1
    return `99${String(this.last).padStart(digits - 2, '0')}`
  }
}

async function readOwners(work: ProcedureWork): Promise<Owner[]> {
  const agencies = await work.read('agency', { where: { kind: 'own' }, fields: ['name'] })
  return agencies.map(({ id, name }) => ({
    ownerType: 'provider',
    agency: id,
    name: name.replace(/^.*（(.*)）.*$/, '示范$1大户-'),
    own: false,
  }))
}

/** Customers that pay through their own accounts, if any of their people are insured. */
async function readCustomers(work: ProcedureWork, city: string): Promise<Owner[]> {
  const insured = await work.groups('person', { where: { insuranceCity: city }, by: ['customer'] })
  const customers = await work.read('customer', {
    where: {
      id: insured.map(({ by }) => by.customer),
      insuranceAccountMode: ['customer', 'mixed'],
      approvalStatus: 'approved',
    },
    fields: ['name'],
  })
  return customers.map(({ id, name }) => ({ ownerType: 'customer', customer: id, name: `${name}-`, own: true }))
}

async function clerkOf(work: ProcedureWork): Promise<number> {
  const where = { loginName: ['policyClerk', 'welfareClerk'] }
  return (await work.first('user', { where, fields: ['loginName'], order: 'loginName' }))!.id
}
