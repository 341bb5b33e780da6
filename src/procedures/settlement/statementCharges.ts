import type { ProcedureWork } from '../../../engine/server/procedure.ts'
import { decimal } from '../money/amounts.ts'
import { groupedBy } from '../welfare/groupedBy.ts'
import type { BilledContract, People } from './billableCosts.ts'
import { bothFees, type Fees, noFees } from './fees.ts'
import { isStanding } from './isStanding.ts'
import type { StatementItem } from './StatementItem.ts'
import { excludeEachOther, isOneOf } from './services.ts'

/** What a statement charges. */
export interface Charges {
  id: number
  customer: number
  contract: number
  billMonth: string
  /** Whether its month is outside the contract's term. */
  outsideTerm: boolean
  /** The people whom it charges a fee for, each with the month charged, and the services that it does so for. */
  fees: ReadonlyMap<string, ReadonlySet<string | null>>
  /** Its fees for each month, by service. */
  sums: ReadonlyMap<string, ReadonlyMap<string | null, Fees>>
  /** The costs of people outside their term. */
  outside: ReadonlyMap<number, readonly BilledCost[]>
}
export type BilledCost = Pick<StatementItem, 'feeItem' | 'sourceType'>

/** What other statements of a customer charge. */
export interface OtherCharges {
  /** Whether one charges this person for the month. */
  isCharged(person: number, month: string): boolean
  /** Whether this contract charges them for the service already, or another contract for one that takes its place. */
  isChargedFor(contract: number, serviceType: string, person: number, month: string): boolean
  /** Whether the customer has a statement of the month or an earlier one, or one that charges the month. */
  wasBilled(month: string): boolean
  /** Whether the contract has a statement of just that month. */
  hasStatement(contract: number, month: string): boolean
  /** The months of its statements that are outside the term of the contract. */
  outsideTerm(contract: number): string[]
  /** What the contract charges for a service and a month. */
  feesFor(contract: number, serviceType: string | null, month: string): Fees
  /** Whether it charges anything for the month. */
  isChargedElsewhere(contract: number, month: string): boolean
  /** Whether a later statement of the contract charges the month: this person for it, or the month as such. */
  isChargedLater(contract: number, month: string, person?: number): boolean
  /** The months for which a contract bills costs of this person as outside their term, with these costs, and no fee. */
  withoutFee(person: number): ReadonlyMap<string, readonly BilledCost[]>
  /** Whether the statement itself, as last computed, billed costs of this person as outside their term. */
  wasOutside(person: number): boolean
  /** Whether it was itself outside the term of its contract then. */
  wasOutsideTerm: boolean
}

/**
 * What statements of these customers charge for these months, and for those in which a contract or one of these people
 * was outside the term. By customer, so that one does not search what all the others are charged.
 */
export async function readCharges(
  work: ProcedureWork,
  contracts: readonly Pick<BilledContract, 'customer'>[],
  { months, people }: { months: ReadonlySet<string>; people: People },
): Promise<Map<number, Charges[]>> {
  const statements = await work.read('statement', {
    where: { customer: [...new Set(contracts.map(({ customer }) => customer))], ...isStanding },
    fields: ['customer', 'contract', 'billMonth', 'outsideTerm'],
  })
  const monthOf = new Map(statements.map(({ id, billMonth }) => [id as number, billMonth]))
  const outside = await work.read('statementLine', {
    where: { statement: [...monthOf.keys()], person: [...people.keys()], outsideTerm: true },
    fields: ['statement'],
  })
  const missed = statements.filter(({ outsideTerm }) => outsideTerm).map(({ billMonth }) => billMonth)
  const all = [
    ...new Set([...months, ...missed, ...outside.map(({ statement }) => monthOf.get(statement)!)]),
  ].toSorted()
  const fees = await work.read('statementItem', {
    where: {
      statement: statements.filter(({ billMonth }) => billMonth >= all[0]).map(({ id }) => id as number),
      sourceType: 'contractFee',
      costMonth: all,
    },
    fields: ['statement', 'person', 'costMonth', 'serviceType', 'amount'],
  })
  const costs = await work.read('statementItem', {
    where: { line: outside.map(({ id }) => id as number), sourceType: { not: 'contractFee' } },
    fields: ['statement', 'person', 'feeItem', 'sourceType'],
  })
  const charged = groupedBy(fees, ({ statement }) => statement as number)
  const billed = groupedBy(
    costs.map(({ sourceType, ...cost }) => ({ ...cost, sourceType: sourceType ?? 'manual' })),
    ({ statement }) => statement as number,
  )
  return groupedBy(
    statements.map((statement): Charges => ({
      ...statement,
      outsideTerm: statement.outsideTerm ?? false,
      ...chargedFees(charged.get(statement.id) ?? []),
      outside: groupedBy(billed.get(statement.id) ?? [], ({ person }) => person as number),
    })),
    ({ customer }) => customer,
  )
}

/** What a customer's statements other than `own` charge. */
export function otherCharges(charges: readonly Charges[], own: number | null = null): OtherCharges {
  const others = charges.filter(({ id }) => id !== own)
  const before = charges.find(({ id }) => id === own)
  const fees = new Set(others.flatMap(({ fees: charged }) => [...charged.keys()]))
  const byContract = groupedBy(others, ({ contract }) => contract)
  const statementsOf = (contract: number) => byContract.get(contract) ?? []
  return {
    isCharged: (person, month) => fees.has(feeKey(person, month)),
    isChargedFor(id, serviceType, person, month) {
      const key = feeKey(person, month)
      if (!fees.has(key)) return false
      return others.some(({ contract, fees: charged }) => {
        const services = charged.get(key)
        if (!services) return false
        if (contract !== id) return [...services].some((service) => isOneOf(service, serviceType))
        // A fee stored by an earlier version does not say its service.
        if (services.has(serviceType) || services.has(null)) return true
        return [...services].some((service) => excludeEachOther(service, serviceType))
      })
    },
    wasBilled: (month) => others.some(({ billMonth, sums }) => billMonth <= month || sums.has(month)),
    hasStatement: (contract, month) => statementsOf(contract).some(({ billMonth }) => billMonth === month),
    outsideTerm: (contract) =>
      statementsOf(contract).flatMap(({ outsideTerm, billMonth }) => (outsideTerm ? billMonth : [])),
    feesFor: (contract, serviceType, month) =>
      statementsOf(contract)
        .map(({ sums }) => sums.get(month)?.get(serviceType) ?? noFees)
        .reduce(bothFees, noFees),
    isChargedElsewhere: (contract, month) => statementsOf(contract).some(({ sums }) => sums.has(month)),
    isChargedLater: (contract, month, person) =>
      statementsOf(contract).some(
        ({ billMonth, fees: charged, sums }) =>
          billMonth > month &&
          (person === undefined
            ? [...(sums.get(month)?.values() ?? [])].some(({ company }) => !company.isZero())
            : charged.has(feeKey(person, month))),
      ),
    withoutFee: (person) =>
      new Map(
        others
          .filter(({ contract, billMonth, outside }) => {
            const isFeeOf = ({ fees: charged }: Charges) => charged.has(feeKey(person, billMonth))
            return outside.has(person) && !statementsOf(contract).some(isFeeOf)
          })
          .map(({ billMonth, outside }) => [billMonth, outside.get(person)!]),
      ),
    wasOutside: (person) => before?.outside.has(person) ?? false,
    wasOutsideTerm: before?.outsideTerm ?? false,
  }
}

/** Before these statements are recomputed: they charge nothing. */
export const withoutCharges = (charges: readonly Charges[], statements: readonly number[]): Charges[] =>
  charges.map((charge) => (statements.includes(charge.id) ? { ...charge, ...chargedFees([]) } : charge))

/** After a statement was computed: it charges what these items say, and nothing else. */
export const withCharges = (
  charges: readonly Charges[],
  { id, customer, contract, billMonth, outsideTerm }: Omit<Charges, 'fees' | 'sums' | 'outside'>,
  items: readonly StatementItem[],
): Charges[] => {
  const beyond = items.filter(({ person, outsideTerm }) => person !== null && outsideTerm)
  const outside = groupedBy(beyond, ({ person }) => person!)
  const fees = chargedFees(items.filter(({ sourceType }) => sourceType === 'contractFee'))
  const now = { id, customer, contract, billMonth, outsideTerm, ...fees, outside }
  return [...charges.filter((charge) => charge.id !== id), now]
}

/** What these fees charge. */
function chargedFees(
  fees: readonly Pick<StatementItem, 'person' | 'costMonth' | 'serviceType' | 'amount'>[],
): Pick<Charges, 'fees' | 'sums'> {
  const sums = new Map<string, Map<string | null, Fees>>()
  for (const { person, costMonth, serviceType = null, amount } of fees) {
    const ofMonth = sums.get(costMonth) ?? new Map<string | null, Fees>()
    const fee = { ...noFees, [person === null ? 'company' : 'heads']: decimal(amount) }
    sums.set(costMonth, ofMonth.set(serviceType, bothFees(ofMonth.get(serviceType) ?? noFees, fee)))
  }
  const heads = groupedBy(
    fees.filter(({ person }) => person !== null),
    ({ person, costMonth }) => feeKey(person!, costMonth),
  )
  const services = [...heads].map(
    ([key, own]) => [key, new Set(own.map(({ serviceType = null }) => serviceType))] as const,
  )
  return { fees: new Map(services), sums }
}

const feeKey = (person: number, month: string): string => `${person} ${month}`
