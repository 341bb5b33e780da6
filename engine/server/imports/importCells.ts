import { type Field, mostInCell, type Value } from '../../model/model.ts'
import { truncateText } from '../../model/truncateText.ts'
import type { Context } from '../runtime.ts'
import { widgetContext } from '../records/reading/words.ts'

/** `yyyy-MM-dd HH:mm:ss`, without the time if there is none, because sheets store moments without a zone. */
function momentText(moment: Date): string {
  const text = moment.toISOString().slice(0, 19).replace('T', ' ')
  return text.endsWith(' 00:00:00') ? text.slice(0, 10) : text
}

/**
 * A cell as rows store it: texts as given, other values as read by their field, in a form that it reads back unchanged.
 */
export function cellText(context: Context, field: Field, cell: unknown): string {
  if (cell === null || cell === undefined) return ''
  if (typeof cell === 'string') return cell.trim()
  const read = context.derived.widget(field).sheet!.read(cell, field.options, widgetContext(context, field))
  if (read instanceof Date) return momentText(read)
  return typeof read === 'object' && read !== null ? JSON.stringify(read) : String(read ?? '')
}

/**
 * How many characters a valid value of the field has at most, and how many its cell may have: more, because spaces and
 * line ends are removed.
 */
export function longestCell(context: Context, field: Field): { value: number; cell: number } {
  const value = context.derived.widget(field).sheet!.longest?.(field.options)
  return { value: value ?? mostInCell, cell: Math.max(mostInCell, 2 * (value ?? 0)) }
}

/** A cell that no value of the field can be, without its end, but still recognisable as too long. */
export const cutCell = (context: Context, field: Field, text: string): string =>
  truncateText(text, longestCell(context, field).cell + 2)

const above = new Set(['同上', 'as above', 'same as above'])
export const isAsAbove = (text: string): boolean => above.has(text.normalize('NFKC').trim().toLowerCase())

/** The value of a stored cell for its field, not yet checked; references are still texts. */
export function cellValue(context: Context, field: Field, text: string): unknown {
  return context.derived.widget(field).sheet!.read(text, field.options, widgetContext(context, field))
}

/** A value as one text, for comparing and storing. */
export const valueText = (value: Value | undefined): string =>
  typeof value === 'string' ? value : JSON.stringify(value ?? null)
