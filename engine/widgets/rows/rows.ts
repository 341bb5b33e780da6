import {
  boolean,
  entityName,
  fieldName,
  filter,
  integer,
  list,
  optional,
  record,
  shape,
  unknown,
} from '../../model/model.ts'
import { fillText } from '../../model/fillText.ts'
import { textIn } from '../../model/language.ts'
import type { ByType, Field, Label, Problem, Static, Unread, Value, Widget, WidgetContext } from '../../model/model.ts'
import { malformed, problem } from '../problem.ts'
import { isNothing } from '../selection.ts'

const options = shape({
  entity: entityName({ about: { cn: '子表的实体', en: 'The entity of the rows' } }),
  by: fieldName({
    about: { cn: '子表中指向本记录的引用字段', en: 'The reference field of that entity to this record' },
  }),
  columns: list(fieldName(), {
    distinct: true,
    minItems: 1,
    about: { cn: '子表中显示的字段', en: 'The fields of that entity to show' },
  }),
  where: filter({
    default: {},
    about: {
      cn: '只含这些字段为此值的行，新行即取此值',
      en: 'Field → value: shows only rows with it, and new rows get it',
    },
  }),
  byType: record(record(unknown()), {
    default: {},
    about: {
      cn: '字段类型 → 该类型的字段在此子表中的选项，如金额的币种',
      en: 'Field type → options that fields of it have in these rows, such as the currency of amounts',
    },
  }),
  fixed: boolean({
    default: false,
    about: { cn: '行数和顺序固定', en: 'Rows cannot be added, removed or moved' },
  }),
  min: optional(integer({ minimum: 1, atMost: 'max', about: { cn: '至少几行', en: 'Minimum number of rows' } })),
  max: integer({ minimum: 1, default: 200, about: { cn: '最多几行', en: 'Maximum number of rows' } }),
})
export type RowsOptions = Static<typeof options>
/** A row in wire form: a record of the entity; an unsaved one has no `id`. */
export type Row = { [field: string]: Value }

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The problem that the cell's own widget reports; the engine checks everything that depends on the rest of the row. */
export function checkCell(
  cell: Value,
  field: Field,
  { dictionary, now }: Omit<WidgetContext, 'label'>,
  widgets: Record<string, Widget>,
): Problem | undefined {
  const widget = widgets[field.type]
  const value: Value = widget.normalize(cell, field.options)
  return value === null ? undefined : widget.check(value, field.options, { label: field.label, dictionary, now })
}

const tooFew = { cn: '{label}至少{min}行', en: '{label} needs at least {min} {min|row|rows}' }
const tooMany = { cn: '{label}最多{max}行', en: '{label} takes at most {max} {max|row|rows}' }

const rowCount: Label = { cn: '{n}行', en: '{n} {n|row|rows}' }

/**
 * An editable table: the records of another entity that belong to this one and are saved with it. Only the list is
 * checked here; the engine checks each row as a record of its entity.
 */
export const rows: Widget<RowsOptions, Row[]> = {
  type: 'rows',
  alsoCalled: ['table'],
  label: { cn: '子表', en: 'Rows' },
  options,
  prompt: 'enter',
  expression: 'list<map>',
  column: () => null,
  target: (options) => ({
    entity: options.entity,
    many: true,
    rows: { by: options.by, where: options.where as Row, byType: options.byType as ByType, max: options.max },
  }),
  normalize: (value): Unread => (isNothing(value) ? null : value),
  check: (value: Value, options, context) => {
    if (!Array.isArray(value) || !value.every(isRow)) return malformed(context)
    if (options.min !== undefined && value.length < options.min)
      return problem('min', tooFew, context, { min: options.min })
    return value.length > options.max ? problem('max', tooMany, context, { max: options.max }) : undefined
  },
  text: ({ length }: Row[], _options, _context, language) => fillText(textIn(rowCount, language), () => String(length)),
  width: () => 100,
  operators: ['empty'],
  sortable: false,
}
