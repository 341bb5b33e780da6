import { createHash } from 'node:crypto'

export type ConstraintKind =
  | 'unique'
  | 'index'
  | 'trigram'
  | 'gin'
  | 'living'
  | 'ascending'
  | 'descending'
  | 'reference'

/**
 * The name of an index or constraint, deterministic and at most 63 bytes. A unique violation names it:
 * `customer_uscc_unique`.
 */
export function constraintName(table: string, columns: string[], kind: ConstraintKind): string {
  const name = [table, ...columns, kind].join('_')
  // An underscore inside a name could make two names equal; a digest keeps them apart.
  if (Buffer.byteLength(name) <= 63 && ![table, ...columns].some((part) => part.includes('_'))) return name
  const digest = createHash('sha256')
    .update(JSON.stringify([table, columns, kind]))
    .digest('hex')
    .slice(0, 12)
  let head = name
  while (Buffer.byteLength(head) > 50) head = head.slice(0, -1)
  return `${head}_${digest}`
}
