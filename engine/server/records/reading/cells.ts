import type { Entity, Field, Value } from '../../../model/model.ts'
import { seesWhole } from '../../identity/access.ts'
import type { Context } from '../../runtime.ts'
import { widgetContext } from './words.ts'

/** In spreadsheet form. */
type CellValue = string | number | boolean | Date | null

/** The cells of the field's column; users who only see a mask get the mask. */
export function cellWriter(context: Context, entity: Entity, field: Field): (value: Value) => CellValue {
  return seesWhole(context, entity, field) ? cellOf(context, field) : (value) => (value === null ? null : String(value))
}

/** The same for a value that the user may see. */
export function cellOf(context: Context, field: Field): (value: Value) => CellValue {
  const { sheet, text } = context.derived.widget(field)
  const words = widgetContext(context, field)
  return (value) =>
    value === null
      ? null
      : sheet
        ? sheet.write(value, field.options, words, context.language)
        : text(value, field.options, words, context.language)
}
