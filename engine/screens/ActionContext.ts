import type { ActionPlan, AssembleScope } from '../model/model.ts'

/** The context of one list of actions. `pointer` is the list's position in its file. */
export interface ActionContext {
  scope: AssembleScope
  pointer: string
  on: ActionPlan['on']
  /** The standard actions beside it that open the entity's own screens. */
  opening?: readonly string[]
}
