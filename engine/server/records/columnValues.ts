import type { Entity, RecordData } from '../../model/model.ts'
import { hashPassword, md5 } from '../identity/passwords.ts'
import type { Context } from '../runtime.ts'
import { searchColumn, searchTextOf } from './reading/search.ts'
import { isEqual } from './reading/canonical.ts'
import { recordColumns } from '../postgres/recordColumns.ts'

/** Fields whose values are stored hashed or encrypted. */
export const protectedFields = (context: Context, { fields }: Entity): string[] =>
  Object.keys(fields).filter((name) => context.derived.widget(fields[name]).protect)

/**
 * Column → value in JSON form, only those that differ from `old`, or of a new record those that are not null.
 * @param plain fields that hold a new secret in clear text: it is hashed or encrypted here
 */
export async function columnValues(
  context: Context,
  entity: Entity,
  record: RecordData,
  plain: ReadonlySet<string>,
  old?: RecordData,
): Promise<Record<string, unknown>> {
  const values: Record<string, unknown> = {}
  for (const name of Object.keys(context.derived.columns[entity.name])) {
    const value = record[name]
    if (name in recordColumns || value === undefined) continue
    if (old ? isEqual(value, old[name]) && Object.hasOwn(old, name) : value === null) continue
    const protect = context.derived.widget(entity.fields[name]).protect
    if (value !== null && protect && plain.has(name)) {
      values[name] =
        protect === 'hash' ? await hashPassword(md5(String(value))) : context.runtime.secrets.encrypt(String(value))
    } else {
      values[name] = value
    }
  }
  const search = searchTextOf(context, entity, record)
  if (search !== null && (!old || search !== searchTextOf(context, entity, old))) values[searchColumn] = search
  return values
}
