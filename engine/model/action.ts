/** What a screen offers to do, and the records that it shows a little of. */
import type { AskedField } from './entity.ts'
import type { Label } from './shape.ts'
import type { FilterValue } from './widget.ts'

/**
 * A button or link of a screen. What it does is `do`; who may, and what happens in the data, the entity has declared.
 */
export interface ActionPlan {
  name: string
  label: Label
  on: 'toolbar' | 'row' | 'batch' | 'header' | 'footer'
  permission: string
  /** Hidden where false (on the record; batch: on every ticked record). */
  shownWhen?: string
  confirm?: Label
  danger: boolean
  primary: boolean
  do:
    | { kind: 'link'; to: string }
    /** The screen `name` in a drawer; `{id}` filled from the record, `{ids}` from all that are ticked, with commas. */
    | { kind: 'drawer'; screen: string; query: Record<string, string> }
    | { kind: 'delete'; path: string }
    | { kind: 'export'; path: string }
    /** A file that `GET path` answers; `{id}` in its parameters is filled from the record; `done` is said afterwards. */
    | { kind: 'download'; path: string; query: Record<string, string>; done?: Label }
    /**
     * POST `{ id | ids, revision, values }`; first asks for `form`, which begins with what `POST prepare` of the same
     * records answers. Its fields are shown and required as they are in the state that a transition leads to.
     */
    | {
        kind: 'call'
        path: string
        form: AskedField[]
        keepEmpty: boolean
        /** From one of these states to that one. */
        transition?: { field: string; from: string[]; to: string }
        prepare?: string
        foresee?: string
      }
    /** Shows these fields of the record and offers the calls. */
    | { kind: 'review'; show: string[]; calls: ActionPlan[] }
}

/** Records that wait for somebody; a board's plan holds them under `waiting`. Read by `GET /plans/waiting?screen=`. */
export interface WaitingRecords {
  name: string
  entity: string
  /** Of the list that shows them: without it they are not told of. */
  permission: string
  filters: Record<string, FilterValue>
  /** The date whose earliest is told. */
  dated?: string
}
/** By the name of what waits; what the user may not see is missing. `first`: the earliest date. */
export type Waiting = Readonly<Record<string, { total: number; first?: string }>>

/**
 * Records that a screen shows a little of; its plan holds them under `blocks`. Read by `GET
 * /plans/block?screen=&name=`.
 */
export interface RecordsBlock {
  name: string
  entity: string
  /** Without it the block is not there. */
  permission: string
  filter: Record<string, FilterValue>
  sort?: string
  limit: number
  /** All that is read of them. */
  fields: string[]
  /** Only records whose field names no department, or the user's, or one above it. */
  departments?: string
}
