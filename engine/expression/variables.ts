import { settingTypes, type VariableType, type VariableTypes } from './index.ts'
import type { Field, Widget } from '../model/model.ts'

type Fields = Readonly<Record<string, Pick<Field, 'type' | 'options'> & { sensitive?: boolean }>>

/**
 * What `settings.<entity>.<field>` may read: all fields of single-record entities, except those that not everybody may
 * see. Secrets never leave the server, and expressions are also evaluated in browsers.
 */
export function settingTypesOf(
  singles: Readonly<Record<string, { fields: Fields }>>,
  widgets: Readonly<Record<string, Widget>>,
  entity: (name: string) => { fields: Fields } | undefined,
): VariableTypes {
  return Object.fromEntries(
    Object.entries(singles).map(([name, { fields }]) => {
      const open = Object.entries(fields).filter(([, { type, sensitive }]) => !sensitive && !widgets[type]?.protect)
      return [name, expressionTypes(Object.fromEntries(open), widgets, entity)]
    }),
  )
}

/** The types of a record's fields, with those of the settings. */
export const withSettings = (types: VariableTypes, settings: VariableTypes): VariableTypes => ({
  ...types,
  [settingTypes]: settings,
})

/**
 * How expressions see the fields of an entity: a reference as the id it points to, several as a list of ids, rows as a
 * list of maps of their own fields. `entity` gives the fields of another entity, if known.
 */
export function expressionTypes(
  fields: Fields,
  widgets: Readonly<Record<string, Widget>>,
  entity: (name: string) => { fields: Fields } | undefined,
): VariableTypes {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      const type = expressionType(field, widgets, entity)
      return type ? [[name, type]] : []
    }),
  )
}

function expressionType(
  { type, options }: Fields[string],
  widgets: Readonly<Record<string, Widget>>,
  entity: (name: string) => { fields: Fields } | undefined,
): VariableType | undefined {
  const widget = widgets[type]
  const target = widget?.target?.(options)
  if (!target) return widget?.expression
  if (!target.rows) return target.many ? 'list<decimal>' : 'decimal'
  const rows = entity(target.entity)
  // Rows within rows are plain lists: two entities may contain rows of each other.
  return rows ? [expressionTypes(rows.fields, widgets, () => undefined)] : 'list<map>'
}
