import { cellField } from '../../model/model.ts'
import type { Field, ImportPlan } from '../../model/model.ts'
import { truncateText } from '../../model/truncateText.ts'
import { hidden } from '../../expression/worded.ts'
import type { Context } from '../runtime.ts'
import { textForAll, widgetContext } from '../records/reading/words.ts'
import { type FileRow, rowEntity, targetEntity } from './importFile.ts'

/** Enough to recognise a cell by. */
const mostQuoted = 100

/**
 * The text of a cell as problems quote it. They are stored, and read by more users than the cell itself, so sensitive
 * values are masked, and of long texts only the beginning is quoted.
 */
export function quoted(context: Context, plan: ImportPlan, name: string, text: string | undefined): string {
  const whole = quotedWhole(context, plan, name, text)
  return whole.length > mostQuoted ? `${truncateText(whole, mostQuoted)}…` : whole
}

function quotedWhole(context: Context, plan: ImportPlan, name: string, text: string | undefined): string {
  if (!text) return ''
  const cell = rowEntity(context, plan).fields[cellField(name)]
  const field = targetEntity(context, plan).fields[name]
  // If a cell may identify a record in several ways, the record's public name may be quoted.
  if (cell.sensitive && !field.sensitive) return isSecretName(context, field, text) ? hidden : text
  return textForAll(context, cell, text)
}

/** A mistyped number reveals as much as the right one. */
const likeNumber = /\d{5}/

/** Whether the text is a sensitive value that identifies a record, or a mistyped one. */
function isSecretName(context: Context, field: Field, text: string): boolean {
  const target = context.derived.target(field)
  if (!target || likeNumber.test(text.normalize('NFKC'))) return true
  const { code, display, fields } = target.entity
  return Object.values(fields).some((each) => {
    if (!each.sensitive || !(each.unique || each.name === code || each.name === display)) return false
    const widget = context.derived.widget(each)
    const value: unknown = widget.normalize(text, each.options)
    return value !== null && widget.check(value, each.options, widgetContext(context, each)) === undefined
  })
}

/** The same for the cells of one row. */
export const quotes =
  (context: Context, plan: ImportPlan, { cells }: FileRow) =>
  (field: string): string =>
    quoted(context, plan, field, cells[field])
