/**
 * The interface through which procedures read and change records: by the names and types that the schema files declare,
 * within their work. What they write is recorded with it, in the same transaction.
 */
import type { CallResult } from '../model/model.ts'
import type { EntityName, HistoryName, Stored, Values } from './procedure/procedureTypes.ts'
import { ProcedureWork } from './procedure/procedureWork.ts'
import type { Procedure } from './runtime.ts'

export { type OpenValues, rowsIn, textIn, valueIn } from './procedure/procedureOpen.ts'
export type * from './procedure/procedureTypes.ts'
export type { Where } from './procedure/procedureWhere.ts'
export { ProcedureWork } from './procedure/procedureWork.ts'
export type { CallPart, Procedure } from './runtime.ts'
export { Refusal } from './errors.ts'

/** What a procedure receives besides its work. */
export interface ProcedureCall<E extends EntityName> {
  /** The entity whose operation named it: for records shared by families, the family's name for them. */
  entity: E
  /** Its name in history: the action that runs it, else `update`. */
  action: HistoryName
  /** The records concerned, complete and locked; or those that were just written. */
  records: Stored<E>[]
  /** After a write: the records as they were before it, in the same order; null for new ones. */
  before: (Stored<E> | null)[]
  /** The input: canonical, each value valid by itself. Of an unsaved form, all its values. */
  values: Values<E>
  /** Of such a form: the fields that the user has entered, and the parameters it was opened with. */
  typed: ReadonlySet<string>
  parameters: Readonly<Record<string, string>>
  /** For `foresee`: carries out the foreseen call, and rolls it back. @throws Refusal whatever that refuses. */
  act(): Promise<CallResult>
}

const nothingToAct = (): never => {
  throw new Error('`act` is only available in a `foresee` procedure')
}

/** A procedure as the engine calls it. `E`: the entity whose operations name it. */
export const procedure =
  <E extends EntityName>(
    act: (work: ProcedureWork, call: ProcedureCall<E>) => Promise<Record<string, unknown> | void>,
  ): Procedure =>
  ({ context, db, entity, action, records, before, values, form, act: carryOut = nothingToAct }) =>
    act(new ProcedureWork(context, db), {
      entity: entity as E,
      action: (action ?? 'update') as HistoryName,
      records: records as unknown as Stored<E>[],
      before: (before ?? records.map(() => null)) as unknown as (Stored<E> | null)[],
      values: values as unknown as Values<E>,
      typed: new Set(form?.typed),
      parameters: form?.parameters ?? {},
      act: carryOut,
    })
