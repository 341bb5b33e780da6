import type { Actual } from './actualTables.ts'

/** A change that the operator has to make by hand, because values would be lost or conflict with it. */
export interface LossyChange {
  table: string
  column: string
  why: string
  sql: string
  rows: number
}

/** An index that is built after the other changes. */
export interface LaterIndex {
  name: string
  statement: string
}

/** Each step comes after the ones above it. */
export const steps = ['create', 'rename', 'drop', 'column', 'index', 'reference', 'items'] as const

/** The changes found so far. */
export interface TableDraft {
  actual: Actual
  statements: Record<(typeof steps)[number], string[]>
  /** Table → what is altered in one statement. */
  references: Record<'dropped' | 'added', Map<string, string[]>>
  lossy: LossyChange[]
  orphans: string[]
  later: LaterIndex[]
  notes: string[]
  trigram: boolean
  /** Records of `table where …`; what is counted at the same time takes one query. */
  count(from: string): Promise<number>
}

/** Column → its current name; new columns are missing. */
export type Before = Map<string, string>

/** Indexes and constraints of a renamed column are matched by its new name. */
export function renaming(before: Before): (column: string) => string {
  const after = new Map([...before].map(([name, old]) => [old, name]))
  return (column) => after.get(column) ?? column
}

export const notUnique = 'the values are to be unique and are not'
