import type { RecordData, Value } from '../engine/model/model.ts'
import type { TestServer } from './server.ts'

interface Limits {
  baseFloor: string
  baseCeiling: string
}

/** A family's default policy rows with these limits and overrides by item. */
export function policyRows(
  house: TestServer,
  family: string,
  limits: Limits,
  items: Record<string, RecordData> = {},
): RecordData[] {
  const defaults = house.runtime.derived.catalog.entities.policy.fields[`${family}Items`].default as RecordData[]
  return defaults.map((row) => ({ ...row, ...(row.amountMode === 'fixed' ? {} : limits), ...items[String(row.item)] }))
}

/** A policy in force with one pooled account for each of its families. @returns its id */
export async function policyInForce(
  house: TestServer,
  {
    kind,
    city,
    agency,
    limits,
    items = {},
    ...rest
  }: {
    kind: string
    city: string
    agency: number
    limits: Limits
    items?: Record<string, RecordData>
    effectiveFrom?: string
    householdTypes?: string[]
    name?: string
    handleRule?: string
    requiredDocs?: string
  },
): Promise<number> {
  const { handling } = house.runtime.derived.catalog.families
  const rows = handling
    .filter(({ policyKind }) => policyKind === kind)
    .flatMap(({ key, short }): [string, Value][] => [
      [`${String(key)}Items`, policyRows(house, String(key), limits, items) as Value],
      [
        `${String(key)}Accounts`,
        [
          {
            name: `大户${String(short)}${city}`,
            accountNo: `9900${city}${String(short)}`,
            ownerType: 'provider',
            agency,
            status: 'enabled',
          },
        ] as Value,
      ],
    ])
  const values = {
    kind,
    name: '测试政策',
    city,
    effectiveFrom: '2025-01',
    avgMonthlyWage: '11761',
    cutoffDay: 20,
    payDay: 25,
    baseAdjustMonth: 7,
    supplementAllowed: true,
    supplementMaxMonths: 6,
    ...rest,
    ...Object.fromEntries(rows),
  }
  const id = await house.create('/welfare/policy', values)
  const answer = await house.admin.post('/welfare/policy/enable', { id })
  if (answer.code !== 1) throw new Error(JSON.stringify(answer))
  return id
}
