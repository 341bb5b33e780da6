/** How a change affects the data in the database. */
export interface DataDifference {
  kind: 'invalid' | 'lossy' | 'view' | 'role' | 'import'
  /** The entity, screen or role. */
  of: string
  /** Records, users or batches. */
  count: number
  text: string
}
