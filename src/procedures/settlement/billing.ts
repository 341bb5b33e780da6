import { sql } from 'kysely'
import { addDays, addMonths } from '../../../engine/expression/index.ts'
import type { Context, Db } from '../../../engine/server/runtime.ts'
import type { Condition } from '../../../engine/server/scope.ts'
import type { RecordData } from '../../../engine/schema/model.ts'
import type { BillItem } from './bill.ts'
import { feeItemsOf, isSupplement, type BilledFamily, type FeeItems } from './feeItems.ts'
import { feesOf, type FeeRule, type Head } from './fees.ts'
import { column, isAnyOf, isLive, readAll } from './stored.ts'

/** The months that a statement bills: of wages, and of all other costs. */
export interface BilledMonths {
  billMonth: string
  wageMonth: string
  insuranceMonth: string
}

/** What is asked of a service contract. */
export const contractFields = [
  'contractNo',
  'customer',
  'customerName',
  'agency',
  'startDate',
  'lastDay',
  'paymentTerms',
  'paymentDay',
  'taxMethod',
  'taxRate',
  'surchargeRate',
  'taxBorne',
  'feeRules',
]

export const firstDay = (month: string) => `${month}-01`
export const lastDay = (month: string) => addDays(addMonths(firstDay(month), 1)!, -1)!

/**
 * Was the contract in force on some day of these months? A statement follows the work by a month, so one that has ended
 * still gets its last.
 */
export function isInForce({ billMonth, wageMonth, insuranceMonth }: BilledMonths): Condition {
  const [first] = [billMonth, wageMonth, insuranceMonth].toSorted()
  return sql<boolean>`(${column('category')} = 'service' and ${column('stage')} in ('signed', 'terminated') and ${column('startDate')} <= ${lastDay(billMonth)}
    and coalesce(${column('lastDay')}, 'infinity') >= ${firstDay(first)})`
}

/**
 * Costs that belong into a statement of these months: those that were delivered for its month, else by the month that
 * caused them; back-payments whenever they arrive.
 */
function isDue({ billMonth, wageMonth, insuranceMonth }: BilledMonths): Condition {
  const [costMonth, isPayroll] = [column('costMonth'), sql`${column('sourceType')} = 'payroll'`]
  return sql<boolean>`(${column('billMonth')} = ${billMonth} or ${column('billMonth')} is null and (
    ${isPayroll} and ${costMonth} = ${wageMonth} or not ${isPayroll} and ${costMonth} = ${insuranceMonth}
    or ${column('feeItem')} in (${sql.join(supplements)}) and ${costMonth} < ${insuranceMonth}))`
}
const supplements = ['backPayment', 'lateFee'].filter(isSupplement)

/** Costs of these contracts that no statement bills, or the one that is being made anew, in the order of persons. */
export async function readCosts(
  context: Context,
  db: Db,
  contracts: readonly RecordData[],
  months: BilledMonths,
  own: number | null,
): Promise<Map<number, RecordData[]>> {
  const ofContract = isAnyOf(
    'contract',
    contracts.map(({ id }) => id!),
  )
  const ofCustomer = sql<boolean>`(${column('contract')} is null and ${isAnyOf(
    'customer',
    contracts.map(({ customer }) => customer as number),
  )})`
  const isFree =
    own === null
      ? sql<boolean>`${column('statement')} is null`
      : sql<boolean>`(${column('statement')} is null or ${column('statement')} = ${own})`
  const rows = await readAll(
    context,
    db,
    'costLine',
    [sql<boolean>`(${ofContract} or ${ofCustomer})`, isFree, isDue(months)],
    [
      'customer',
      'contract',
      'person',
      'costMonth',
      'feeItem',
      'party',
      'policy',
      'base',
      'rate',
      'fixedAmount',
      'amount',
      'sourceType',
      'sourceId',
      'joinedOn',
      'leftOn',
      'workedDays',
    ],
  )
  rows.sort((a, b) => Number(a.person ?? Infinity) - Number(b.person ?? Infinity) || a.id! - b.id!)
  const costs = new Map(contracts.map(({ id }): [number, RecordData[]] => [id!, []]))
  for (const row of rows) {
    const contract = row.contract ?? contracts.find(({ customer }) => customer === row.customer)!.id
    costs.get(contract as number)!.push(row)
  }
  return costs
}

/**
 * What negative statements of these contracts have left to be carried over, and no statement has taken up but perhaps
 * `own`.
 */
export async function readCarried(
  context: Context,
  db: Db,
  contracts: readonly number[],
  billMonth: string,
  own: number | null,
): Promise<Map<number, BillItem[]>> {
  const statements = await readAll(
    context,
    db,
    'statement',
    [
      isAnyOf('contract', contracts),
      sql<boolean>`(${column('carriedAmount')} is not null and ${column('stage')} = 'confirmed' and ${column('billMonth')} < ${billMonth})`,
    ],
    ['statementNo', 'contract', 'billMonth', 'carriedAmount'],
  )
  const taken =
    statements.length === 0
      ? []
      : await readAll(
          context,
          db,
          'statementItem',
          [
            sql<boolean>`(${column('sourceType')} = 'carryOver' and ${column('sourceId')} = any(${statements.map(({ statementNo }) => String(statementNo))}::text[]))`,
          ],
          ['sourceId', 'statement', 'stage'],
        )
  const isTaken = ({ statementNo }: RecordData) =>
    taken.some(({ sourceId, statement, stage }) => sourceId === statementNo && stage !== 'voided' && statement !== own)
  const carried = new Map(contracts.map((id): [number, BillItem[]] => [id, []]))
  for (const statement of statements.filter((one) => !isTaken(one))) {
    carried.get(statement.contract as number)!.push({
      person: null,
      feeItem: 'carryOver',
      party: 'company',
      costMonth: String(statement.billMonth),
      amount: String(statement.carriedAmount),
      sourceType: 'carryOver',
      sourceId: String(statement.statementNo),
    })
  }
  return carried
}

/** Those who stand in statements, by id: as they are called, and when they came and left. */
export async function readPeople(
  context: Context,
  db: Db,
  ids: readonly (number | null)[],
): Promise<Map<number, RecordData>> {
  const people = await readAll(
    context,
    db,
    'person',
    [isAnyOf('id', [...new Set(ids)])],
    ['name', 'idNumber', 'costCenter', 'insuranceCity', 'entryDate', 'leaveDate'],
  )
  return new Map(people.map((person) => [person.id!, person]))
}

/** All fee items that there are, with those of the families. */
export const knownFeeItems = (context: Context): FeeItems =>
  feeItemsOf((context.derived.catalog.families.handling ?? []) as unknown as BilledFamily[])

/** The items of a statement: its costs, and the fees that the contract charges for them. */
export function itemsOf(
  contract: RecordData,
  costs: readonly RecordData[],
  { billMonth }: BilledMonths,
  people: ReadonlyMap<number, RecordData>,
): BillItem[] {
  const items = costs.map(
    ({ person, feeItem, party, costMonth, policy, base, rate, fixedAmount, amount, sourceType, sourceId }) =>
      ({
        person,
        feeItem,
        party,
        costMonth,
        policy,
        base,
        rate,
        fixedAmount,
        amount,
        sourceType,
        sourceId,
      }) as unknown as BillItem,
  )
  const fees = feesOf(rulesOf(contract, billMonth), {
    billMonth,
    contractNo: String(contract.contractNo),
    costs: items,
    heads: headsOf(costs, people),
  })
  return [...items, ...fees]
}

export function rulesOf({ feeRules }: RecordData, month: string): FeeRule[] {
  return ((feeRules ?? []) as RecordData[])
    .filter(
      ({ effectiveFrom, effectiveTo }) => String(effectiveFrom) <= month && month <= String(effectiveTo ?? '9999-12'),
    )
    .map((rule) => ({ ...rule, tiers: rule.tiers ?? [] }) as unknown as FeeRule)
}

/**
 * Each person once. What was delivered with the costs is nearer to the month than what the person's record says now.
 */
function headsOf(costs: readonly RecordData[], people: ReadonlyMap<number, RecordData>): Head[] {
  const heads = new Map<number, Head>()
  for (const { person, joinedOn, leftOn, workedDays } of costs) {
    if (person === null) continue
    const id = person as number
    const head = heads.get(id) ?? { person: id, joinedOn: null, leftOn: null, workedDays: null }
    heads.set(id, {
      person: id,
      joinedOn: head.joinedOn ?? (joinedOn as string | null),
      leftOn: head.leftOn ?? (leftOn as string | null),
      workedDays: head.workedDays ?? (workedDays as number | null),
    })
  }
  return [...heads.values()].map((head) => {
    const { entryDate = null, leaveDate = null } = people.get(head.person) ?? {}
    return {
      ...head,
      joinedOn: head.joinedOn ?? (entryDate as string | null),
      leftOn: head.leftOn ?? (leaveDate as string | null),
    }
  })
}

/** Statements that are not voided. */
export const isStanding: Condition = sql<boolean>`(${column('stage')} <> 'voided' and ${isLive})`
