import { addMonths } from '../../../../engine/expression/index.ts'
import type { Part, ProcedureWork, Stored, Values } from '../../../../engine/server/procedure.ts'
import { decimal } from '../../money/amounts.ts'
import { followCosts } from '../../settlement/followCosts.ts'
import { groupedBy } from '../groupedBy.ts'
import { expenseLineOf, type Family, type Line } from '../handling/family.ts'
import { followLines } from './undeductedContributions.ts'
import { inYuan, type InYuan } from './inYuan.ts'
import { costsOf, sourceIdOf, sourceTypeOf, type Cost } from './costs.ts'

const costFields = [
  'feeItem',
  'party',
  'amount',
  'sourceId',
  'statement',
  'statementStage',
  'billMonth',
  'contract',
] as const
/** A cost already delivered to settlement. */
type Known = Part<'costLine', (typeof costFields)[number]>
/** A cost to be delivered. */
type Needed = Cost & Pick<Stored<'costLine'>, 'contract' | 'billMonth'>
interface Worked {
  line: Line
  needed: readonly Needed[]
  /** Delivered costs that no confirmed statement has taken, and those that one has. */
  free: readonly Known[]
  taken: readonly Known[]
}

/**
 * Delivers the current costs of these lines to settlement, estimates while they are open. What a confirmed statement
 * has taken stays there: only later changes go to the next one. Open statements are recomputed.
 */
export async function deliver(work: ProcedureWork, family: Family, lines: readonly Line[]): Promise<void> {
  if (lines.length === 0) return
  const known = await work.read('costLine', {
    where: { sourceType: sourceTypeOf(family), sourceId: lines.map(({ id }) => sourceIdOf(family, id)) },
    fields: costFields,
    lock: true,
  })
  const bySource = groupedBy(known, ({ sourceId }) => sourceId)
  const contractOf = await readContracts(work, lines)
  const isBilled = await readConfirmed(
    work,
    lines.map(({ customer }) => customer),
  )
  const policies = await work.byId(
    'policy',
    lines.map(({ policy }) => policy),
    { fields: ['name'] },
  )

  const converted = await inYuan(work, family, lines)

  const worked = lines
    .map((line): Worked => {
      const there = bySource.get(sourceIdOf(family, line.id)) ?? []
      const taken = there.filter(({ statementStage }) => statementStage === 'confirmed')
      const needed = outstanding(family, line, { taken, converted }).map((cost) => {
        const contract = contractOf(line)
        return { ...cost, contract, billMonth: billMonthOf(line, isBilled(line, contract)) }
      })
      return { line, needed, free: there.filter((cost) => !taken.includes(cost)), taken }
    })
    .filter(({ needed, free }) => !isSame(needed, free))

  const gone = worked.flatMap(({ free }) => free)
  await work.delete('costLine', gone)
  const made = await work.insert(
    'costLine',
    worked.flatMap(({ line, needed }) =>
      line.customer === null
        ? []
        : needed.map((cost): Values<'costLine'> => ({
            ...cost,
            customer: line.customer,
            person: line.person,
            costMonth: line.belongMonth,
            policy: policies.get(line.policy!)?.name ?? null,
            sourceType: sourceTypeOf(family),
            sourceId: sourceIdOf(family, line.id),
          })),
    ),
  )
  await link(work, family, worked, made)
  await followLines(work, lines)
  await followCosts(work, { made, gone })
}

/** What is due minus what confirmed statements have taken. */
function outstanding(
  family: Family,
  line: Line,
  { taken, converted }: { taken: readonly Known[]; converted: InYuan },
): Cost[] {
  const costs = costsOf(family, line, (amount) => converted(line, amount))
  for (const { feeItem, party, amount } of taken) {
    const same = costs.find((cost) => cost.feeItem === feeItem && cost.party === party)
    const rest = decimal(same?.amount).minus(decimal(amount)).toFixed(2)
    if (same) same.amount = rest
    else costs.push({ feeItem, party, amount: rest, base: null, rate: null })
  }
  return costs.filter(({ amount }) => !decimal(amount).isZero())
}

/**
 * Costs of a month that is already billed go to the next unbilled month; back-payments and differences to the month of
 * their payment.
 */
function billMonthOf({ feeMonth, expenseType }: Line, isBilled: (month: string) => boolean): string | null {
  let month = feeMonth
  while (isBilled(month)) month = addMonths(month, 1)!
  return month === feeMonth && expenseType === 'normal' ? null : month
}

const costKey = ({ feeItem, party, amount, billMonth, contract }: Needed | Known): string =>
  [feeItem, party, amount, billMonth ?? '', contract ?? ''].join(' ')
function isSame(needed: readonly Needed[], free: readonly Known[]): boolean {
  const wanted = new Set(needed.map(costKey))
  return needed.length === free.length && free.every((cost) => wanted.has(costKey(cost)))
}

type Contracted = { feeMonth: string; serviceContract: number | null }

/** If a person's contract is not in force in the month, any of the customer's contracts in force bills it: null. */
export async function readContracts(
  work: ProcedureWork,
  lines: readonly Contracted[],
): Promise<(line: Contracted) => number | null> {
  const contracts = await work.byId(
    'contract',
    lines.map(({ serviceContract }) => serviceContract),
    { fields: ['startDate', 'lastDay', 'stage'] },
  )
  return ({ serviceContract, feeMonth }) => {
    const contract = contracts.get(serviceContract!)
    const isInForce =
      contract &&
      ['signed', 'terminated'].includes(contract.stage) &&
      String(contract.startDate).slice(0, 7) <= feeMonth &&
      (contract.lastDay ?? '9999').slice(0, 7) >= feeMonth
    return isInForce ? contract.id : null
  }
}

/** Whether a statement of a month is confirmed: of the contract, or of any of the customer's. */
async function readConfirmed(
  work: ProcedureWork,
  customers: readonly (number | null)[],
): Promise<(line: Line, contract: number | null) => (month: string) => boolean> {
  const statements = await work.read('statement', {
    where: { customer: [...new Set(customers.filter((id) => id !== null))], stage: 'confirmed' },
    fields: ['customer', 'contract', 'billMonth'],
  })
  const ofCustomer = groupedBy(statements, ({ customer }) => customer)
  return ({ customer }, contract) => {
    const own = ofCustomer.get(customer!) ?? []
    return (month) => own.some((each) => each.billMonth === month && (contract === null || each.contract === contract))
  }
}

/** Links each line to one of its costs, and through it to the statement: preferably a billed one. */
async function link(
  work: ProcedureWork,
  family: Family,
  worked: readonly Worked[],
  made: readonly Stored<'costLine'>[],
): Promise<void> {
  const bySource = groupedBy(made, ({ sourceId }) => sourceId)
  await work.setReferences(
    expenseLineOf(family),
    'cost',
    worked.flatMap(({ line, taken }) => {
      const cost = taken.at(0) ?? bySource.get(sourceIdOf(family, line.id))?.at(0)
      return cost ? [{ id: line.id, at: cost.id, record: line }] : []
    }),
  )
}
