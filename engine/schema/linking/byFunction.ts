import { decimalOf } from '../../expression/index.ts'
import { fieldAt } from './choices.ts'
import { calendarUnitOf, calls, type Unit } from './calendar.ts'
import type { Names } from '../named.ts'

/** The functions for arithmetic on days and months, because operators only take numbers. */
export function byFunction(part: string, entity: string, names: Names): string | undefined {
  const [, left, sign, right] = /^(.+?)\s*([+-])\s*(.+)$/.exec(part.trim()) ?? []
  if (left === undefined) return undefined
  const unit = unitAt(left, entity, names)
  const other = unitAt(right, entity, names)
  if (!unit) return undefined
  const of = unit === 'month' ? 'months' : 'days'
  const what = `${left} is a ${unit}`
  if (sign === '-' && other)
    return `${what}, from which "-" takes nothing: ${of}Between(${right}, ${left}) counts the ${of}`
  if (other || !isNumber(right, entity, names)) return undefined
  const add = unit === 'month' ? 'addMonths' : 'addDays'
  return sign === '+'
    ? `${what}, to which "+" adds nothing: ${add}(${left}, ${right}) is that ${unit}`
    : `${what}, from which "-" takes nothing: ${add}(${left}, -${right}) is that ${unit}`
}

function unitAt(text: string, entity: string, names: Names): Unit | undefined {
  const [, call] = /^(\w+)\(\)$/.exec(text) ?? []
  if (call !== undefined) return Object.hasOwn(calls, call) ? calls[call] : undefined
  const field = /^(old\.)?\w+$/.test(text) ? fieldAt(text.split('.'), entity, names) : undefined
  return field && calendarUnitOf(field, names)
}

function isNumber(text: string, entity: string, names: Names): boolean {
  if (decimalOf(text) !== null) return true
  const field = /^[\w.]+$/.test(text) ? fieldAt(text.split('.'), entity, names) : undefined
  return field !== undefined && names.widgets[field.type]?.expression === 'decimal'
}
