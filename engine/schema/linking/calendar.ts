import { contextOf } from './contextOf.ts'
import type { NamedField, Names } from '../named.ts'

/** A sample of each calendar unit; all of them are texts to expressions. */
export const samples = { month: '2026-03', day: '2026-03-11', moment: '2026-03-11 08:30:00' }
export type Unit = keyof typeof samples
export const units = ['month', 'day', 'moment'] as const
/** The functions that return them. */
export const calls: Readonly<Record<string, Unit>> = { month: 'month', today: 'day', now: 'moment' }

/** The calendar unit that a field holds, if any. */
export function calendarUnitOf(field: NamedField, names: Names): Unit | undefined {
  const widget = names.widgets[field.type]
  if (widget?.expression !== 'string' || !widget.operators.includes('between')) return undefined
  const context = contextOf(field, names)
  return units.find((each) => {
    const value = widget.normalize(samples[each], {})
    return value === samples[each] && widget.check(value, {}, context) === undefined
  })
}

/** How to write a value of the field, for one that is not valid. */
export function writtenForm(field: NamedField, names: Names): string | undefined {
  if (names.widgets[field.type]?.expression === 'boolean') return 'it is true or false'
  const unit = calendarUnitOf(field, names)
  return unit && `a ${unit} is written as ${samples[unit]}`
}

/** Why a text is not a value of the field: a day that does not exist, or another format. */
export function whyRefused(text: string, field: NamedField, names: Names): { why?: string } {
  const unit = calendarUnitOf(field, names)
  if (!unit) return {}
  const hasForm = text.replace(/\d/g, '0') === samples[unit].replace(/\d/g, '0')
  return { why: hasForm ? `: there is no such ${unit}` : `: a ${unit} is written as ${samples[unit]}` }
}
