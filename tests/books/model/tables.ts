import type { Decimal } from 'decimal.js'
import type { Family, Version } from './amounts.ts'
import { monthsBetween } from './months.ts'
import type { Wage } from './tax.ts'

/** What a clerk who writes everything down on paper knows. */
export interface Model {
  people: Person[]
  tickets: Ticket[]
  policies: Record<'social' | 'fund' | 'rural', Version[]>
  payrolls: Payroll[]
  /** Every approved line, in the order of approval. */ wages: Approved[]
  deductions: { person: number; agency: number; taxMonth: string; cumTotal: string }[]
  /** By statement: the act that made it. */ billed: Map<number, number>
  /** Family, month and customer of confirmed expenses. */ locked: Set<string>
  /** By statement: the act that confirmed it last. */ confirmed: Map<number, number>
  /** By statement: the act that voided it. */ voided: Map<number, number>
  /** By cost: the act that voided the statement billing it. */ freed: Map<number, number>
  /** Family and person of contributions that were decided by hand. */ decided: Set<string>
  /** Benefits that were ever confirmed. */ agreed: Set<number>
  /** The number of acts of the office so far. */ acts: number
}
export interface Person {
  id: number
  name: string
  state: 'pending' | 'active' | 'leaving' | 'left' | 'cancelled'
  stints: Stint[]
  household: Household
  /** The month in which that was changed last. */ householdSince?: string
}
export type Household = 'localUrban' | 'localRural'
export interface Stint {
  customer: number
  /** Index of our entity that employs them. */ agency: number
  /** Index of the customer's contract that bills them. */ contract: number
  from: string
  to?: string
  /** The act that last changed these days. */ changed: number
  /** The month of the year from which the basic deduction counts. */ taxFrom: string
  plans: Plan[]
}
/** The terms agreed for a family during a stint. */
export interface Plan {
  family: Family
  from: string
  to?: string
  base: string
  /** The addition ticket of this plan was cancelled. */ dropped?: boolean
}
export type Kind = 'Addition' | 'Reduction' | 'Adjustment' | 'Supplement'
export interface Ticket {
  id: number
  family: Family
  kind: Kind
  person: number
  state: 'open' | 'success' | 'cancelled'
  /** The first month of an addition, adjustment or back-payment. */ from?: string
  /** The last month of a back-payment or of a reduction. */ to?: string
  base?: string
  handleMonth?: string
  /** The act that handled it. */ act?: number
  /** It follows a policy rather than another base. */ ofPolicy?: boolean
  /** What an addition insured the person as, or an adjustment does from its month on. */ household?: Household
  /** For a requested back-payment: its number, and the stint whose months it pays. */
  backPayment?: { no: string; stint: number }
}
export interface Payroll {
  id: number
  customer: number
  agency: number
  taxMonth: string
  welfareMonth: string
  incomeType: 'wage' | 'annualBonus'
  approved: boolean
  voided?: boolean
  act?: number
}
export interface Approved extends Wage {
  person: number
  payroll: number
  agency: number
  welfareMonth: string
  incomeType: Payroll['incomeType']
  /** By fee month, the provident fund in it that tax law does not deduct. */ beyondCap: Map<string, Decimal>
  /** What its tax was computed with. */ taxFrom: string
  special: Decimal
}

export const newModel = (): Model => ({
  people: [],
  tickets: [],
  policies: { social: [], fund: [], rural: [] },
  payrolls: [],
  wages: [],
  deductions: [],
  billed: new Map(),
  confirmed: new Map(),
  locked: new Set(),
  decided: new Set(),
  voided: new Map(),
  freed: new Map(),
  agreed: new Set(),
  acts: 0,
})

export const never = '2027-12'

/** The months in which a person is enrolled in a family, each with its declared base, as the handled tickets say. */
export function coverOf({ tickets }: Model, person: number, family: Family): Map<string, string> {
  const cover = new Map<string, string>()
  /** The effective month of the adjustment that set a month's base: only a later one replaces it. */
  const since = new Map<string, string>()
  const handled = tickets
    .filter((ticket) => ticket.person === person && ticket.family === family && ticket.state === 'success')
    .toSorted((a, b) => a.act! - b.act!)
  for (const { kind, from, to, base, handleMonth, ofPolicy } of handled) {
    if (kind === 'Addition') {
      const first = from! > handleMonth! ? from! : handleMonth!
      for (const month of monthsBetween(first, never)) {
        cover.set(month, base!)
        since.delete(month)
      }
    } else if (kind === 'Supplement') {
      for (const month of monthsBetween(from!, to!)) cover.set(month, base!)
    } else if (kind === 'Adjustment') {
      if (!ofPolicy)
        for (const month of cover.keys())
          if (month >= from! && from! >= (since.get(month) ?? '')) {
            cover.set(month, base!)
            since.set(month, from!)
          }
    } else for (const month of cover.keys()) if (month > to!) cover.delete(month)
  }
  return cover
}

/** The months in which a person should be insured: as agreed at entry and as requested for months of a stint. */
export function planned({ tickets, people }: Model, person: number, family: Family, until: string): Set<string> {
  const months = new Set<string>()
  const { stints, state } = people[person]
  for (const { kind, backPayment, from, to, ...ticket } of tickets)
    if (kind === 'Supplement' && backPayment && ticket.state === 'success')
      if (ticket.person === person && ticket.family === family)
        for (const month of monthsBetween(from!, to!))
          if (stints.some((stint) => isDuring(stint, month))) months.add(month)
  if (state === 'cancelled') return months
  for (const { plans } of stints)
    for (const { from, to, dropped, family: familyKey } of plans)
      if (familyKey === family && !dropped)
        for (const month of monthsBetween(from, to !== undefined && to < until ? to : until)) months.add(month)
  return months
}

/** Whether the stint covers at least one day of the month. */
export const isDuring = ({ from, to }: Stint, month: string): boolean =>
  from.slice(0, 7) <= month && month <= (to ?? never).slice(0, 7)

export const isGoing = ({ state }: Person): boolean => state === 'leaving' || state === 'left'

export const isOpen = (model: Model, person: number, family: Family, kinds: Kind[]): boolean =>
  model.tickets.some(
    (ticket) =>
      ticket.person === person && ticket.family === family && ticket.state === 'open' && kinds.includes(ticket.kind),
  )

/**
 * What a person is insured as in each month of their enrolments, as the handled tickets say: an addition as they were
 * then, and adjustments from their months on, the last one that was handled.
 */
export function householdOf({ tickets }: Model, person: number, family: Family): Map<string, Household> {
  const found = new Map<string, Household>()
  const handled = tickets
    .filter((ticket) => ticket.person === person && ticket.family === family && ticket.state === 'success')
    .toSorted((a, b) => a.act! - b.act!)
  for (const { household, from } of handled)
    if (household) for (const month of monthsBetween(from!, never)) found.set(month, household)
  return found
}
