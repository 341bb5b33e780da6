import { Decimal } from 'decimal.js'
import type { RecordData } from '../../../engine/model/model.ts'
import type { Approved } from '../model/tables.ts'
import { taxDue } from '../model/tax.ts'
import { Broken, type World } from '../world.ts'
import { idOf, money, type Books } from './Books.ts'

const sum = (wages: readonly Approved[], amountOf: (wage: Approved) => Decimal): Decimal =>
  wages.reduce((all, wage) => all.plus(amountOf(wage)), new Decimal(0))

/**
 * Once everything is filed, the last filing of each person, agent, kind of income and month states the wages that stand,
 * and its totals those of the year.
 */
export function filed(filings: readonly RecordData[], { model, agencies, month }: World): void {
  const last = new Map<string, RecordData>()
  const when = ({ filedAt, id }: RecordData) => `${String(filedAt)} ${String(id).padStart(12, '0')}`
  const keyOf = (person: number, agency: number, incomeType: unknown, taxMonth: unknown) =>
    `P${person} at J${agency}: ${String(incomeType)} of ${String(taxMonth)}`
  for (const filing of filings.filter(({ status }) => status === 'filed')) {
    const person = model.people.findIndex(({ id }) => id === idOf(filing.person))
    const agency = agencies.findIndex(({ id }) => id === idOf(filing.agency))
    const key = keyOf(person, agency, filing.incomeType, filing.taxMonth)
    const before = last.get(key)
    if (!before || when(before) < when(filing)) last.set(key, filing)
  }
  const due = new Map<string, Approved[]>()
  for (const wage of model.wages) {
    if (wage.taxMonth > month) continue
    const key = keyOf(wage.person, wage.agency, wage.incomeType, wage.taxMonth)
    due.set(key, [...(due.get(key) ?? []), wage])
  }
  for (const key of new Set([...last.keys(), ...due.keys()])) {
    const [says, wages] = [last.get(key), due.get(key) ?? []]
    const gross = sum(wages, (wage) => wage.gross)
    const tax = sum(wages, ({ withheld }) => withheld)
    const figures = `of ${key}, ${says ? `${String(says.currentIncome)}, taxed ${String(says.currentTax)}` : 'nothing'}`
    if (!says || !money(says.currentIncome).eq(gross) || !money(says.currentTax).eq(tax))
      throw new Broken('filed', `${figures} is filed, and ${gross.toFixed(2)}, taxed ${tax.toFixed(2)}, stands`)
    const [wage] = wages
    if (wage?.incomeType !== 'wage') continue
    const year = sum(
      ofYear(model.wages, wage).filter(({ taxMonth }) => taxMonth <= wage.taxMonth),
      (wage) => wage.gross,
    )
    if (!money(says.cumIncome).eq(year))
      throw new Broken(
        'filed year',
        `${figures} is filed, and ${String(says.cumIncome)} of the year: it is ${year.toFixed(2)}`,
      )
  }
}

const ofYear = (wages: readonly Approved[], { person, agency, taxMonth }: Approved): Approved[] =>
  wages.filter(
    (wage) =>
      wage.incomeType === 'wage' &&
      wage.person === person &&
      wage.agency === agency &&
      wage.taxMonth.slice(0, 4) === taxMonth.slice(0, 4),
  )

/** The tax of all wages that stand is still that of their year, whatever was undone, moved or approved between them. */
export function cumulated(books: Pick<Books, 'wages'>, { model }: World): void {
  for (const wage of model.wages) {
    if (wage.incomeType !== 'wage') continue
    const own = ofYear(model.wages, wage)
    const before = own.slice(0, own.indexOf(wage))
    const who = `P${wage.person}'s wage of ${wage.taxMonth}`
    const later = before.find(({ taxMonth }) => taxMonth > wage.taxMonth)
    if (later) throw new Broken('cumulated', `${who} was approved after that of ${later.taxMonth}`)
    const due = taxDue([...before, wage], wage.taxFrom, wage.special)
    const line = books.wages.find(
      ({ payroll, person, lineStatus }) =>
        idOf(payroll) === wage.payroll && idOf(person) === model.people[wage.person].id && lineStatus !== 'removed',
    )
    if (!line || !money(line.currentTax).eq(due))
      throw new Broken('cumulated', `${who} is taxed ${String(line?.currentTax)}, and should be ${due.toFixed(2)}`)
  }
}
