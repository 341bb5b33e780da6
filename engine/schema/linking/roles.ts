import { isObject } from '../walk.ts'
import type { ExpandedFile } from '../named.ts'

/** The entity whose records sign in, and receive messages. */
export const userEntity = 'user'
/** The entity whose records are the roles that users have, and its field that files and expressions name them by. */
export const roleEntity = 'role'
export const roleCode = 'code'
/** The entity that says which of the users are together. */
export const departmentEntity = 'department'

/** The codes of the roles that come with the files. Others that administrators add are known to no file. */
export function presetRoles(files: readonly ExpandedFile[]): string[] {
  const rows = files.flatMap(({ source, value }) =>
    source.kind === 'records' && value.entity === roleEntity && Array.isArray(value.rows) ? value.rows : [],
  )
  return rows.flatMap((row) => (isObject(row) && typeof row[roleCode] === 'string' ? [row[roleCode]] : []))
}
