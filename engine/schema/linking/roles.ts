import { roleCode, roleEntity } from '../../model/identityNames.ts'
import { isObject } from '../walk.ts'
import type { ExpandedFile } from '../named.ts'

/** The codes of the preset roles. Roles that administrators add are unknown to the files. */
export function presetRoles(files: readonly ExpandedFile[]): string[] {
  const rows = files.flatMap(({ source, value }) =>
    source.kind === 'records' && value.entity === roleEntity && Array.isArray(value.rows) ? value.rows : [],
  )
  return rows.flatMap((row) => (isObject(row) && typeof row[roleCode] === 'string' ? [row[roleCode]] : []))
}
