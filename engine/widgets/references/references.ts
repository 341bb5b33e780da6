import { integer, merged, optional, shape } from '../../model/model.ts'
import { comma, textIn } from '../../model/language.ts'
import type { Static, Widget } from '../../model/model.ts'
import { isReference, normalizeReference, referenceOptions, referenceText } from '../reference/reference.ts'
import type { Reference } from '../reference/reference.ts'
import { invalidSelection, limitSelection, normalizeMany, separators, splitCell } from '../selection.ts'

const options = merged(
  referenceOptions,
  shape({ max: optional(integer({ minimum: 1, about: { cn: '最多几项', en: 'Maximum number of records' } })) }),
)

/** The name, unless it would be taken for several. */
const cellPart = (value: Reference): string =>
  separators.test(referenceText(value)) && value.code ? value.code : referenceText(value)

/** References to several records of an entity. */
export const references: Widget<Static<typeof options>, Reference[]> = {
  type: 'references',
  label: { cn: '多个引用', en: 'References' },
  options,
  prompt: 'select',
  expression: 'list<map>',
  column: () => 'bigint[]',
  target: (options) => ({ entity: options.entity, many: true }),
  normalize: (value) => normalizeMany(value, normalizeReference, (entry) => (isReference(entry) ? entry.id : entry)),
  check: (value, options, context) => {
    if (!Array.isArray(value) || !value.every(isReference)) return invalidSelection(context)
    return options.max !== undefined && value.length > options.max ? limitSelection(context, options.max) : undefined
  },
  text: (value: Reference[], _options, _context, language) => value.map(referenceText).join(textIn(comma, language)),
  width: () => 200,
  operators: ['overlaps', 'equals', 'empty'],
  sortable: false,
  sheet: {
    write: (value: Reference[]) => value.map(cellPart).join('、'),
    // Codes or names, which the import looks up.
    read: (cell) => (typeof cell === 'string' ? splitCell(cell) : cell),
  },
}
