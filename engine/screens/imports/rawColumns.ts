import type { Label } from '../../model/model.ts'
import { arranged, type WrittenColumn } from './arranged.ts'

/** A file as it was read, unchecked. */
export type Data = Record<string, unknown>
export const isData = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
export const labelOr = (value: unknown, name: string): Label =>
  isData(value) ? (value as Label) : { cn: name, en: name }

/** The entity files, and their areas. */
export interface Entities {
  file(name: string): Data | undefined
  areaOf(name: string): string | undefined
}

/** A field that only the system writes. */
export const set = (label: Label, rest: Data) => ({ ...rest, readOnly: true, label })

/** A column of an import, from unchecked files. */
export interface RawColumn {
  field: string
  label: Label
  sensitive: boolean
  /** The entity whose sensitive field a cell may contain, to identify one of its records. */
  namedBy?: string
}

/** The entity that a field refers to, if a cell may identify its record by a sensitive field. */
function namedBySensitive(field: unknown, { file }: Entities): string | undefined {
  if (!isData(field) || typeof field.entity !== 'string' || field.by !== undefined) return undefined
  const target = file(field.entity)
  const fields = isData(target?.fields) ? target.fields : {}
  const names = ([name, field]: [string, unknown]) =>
    isSensitive(field) && (field.unique === true || [target?.display, target?.code].includes(name))
  return Object.entries(fields).some(names) ? field.entity : undefined
}

/** The permissions needed to see something that contains all of these cells. */
export function maskedAs(columns: readonly RawColumn[]): Data {
  if (!columns.some(({ sensitive }) => sensitive)) return {}
  return { sensitive: true, sensitiveOf: [...new Set(columns.flatMap(({ namedBy }) => namedBy ?? []))] }
}

const isSensitive = (field: unknown): field is Data => isData(field) && field.sensitive === true

/** The permission needed to see cells unmasked: that of the written records, or of those that cells identify. */
export function seenWholeWith(into: string, columns: RawColumn[], { file, areaOf }: Entities, area: string): string {
  const fields = file(into)?.fields
  const isOwn = isData(fields) && Object.values(fields).some(isSensitive)
  const owner = (isOwn ? undefined : columns.find(({ namedBy }) => namedBy !== undefined)?.namedBy) ?? into
  const data = file(owner)
  const written = isData(data?.permissions) ? data.permissions.viewSensitive : undefined
  if (typeof written === 'string') return written
  const name = typeof data?.permissionName === 'string' ? data.permissionName : owner
  return `${areaOf(owner) ?? area}:${name}:viewSensitive`
}

/** The valid columns; the check reports the others where they are written. */
export function rawColumns(data: Data, into: Data | undefined, entities: Entities): RawColumn[] {
  const fields = isData(into?.fields) ? into.fields : {}
  const written = (Array.isArray(data.columns) ? data.columns : []).flatMap(
    (each: unknown): (WrittenColumn & RawColumn)[] => {
      const column = typeof each === 'string' ? { field: each } : isData(each) ? each : {}
      if (typeof column.field !== 'string' || !/^[a-z][A-Za-z0-9]*$/.test(column.field)) return []
      const field = fields[column.field]
      const label = isData(column.label) ? column.label : isData(field) ? field.label : undefined
      const namedBy = namedBySensitive(field, entities)
      return [
        {
          field: column.field,
          label: labelOr(label, column.field),
          sensitive: isSensitive(field) || namedBy !== undefined,
          ...(namedBy !== undefined && { namedBy }),
          ...(typeof column.after === 'string' && { after: column.after }),
        },
      ]
    },
  )
  const without = (Array.isArray(data.without) ? data.without : []).filter((name) => typeof name === 'string')
  const columns = arranged(written, without, ({ label }) => label)
  return [...new Map(columns.map((column) => [column.field, column])).values()]
}
