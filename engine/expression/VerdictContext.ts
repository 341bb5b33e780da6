import type { ScopeUser, Settings } from './index.ts'
import type { Dictionary, Entity, RecordData, Widget } from '../model/model.ts'

/** An Entity or an EntityPlan; a plan lacks the fields that the user may not see, which then count as missing. */
export type VerdictEntity = Pick<Entity, 'name' | 'fields' | 'rules' | 'single'>

export interface VerdictContext {
  widgets: Record<string, Widget>
  /** At least the entities of this entity's rows, and those whose settings its expressions read. */
  entities: Record<string, VerdictEntity | undefined>
  dictionary(name: string): Dictionary
  /** The business clock, `yyyy-MM-dd HH:mm:ss`. */
  now(): string
  user?: ScopeUser | null
  settings?: Settings
  /** The record before the save; null or absent during creation. */
  old?: RecordData | null
  /** The fields that the save changes. */
  changed?: readonly string[]
  /**
   * Restricts the check to these fields and what depends on them: fields whose `requiredWhen` or `visibleWhen` reads
   * them, and their rules.
   */
  fields?: readonly string[]
}
