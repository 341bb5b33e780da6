import { type FieldName, type Part, ProcedureWork } from '../../../engine/server/procedure.ts'
import type { Context, Db } from '../../../engine/server/runtime.ts'
import { lastDay } from '../../procedures/monthDays.ts'

const personFields = [
  'name',
  'customer',
  'agency',
  'insuranceCity',
  'workCity',
  'employmentForm',
  'taxSubject',
  'baseSalary',
  'entryDate',
  'leaveDate',
  'taxStartMonth',
  'firstJobThisYear',
  'fullSixty',
  'taxRelief',
  'reliefRate',
] as const satisfies readonly FieldName<'person'>[]

/** What payroll and welfare read of a person who works, or has worked, for a customer. */
export type Employed = Omit<Part<'person', (typeof personFields)[number]>, 'insuranceCity'> & {
  city: string
  baseSalary: string
  card: number | null
}

export interface Workforce {
  people: Employed[]
  /** A customer's service contract in force in a month. */
  contractOf(customer: number, month: string): number | undefined
  isThere(person: Employed, month: string): boolean
}

export async function readEmployed(context: Context, db: Db): Promise<Workforce> {
  const work = new ProcedureWork(context, db)
  const people = await work.read('person', { where: { employmentStatus: { not: 'cancelled' } }, fields: personFields })
  const cards = await work.read('personBankCard', {
    where: { isDefault: true, status: 'enabled' },
    fields: ['person'],
  })
  const cardOf = new Map<number, number>(cards.map(({ id, person }) => [person, id]))
  const terms = await work.read('contract', {
    where: { category: 'service', stage: ['signed', 'terminated'] },
    fields: ['customer', 'startDate', 'lastDay'],
    order: 'startDate',
  })
  return {
    people: people.map((person) => ({
      ...person,
      city: String(person.insuranceCity),
      baseSalary: String(person.baseSalary),
      card: cardOf.get(person.id) ?? null,
    })),
    contractOf: (customer, month) =>
      terms.findLast(
        (term) =>
          term.customer === customer && term.startDate <= lastDay(month) && (term.lastDay ?? '9999') >= `${month}-01`,
      )?.id,
    isThere: ({ entryDate, leaveDate }, month) =>
      entryDate <= lastDay(month) && (leaveDate === null || leaveDate >= `${month}-01`),
  }
}
