import { addMonths, Decimal } from '../../../engine/expression/index.ts'
import { groupThousands } from '../../../engine/widgets/decimal/decimal.ts'
import type { Dictionary } from '../../../engine/model/model.ts'
import type { Id, Part, Values } from '../../../engine/server/procedure.ts'
import { amountInWords } from '../print/amountInWords.ts'

/** The placeholders of a template. */
export const letterPlaceholders = [
  'person.name',
  'person.idNumber',
  'person.gender',
  'person.position',
  'person.entryDate',
  'person.leaveDate',
  'person.leaveReason',
  'customer.name',
  'proof.averageIncome',
  'proof.averageIncomeUpper',
  'proof.annualIncome',
  'proof.purpose',
  'proof.receiver',
  'proof.issueDate',
  'proof.proofNo',
  'agency.name',
  'agency.contactPhone',
  'agency.address',
] as const
export type LetterValues = Record<(typeof letterPlaceholders)[number], string | null>

export interface LetterFacts {
  letter: Values<'proof'>
  person: Values<'person'>
  customer: Values<'customer'> | null
  agency: Values<'agency'> | null
  dictionary(name: string): Dictionary
}

/**
 * The text for each placeholder of a letter; null if unknown. Chinese and bilingual ones have Chinese dates and
 * words.
 */
export function letterValues({ letter, person, customer, agency, dictionary }: LetterFacts): LetterValues {
  const english = letter.language === 'en'
  const text = (value: unknown): string | null => ((value ?? null) === null || value === '' ? null : String(value))
  const date = (value: unknown) =>
    text(value) === null ? null : english ? englishDate(String(value)) : chineseDate(String(value))
  const word = (name: string, value: unknown) =>
    dictionary(name).choices.find((choice) => choice.value === value)?.label[english ? 'en' : 'cn'] ?? null
  const income = text(letter.averageIncome)
  return {
    'person.name': text(person.name),
    'person.idNumber': text(person.idNumber),
    'person.gender': word('gender', person.gender),
    'person.position': text(person.position),
    'person.entryDate': date(person.entryDate),
    'person.leaveDate': date(person.leaveDate),
    'person.leaveReason': word('terminationReason', person.leaveReason),
    'customer.name': text(customer?.corporateName),
    'agency.name': text(agency?.name),
    'agency.contactPhone': text(agency?.contactPhone),
    'agency.address': text(agency?.address),
    'proof.averageIncome': income === null ? null : grouped(income),
    'proof.averageIncomeUpper': income === null ? null : amountInWords(new Decimal(income).toFixed(2)),
    'proof.annualIncome': income === null ? null : grouped(new Decimal(income).times(12).toFixed(2)),
    'proof.purpose': text(letter.purpose),
    'proof.receiver': text(letter.receiver),
    'proof.issueDate': date(letter.issueDate),
    'proof.proofNo': text(letter.proofNo),
  }
}

const grouped = (amount: string): string => groupThousands(new Decimal(amount).toFixed(2))
const chineseDate = (day: string): string =>
  `${Number(day.slice(0, 4))}年${Number(day.slice(5, 7))}月${Number(day.slice(8, 10))}日`
const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]
const englishDate = (day: string): string =>
  `${months[Number(day.slice(5, 7)) - 1]} ${Number(day.slice(8, 10))}, ${day.slice(0, 4)}`

/** The mean income of the last so many months before this one, over the months with any; null if there is none. */
export function averageIncome(
  wages: readonly { month: string; amount: string }[],
  count: number,
  before: string,
): string | null {
  const first = addMonths(before, -count)!
  const within = wages.filter(({ month }) => month >= first && month < before)
  const paid = new Set(within.map(({ month }) => month))
  if (paid.size === 0) return null
  const sum = within.reduce((total, { amount }) => total.plus(amount), new Decimal(0))
  return sum.dividedBy(paid.size).toDecimalPlaces(2, Decimal.ROUND_HALF_UP).toFixed(2)
}

type Template = Part<'certificate', 'customers'>

/** Of the matching templates, the newest for this customer, else the newest for all. */
export function bestTemplate(templates: readonly Template[], customer: Id<'customer'> | null): Template | undefined {
  const named = (template: Template) => template.customers ?? []
  return (
    templates.findLast((template) => customer !== null && named(template).includes(customer)) ??
    templates.findLast((template) => named(template).length === 0)
  )
}
