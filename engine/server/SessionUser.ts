export const dataScopes = ['self', 'department', 'departmentAndBelow', 'all'] as const
export type DataScope = (typeof dataScopes)[number]

/** The user of a request. */
export interface SessionUser {
  /** 0: the system itself (presets, jobs), which may do everything and is never anyone's `createdBy`. */
  id: number
  username: string
  name: string
  /** Codes of the enabled roles. */
  roles: string[]
  department: number | null
  /** What the roles grant: `customer:customer:view`, `*` for any part. */
  permissions: string[]
  /** The widest scope among the roles. */
  dataScope: DataScope
}
