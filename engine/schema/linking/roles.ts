import { isObject } from '../walk.ts'
import type { ExpandedFile } from '../named.ts'

/** The entity whose records sign in, and receive messages. */
export const userEntity = 'user'
/** The entity of roles, and its field by which files and expressions name them. */
export const roleEntity = 'role'
export const roleCode = 'code'
/** The entity that groups users. */
export const departmentEntity = 'department'

/** The codes of the preset roles. Roles that administrators add are unknown to the files. */
export function presetRoles(files: readonly ExpandedFile[]): string[] {
  const rows = files.flatMap(({ source, value }) =>
    source.kind === 'records' && value.entity === roleEntity && Array.isArray(value.rows) ? value.rows : [],
  )
  return rows.flatMap((row) => (isObject(row) && typeof row[roleCode] === 'string' ? [row[roleCode]] : []))
}
