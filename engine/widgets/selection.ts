/** The common part of widgets that choose among given values. */
import type { Problem, Unread, WidgetContext } from '../model/model.ts'
import { problem } from './problem.ts'

export const invalidSelection = (context: Pick<WidgetContext, 'label'>): Problem =>
  problem('choice', { cn: '请选择正确的{label}', en: 'Please select a valid {label}' }, context)

export const limitSelection = (context: Pick<WidgetContext, 'label'>, max: number): Problem =>
  problem('limit', { cn: '最多选择{max}项', en: 'Select at most {max}' }, context, { max })

/** Values that every widget treats as empty. */
export const isNothing = (value: unknown): value is null | undefined =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

/** Separates several values in a cell. */
export const separators = /[、､,，;；\n]/

/** A cell with several values: `劳务派遣、薪酬代发`, `a, b`, `a；b`. A list is taken as it is. */
export function splitCell(cell: unknown, between = separators): unknown[] {
  if (Array.isArray(cell)) return cell
  if (cell === null || cell === undefined) return []
  return String(cell)
    .split(between)
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

/** Distinct values of a list, in order. A single value is a list of one; anything else is passed on. */
export function normalizeMany<T>(
  value: unknown,
  valueOf: (entry: unknown) => T | null,
  key: (entry: T) => unknown,
): Unread {
  if (isNothing(value)) return null
  const entries = (Array.isArray(value) ? value : [value]).map(valueOf).filter((entry): entry is T => entry !== null)
  const kept = [...new Map(entries.map((entry) => [key(entry), entry])).values()]
  return kept.length === 0 ? null : kept
}
