/** What the widgets that choose among given things share. */
import type { Problem, Unread, WidgetContext } from '../model/model.ts'
import { problem } from './problem.ts'

export const invalidSelection = (context: Pick<WidgetContext, 'label'>): Problem =>
  problem('choice', { cn: '请选择正确的{label}', en: 'Please select a valid {label}' }, context)

export const limitSelection = (context: Pick<WidgetContext, 'label'>, max: number): Problem =>
  problem('limit', { cn: '最多选择{max}项', en: 'Select at most {max}' }, context, { max })

/** What every widget takes for nothing. */
export const isNothing = (value: unknown): value is null | undefined =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

/** What stands between several things in a cell. */
export const separators = /[、､,，;；\n]/

/** A cell that holds several things: `劳务派遣、薪酬代发`, `a, b`, `a；b`. A list is taken as it is. */
export function splitCell(cell: unknown, between = separators): unknown[] {
  if (Array.isArray(cell)) return cell
  if (cell === null || cell === undefined) return []
  return String(cell)
    .split(between)
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

/**
 * One entry for each of what a list holds, in its order. A single thing is a list of one; what cannot be one is handed
 * on.
 */
export function normalizeMany<T>(
  value: unknown,
  one: (entry: unknown) => T | null,
  key: (entry: T) => unknown,
): Unread {
  if (isNothing(value)) return null
  const entries = (Array.isArray(value) ? value : [value]).map(one).filter((entry): entry is T => entry !== null)
  const kept = [...new Map(entries.map((entry) => [key(entry), entry])).values()]
  return kept.length === 0 ? null : kept
}
