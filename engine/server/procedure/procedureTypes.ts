import type { FieldProblem, Value } from '../../model/model.ts'
import type { loggedOperations } from '../../schema/language/log.ts'

/** Entity → its record; `npm run schemas -- types` fills it from the schema files. */
// oxlint-disable-next-line typescript/no-empty-object-type -- what is made from the schema files adds to it
export interface RecordTypes {}
// oxlint-disable-next-line typescript/no-empty-object-type -- what is made from the schema files adds to it
export interface SettingTypes {}
// oxlint-disable-next-line typescript/no-empty-object-type -- what is made from the schema files adds to it
export interface TransitionTypes {}
// oxlint-disable-next-line typescript/no-empty-object-type -- what is made from the schema files adds to it
export interface ActionTypes {}

/** An exact decimal in stored form: `-12.30`. */
export type Amount = string
/** The id of a record of that entity. */
export type Id<E extends string> = number & { readonly of?: E }
export type Json = Value
export type StoredFile = { url: string; name: string; size: number; [more: string]: Value }

export type EntityName = Extract<keyof RecordTypes, string>
/** A complete stored record. */
export type Stored<E extends EntityName> = RecordTypes[E]
export type FieldName<E extends EntityName> = keyof RecordTypes[E] & string
/** A stored record of which some fields were read. */
export type Part<E extends EntityName, F extends FieldName<E>> = Pick<RecordTypes[E], F | ('id' & FieldName<E>)>
/** Values of a new or changed record; new rows have no ids yet. */
export type Values<E extends EntityName> = Given<RecordTypes[E]>
export type TransitionName<E extends EntityName> = TransitionTypes[E & keyof TransitionTypes] & string
export type ActionName<E extends EntityName> = keyof ActionTypes[E & keyof ActionTypes] & string
/** Names of changes in history: those of any entity's operations, because each has a label. */
export type HistoryName =
  | { [E in EntityName]: ActionName<E> | TransitionName<E> }[EntityName]
  | keyof typeof loggedOperations
/** `field` or `-field`. */
export type Order<E extends EntityName> = FieldName<E> | `-${FieldName<E>}`
/** The place of a problem: a field, or a cell of its rows, `items.0.amount`. */
export type Place<E extends EntityName> =
  IsShared<E> extends true ? string : FieldName<E> | `${FieldName<E>}.${number}.${string}`
/** A name that stands for the entities of all families, which have additional fields of their own. */
type IsShared<E extends string> = {} extends Record<E, 1> ? true : false
export type Problem<E extends EntityName> = FieldProblem & { field: Place<E> }

type Given<R> = { [F in keyof R]?: GivenValue<R[F]> | (F extends 'id' | 'revision' ? never : null) }
type GivenValue<V> = V extends readonly { revision: number }[] ? readonly Given<V[number]>[] : V
