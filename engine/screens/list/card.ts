import type { Field } from '../../model/model.ts'
import type { ArrangedColumn } from './columnChoices.ts'

/** What a phone shows of a record: fields of columns, each at most once. */
export interface Card {
  /** The identification, which links to the record. */
  title: string
  /** A bare number, such as that of a row, says nothing without its label. */
  labelled?: boolean
  second?: string
  state?: string
  /** Of equal rank: the first that has a value is shown, such as money in or out. The others may be among the facts. */
  amounts: string[]
  /** A few more, in small print. */
  facts: string[]
}

interface Given {
  /** In list order. */
  columns: readonly Pick<ArrangedColumn, 'field' | 'hidden' | 'pin' | 'sum' | 'link' | 'action'>[]
  fields: Readonly<Record<string, Pick<Field, 'type' | 'computed'>>>
  /** The entity's display field. */
  display: string
  /** The fields of its states. */
  states: readonly string[]
  /** Whether the field has coloured tags, so that it can show the status if there is no state. */
  tagged(field: string): boolean
  summable(type: string): boolean
  /** Preferred over other figures. */
  money(type: string): boolean
}

const mostFacts = 2

/** The visible columns that fit on a card. */
export function cardOf({ columns, fields, display, states, tagged, summable, money }: Given): Card | undefined {
  const shown = columns.filter(({ hidden, field }) => !hidden && fields[field])
  if (shown.length === 0) return undefined
  const isNumber = ({ field }: { field: string }) => summable(fields[field].type)
  // A figure without a sum, such as a duration, is just another fact.
  const isAmount = ({ field, sum }: (typeof shown)[number]) =>
    money(fields[field].type) || (sum === true && isNumber({ field }))
  const rank = ({ field, sum }: (typeof shown)[number]) => (money(fields[field].type) ? 0 : 2) + (sum ? 0 : 1)
  // What is looked up is the state of another record.
  const isTagged = ({ field }: { field: string }) => tagged(field) && fields[field].computed?.kind !== 'lookup'
  const state = shown.find(({ field }) => states.includes(field)) ?? shown.find(isTagged)
  const ranked = shown.filter(isAmount).toSorted((a, b) => rank(a) - rank(b))
  const [amount] = ranked
  const amounts = ranked.filter((column) => rank(column) === rank(amount))
  const rest = shown.filter((column) => column !== state && column !== amount)
  const [first, ...others] = rest.length > 0 ? rest : shown
  // A record is titled by its name. The first column of the list stands below it, unless it is a number, which needs its
  // label.
  const title = rest.find(({ field }) => field === display) ?? first
  const second = [first, ...others].find(
    (column) => column !== title && column !== state && !amounts.includes(column) && !isNumber(column),
  )
  const facts = [first, ...others].filter(
    (column) => column !== title && column !== second && column !== state && column !== amount,
  )
  return {
    title: title.field,
    ...(isNumber(title) && { labelled: true }),
    second: second?.field,
    state: state !== title ? state?.field : undefined,
    amounts: amounts.filter((column) => column !== title).map(({ field }) => field),
    facts: facts
      .toSorted((a, b) => Number(isNumber(a)) - Number(isNumber(b)))
      .slice(0, mostFacts)
      .map(({ field }) => field),
  }
}
