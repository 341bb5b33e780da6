import { addDays } from '../../../engine/expression/index.ts'
import { ProcedureWork } from '../../../engine/server/procedure.ts'
import type { Context, Db } from '../../../engine/server/runtime.ts'
import type { RecordData } from '../../../engine/model/model.ts'
import type { Random } from '../random.ts'

/** Numbers of contracts from earlier months; the series itself assigns those of this month. */
export class ContractNumbers {
  readonly #month: string
  readonly #counts = new Map<string, number>()
  constructor(today: string) {
    this.#month = today.slice(0, 7)
  }

  /** @param day when the contract was made, `yyyy-MM-dd` */
  next(category: 'service' | 'labor', day: string): string | null {
    const month = day.slice(0, 7)
    if (month >= this.#month) return null
    const prefix = `${category === 'service' ? 'FW' : 'LD'}${month.replace('-', '')}`
    const count = (this.#counts.get(prefix) ?? 0) + 1
    this.#counts.set(prefix, count)
    return prefix + String(count).padStart(category === 'service' ? 4 : 5, '0')
  }
}

/** The fields that contracts read of a customer. */
export interface Customer {
  id: number
  name: string
  agency: number
  supportStaff: number
  serviceTypes: string[]
  paymentTerms: string
  paymentDay: number | null
  statementDay: number
  billingType: string
  cities: string[]
  taxpayerKind: string | null
  industry: string
}
export interface Employer extends Customer {
  /** The service contract in force. */
  contract: number
  city: string
}

/** What all contracts of the demo have in common. */
export interface ContractSurroundings {
  today: string
  numbers: ContractNumbers
  scan: RecordData
  clerk: number
  random: Random
}

export const earlier = (day: string, other: string) => (day < other ? day : other)

/** Created some days before it begins, during office hours. */
export function stamps(today: string, start: string): { createdAt: string; updatedAt: string } {
  const at = `${earlier(addDays(start, -10)!, addDays(today, -1)!)} 10:12:00`
  return { createdAt: at, updatedAt: at }
}

/** How many customers have people at work; a larger demo shows the others without. */
const mostEmployers = 60

/** The customers that are served, in order. */
export async function readCustomers(context: Context, db: Db): Promise<Customer[]> {
  const work = new ProcedureWork(context, db)
  const own = await work.read('agency', { where: { kind: 'own' }, fields: ['cities', 'taxpayerKind'] })
  const agencies = new Map<number | null, (typeof own)[number]>(own.map((each) => [each.id, each]))
  const customers = await work.read('customer', {
    where: { approvalStatus: 'approved', accountStatus: 'enabled', agency: own.map(({ id }) => id) },
    fields: [
      'name',
      'agency',
      'supportStaff',
      'serviceTypes',
      'paymentTerms',
      'paymentDay',
      'statementDay',
      'billingType',
      'industry',
    ],
    limit: mostEmployers,
  })
  return customers.map((customer) => {
    const { cities, taxpayerKind } = agencies.get(customer.agency)!
    return { ...customer, industry: String(customer.industry ?? ''), cities, taxpayerKind }
  })
}
