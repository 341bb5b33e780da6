import { sql } from 'kysely'
import { addMonths } from '../../../../engine/expression/index.ts'
import { recompute } from '../../../../engine/server/records/effects.ts'
import type { Context, Db } from '../../../../engine/server/runtime.ts'
import { tableOf } from '../../../../engine/server/scope.ts'
import { insertRecords, softDelete } from '../../../../engine/server/records/write.ts'
import type { RecordData } from '../../../../engine/schema/model.ts'
import { ProcedureWork } from '../../../../engine/server/procedure.ts'
import { decimal, type Amount } from '../../settlement/amounts.ts'
import { lockOpen, workOutAnew } from '../../settlement/rework.ts'
import { column, entityOf, isAnyOf, readAll } from '../../settlement/stored.ts'
import { expenseLineOf, type Family } from '../handling/family.ts'
import { costsOf, sourceIdOf, sourceTypeOf } from './costs.ts'

/**
 * Settlement is told what these lines cost now, estimates while they are open. What a confirmed statement has taken
 * stays there: only what has changed since goes to the next one. Statements that are still open are worked out anew.
 */
export async function deliver(context: Context, db: Db, family: Family, lines: readonly RecordData[]): Promise<void> {
  if (lines.length === 0) return
  const entity = entityOf(context, 'costLine')
  const known = await readAll(
    context,
    db,
    'costLine',
    [
      sql<boolean>`(${column('sourceType')} = ${sourceTypeOf(family)} and ${column('sourceId')} = any(${lines.map(({ id }) => sourceIdOf(family, id!))}::text[]))`,
    ],
    ['feeItem', 'party', 'amount', 'sourceId', 'statement', 'statementStage', 'billMonth', 'contract'],
    true,
  )
  const bySource = new Map<string, RecordData[]>()
  for (const cost of known) bySource.set(String(cost.sourceId), [...(bySource.get(String(cost.sourceId)) ?? []), cost])
  const contractOf = await readContracts(context, db, lines)
  const closedBefore = await closedMonths(
    context,
    db,
    lines.map(({ customer }) => (customer ?? null) as number | null),
  )
  const names = new Map(
    (
      await readAll(
        context,
        db,
        'policy',
        [
          isAnyOf(
            'id',
            lines.map(({ policy }) => policy as number | null),
          ),
        ],
        ['name'],
      )
    ).map(({ id, name }) => [id, name]),
  )

  const worked = lines
    .map((line) => {
      const there = bySource.get(sourceIdOf(family, line.id!)) ?? []
      const taken = there.filter(({ statementStage }) => statementStage === 'confirmed')
      const needed = outstanding(family, line, taken).map((cost): RecordData => ({
        ...cost,
        contract: contractOf(line),
        billMonth: billMonthOf(line, closedBefore(line, contractOf(line))),
      }))
      const free = there.filter(({ statementStage }) => statementStage !== 'confirmed')
      return { line, needed, free, taken, isSame: isSame(needed, free) }
    })
    .filter(({ isSame: same }) => !same)

  const made = worked
    .flatMap(({ line, needed }) =>
      needed.map((cost): RecordData => ({
        ...cost,
        customer: line.customer,
        person: line.person,
        costMonth: line.belongMonth,
        policy: names.get(line.policy as number) ?? null,
        sourceType: sourceTypeOf(family),
        sourceId: sourceIdOf(family, line.id!),
        fixedAmount: null,
        joinedOn: null,
        leftOn: null,
        workedDays: null,
        statement: null,
      })),
    )
    .filter(({ customer }) => customer !== null && customer !== undefined)
  for (const cost of made) recompute(context, entity, cost)
  await softDelete(
    context,
    db,
    entity,
    worked.flatMap(({ free }) => free.map(({ id }) => id!)),
  )
  await insertRecords(context, db, entity, made)
  await link(context, db, family, worked, made)
  await reworkStatements(
    context,
    db,
    worked.flatMap(({ free }) => free),
    made,
  )
}

/** What is due less what confirmed statements have taken. */
function outstanding(family: Family, line: RecordData, taken: readonly RecordData[]): RecordData[] {
  const costs = costsOf(family, line).map((cost): RecordData => ({ ...cost }))
  for (const { feeItem, party, amount } of taken) {
    const same = costs.find((cost) => cost.feeItem === feeItem && cost.party === party)
    const rest = decimal((same?.amount ?? null) as Amount)
      .minus(decimal(amount as Amount))
      .toFixed(2)
    if (same) same.amount = rest
    else costs.push({ feeItem: feeItem!, party: party!, amount: rest, base: null, rate: null })
  }
  return costs.filter(({ amount }) => !decimal(amount as Amount).isZero())
}

/**
 * What belongs to a month that is billed already goes to the next; back-payments and differences to the month of their
 * payment.
 */
function billMonthOf({ feeMonth, expenseType }: RecordData, closed: string | undefined): string | null {
  if (closed !== undefined && String(feeMonth) <= closed) return addMonths(closed, 1)!
  return expenseType === 'normal' ? null : String(feeMonth)
}

const told = ({ feeItem, party, amount, billMonth, contract }: RecordData): string =>
  [feeItem, party, amount, billMonth ?? '', contract ?? ''].join(' ')
function isSame(needed: readonly RecordData[], free: readonly RecordData[]): boolean {
  const wanted = new Set(needed.map(told))
  return needed.length === free.length && free.every((cost) => wanted.has(told(cost)))
}

/** Whose contract is not in force in the month is billed by whichever of the customer's is: null. */
export async function readContracts(
  context: Context,
  db: Db,
  lines: readonly RecordData[],
): Promise<(line: RecordData) => number | null> {
  const contracts = new Map(
    (
      await readAll(
        context,
        db,
        'contract',
        [isAnyOf('id', [...new Set(lines.map(({ serviceContract }) => (serviceContract ?? null) as number | null))])],
        ['startDate', 'lastDay', 'stage'],
      )
    ).map((one) => [one.id, one]),
  )
  return ({ serviceContract, feeMonth }) => {
    const contract = contracts.get(serviceContract as number)
    const isInForce =
      contract &&
      ['signed', 'terminated'].includes(String(contract.stage)) &&
      String(contract.startDate).slice(0, 7) <= String(feeMonth) &&
      String(contract.lastDay ?? '9999').slice(0, 7) >= String(feeMonth)
    return isInForce ? contract.id! : null
  }
}

/** The last month of which a statement is confirmed: of the contract, or of any of the customer's. */
async function closedMonths(
  context: Context,
  db: Db,
  customers: readonly (number | null)[],
): Promise<(line: RecordData, contract: number | null) => string | undefined> {
  const statements = await readAll(
    context,
    db,
    'statement',
    [isAnyOf('customer', [...new Set(customers)]), sql<boolean>`${column('stage')} = 'confirmed'`],
    ['customer', 'contract', 'billMonth'],
  )
  return ({ customer }, contract) =>
    statements
      .filter((one) => one.customer === customer && (contract === null || one.contract === contract))
      .map(({ billMonth }) => String(billMonth))
      .sort()
      .at(-1)
}

/**
 * Each line knows one of its costs, by which it knows the statement: of those that are billed already where there is
 * one.
 */
async function link(
  context: Context,
  db: Db,
  family: Family,
  worked: readonly { line: RecordData; taken: readonly RecordData[] }[],
  made: readonly RecordData[],
): Promise<void> {
  const first = new Map<unknown, number>()
  for (const { sourceId, id } of made) if (!first.has(sourceId)) first.set(sourceId, id!)
  const rows = worked.map(({ line: { id }, taken }) => ({
    id,
    cost: taken.at(0)?.id ?? first.get(sourceIdOf(family, id!)) ?? null,
  }))
  await sql`update ${tableOf(context, entityOf(context, expenseLineOf(family)))} as line set cost = coalesce(linked.cost, line.cost)
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as linked (id bigint, cost bigint) where line.id = linked.id`.execute(
    db,
  )
}

async function reworkStatements(
  context: Context,
  db: Db,
  gone: readonly RecordData[],
  made: readonly RecordData[],
): Promise<void> {
  const asked = made.filter(({ billMonth, contract }) => (billMonth ?? null) !== null && (contract ?? null) !== null)
  const open = await readAll(
    context,
    db,
    'statement',
    [
      isAnyOf(
        'contract',
        asked.map(({ contract }) => contract as number),
      ),
      sql<boolean>`${column('stage')} = 'generated'`,
    ],
    ['contract', 'billMonth'],
  )
  const awaited = open
    .filter(({ contract, billMonth }) =>
      asked.some((cost) => cost.contract === contract && cost.billMonth === billMonth),
    )
    .map(({ id }) => id!)
  const left = gone.flatMap(({ statement, statementStage }) =>
    statementStage === 'generated' ? (statement as number) : [],
  )
  const work = new ProcedureWork(context, db)
  for (const id of new Set([...left, ...awaited])) await workOutAnew(work, await lockOpen(work, id))
}
