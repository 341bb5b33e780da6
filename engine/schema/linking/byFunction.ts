import { decimalOf } from '../../expression/index.ts'
import { fieldAt } from './choices.ts'
import { calendarUnitOf, calls, samples, type Unit } from './calendar.ts'
import type { NamedField, Names } from '../named.ts'

/** The functions for arithmetic on days and months, because operators only take numbers. */
export function byFunction(part: string, entity: string, names: Names): string | undefined {
  const [, left, sign, right] = /^(.+?)\s*([+-])\s*(.+)$/.exec(part.trim()) ?? []
  if (left === undefined) return undefined
  const unit = unitAt(left, entity, names)
  const other = unitAt(right, entity, names)
  if (!unit) return undefined
  const difference = unit === 'month' ? 'months' : 'days'
  const what = `${left} is a ${unit}`
  if (sign === '-' && other)
    return `${what}, from which "-" takes nothing: ${difference}Between(${right}, ${left}) counts the ${difference}`
  if (other || !isNumber(right, entity, names)) return undefined
  const add = unit === 'month' ? 'addMonths' : 'addDays'
  return sign === '+'
    ? `${what}, to which "+" adds nothing: ${add}(${left}, ${right}) is that ${unit}`
    : `${what}, from which "-" takes nothing: ${add}(${left}, -${right}) is that ${unit}`
}

/** A type error in terms of days and months, which expressions treat as texts. Undefined if none are involved. */
export function inUnits(
  part: string,
  message: string,
  { entity, field, names }: { entity: string; field?: NamedField; names: Names },
): string | undefined {
  const [, left, , right] = /^(.+?)\s*([!=]=|[<>]=?)\s*(.+)$/.exec(part.trim()) ?? []
  for (const [term, other] of [
    [left, right],
    [right, left],
  ]) {
    const unit = term === undefined ? undefined : unitAt(term, entity, names)
    if (unit === undefined) continue
    const what = isNumber(other, entity, names) ? `${other} is a number` : `${other} is none`
    return `${term} is a ${unit}, but ${what}: a ${unit} is written as '${samples[unit]}'`
  }
  const [made, wanted] = [unitAt(part, entity, names), field && calendarUnitOf(field, names)]
  const exact = message
    .replace(/\ba text$/, made === undefined ? '$&' : `a ${made}`)
    .replace(/must be a text\b/, wanted === undefined ? '$&' : `must be a ${wanted}`)
  // A day without its quotes is a subtraction.
  const isBare = wanted !== undefined && /^\d{4}-\d{1,2}(-\d{1,2})?$/.test(part)
  return exact === message ? undefined : `${exact}${isBare ? `: it is written as '${samples[wanted]}'` : ''}`
}

function unitAt(text: string, entity: string, names: Names): Unit | undefined {
  const [, call] = /^(\w+)\(\)$/.exec(text) ?? []
  if (call !== undefined) return Object.hasOwn(calls, call) ? calls[call] : undefined
  const [, date] = /^(?:addDays|addMonths)\((.+),[^,]*\)$/.exec(text) ?? []
  if (date !== undefined) return unitAt(date, entity, names)
  const field = /^(old\.)?\w+$/.test(text) ? fieldAt(text.split('.'), entity, names) : undefined
  return field && calendarUnitOf(field, names)
}

function isNumber(text: string, entity: string, names: Names): boolean {
  if (decimalOf(text) !== null) return true
  const field = /^[\w.]+$/.test(text) ? fieldAt(text.split('.'), entity, names) : undefined
  return field !== undefined && names.widgets[field.type]?.expression === 'decimal'
}
