import { boolean, fieldName, list, oneOf, optional, shape, shorthand } from '../model/model.ts'
import type { AssembleScope, Entity, Field, Grain, GroupKey, Static, Widget } from '../model/model.ts'
import { openFields, shownField } from './measures.ts'

const groupKeyShape = shorthand(
  'field',
  shape({
    field: fieldName(),
    unit: optional(oneOf(['month'], { about: { cn: '按日期所在月份', en: 'Groups dates by month' } })),
    each: boolean({
      default: false,
      about: { cn: '多选字段的每个值各计一次', en: 'For list fields, a record counts under each of its values' },
    }),
  }),
)
export const groupKeysShape = list(groupKeyShape, { distinct: ['field'] })
export type GroupKeyFile = Static<typeof groupKeyShape>

/**
 * Groups by the value of a field that is not sensitive and is sortable, or by the month of a date. Others are reported
 * and left out.
 */
export function assembleGroupKeys(
  files: readonly GroupKeyFile[],
  entity: Entity,
  pointer: string,
  scope: AssembleScope,
): GroupKey[] {
  return files.flatMap(({ field: name, unit, each }, index): GroupKey[] => {
    const at = `${pointer}/${index}`
    const field = entity.fields[name]
    const widget = scope.widgets[field.type]
    const what = { entity: entity.name, found: name }
    openFields([name], entity, at, scope)
    const grain = unit === 'month' ? grainOf(field, scope) : undefined
    if (unit === 'month' ? grain === undefined : !isGroupable(field, widget)) {
      scope.issue('not-groupable', unit === 'month' ? `${at}/unit` : at, {
        ...what,
        what: unit === 'month' ? 'its months' : 'its values',
      })
      return []
    }
    if (!scope.isQueried(entity.name, name)) {
      scope.issue('not-stored', at, { ...what, operation: 'group by it' })
      return []
    }
    return [
      {
        field: name,
        ...(unit && { unit }),
        ...(each && { each }),
        ...(grain && { grain }),
        shown: unit === 'month' ? shownField(name, 'month', field.label, scope) : field,
      },
    ]
  })
}

/** Values that are sortable, few in number, or the subjects of records. */
function isGroupable(
  { options }: Field,
  { column, sortable, expression, dictionary, target, files, html }: Widget,
): boolean {
  if (column(options) === null || files || html) return false
  return (
    sortable ||
    dictionary?.(options) !== undefined ||
    target?.(options) !== undefined ||
    expression === 'boolean' ||
    expression.startsWith('list')
  )
}

/** The precision of a calendar field; undefined if it is not a date. */
export function grainOf({ type, options, label }: Field, { widgets, catalog }: AssembleScope): Grain | undefined {
  const { normalize, check, expression } = widgets[type]
  if (expression !== 'string') return undefined
  const context = { label, dictionary: (name: string) => catalog.dictionaries[name], now: () => '2026-03-01 00:00:00' }
  const takes = (text: string) => {
    const value = normalize(text, {}) as unknown
    return value === text && check(value, { ...options, min: undefined, max: undefined }, context) === undefined
  }
  if (takes('x')) return undefined
  if (takes('2026-03')) return 'month'
  return takes('2026-03-01') ? 'day' : takes('2026-03-01 00:00:00') ? 'moment' : undefined
}
