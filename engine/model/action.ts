/** Actions of a screen, and the records shown in its blocks. */
import type { PromptedField } from './entity.ts'
import type { Label } from './shape.ts'
import type { FilterValue } from './widget.ts'

/**
 * A button or link of a screen. `do` says what it does; the entity declares who may use it and what happens in the
 * data.
 */
export interface ActionPlan {
  name: string
  label: Label
  on: 'toolbar' | 'row' | 'batch' | 'header' | 'footer'
  permission: string
  /** Hidden if false (on the record; batch: on every ticked record). */
  shownWhen?: string
  confirm?: Label
  danger: boolean
  primary: boolean
  do:
    | { kind: 'link'; to: string }
    /**
     * The screen `name` in a drawer; `{id}` is filled from the record, `{ids}` from all ticked records, separated by
     * commas.
     */
    | { kind: 'drawer'; screen: string; query: Record<string, string> }
    | { kind: 'delete'; path: string }
    | { kind: 'export'; path: string }
    /**
     * Downloads the file from `GET path`; `{id}` in its parameters is filled from the record; `done` is the message
     * afterwards.
     */
    | { kind: 'download'; path: string; query: Record<string, string>; done?: Label }
    /**
     * POST `{ id | ids, revision, values }`; first prompts for `form`, prefilled by `POST prepare` of the same records.
     * Its fields are visible and required as in the state that a transition leads to.
     */
    | {
        kind: 'call'
        path: string
        form: PromptedField[]
        keepEmpty: boolean
        /** From one of these states to that one. */
        transition?: { field: string; from: string[]; to: string }
        prepare?: string
        foresee?: string
      }
    /** Shows these fields of the record with the calls as decisions. */
    | { kind: 'review'; show: string[]; calls: ActionPlan[] }
}

/**
 * Whether somebody else may be asked to take the action on a record. Nobody waits for an edit, unless it is offered only
 * in certain states.
 */
export const isRemindable = ({ name, do: { kind }, shownWhen }: ActionPlan): boolean =>
  (name !== 'edit' || shownWhen !== undefined) &&
  (kind === 'call' || kind === 'review' || kind === 'drawer' || kind === 'link')

/** Records that wait for a user; a board's plan holds them under `waiting`. Read by `GET /plans/waiting?screen=`. */
export interface WaitingRecords {
  name: string
  entity: string
  /** The permission of the list that shows them; without it they are not reported. */
  permission: string
  filters: Record<string, FilterValue>
  /** The date field whose earliest value is reported. */
  dated?: string
}
/** Keyed by the name of what waits; omits what the user may not see. `first`: the earliest date. */
export type Waiting = Readonly<Record<string, { total: number; first?: string }>>

/**
 * Records shown in a block of a screen; its plan holds them under `blocks`. Read by `GET /plans/block?screen=&name=`.
 */
export interface RecordsBlock {
  name: string
  entity: string
  /** Without it the block is not shown. */
  permission: string
  filter: Record<string, FilterValue>
  sort?: string
  limit: number
  /** The only fields that are read. */
  fields: string[]
  /** Only records whose field names no department, the user's, or one above it. */
  departments?: string
}
