import type { Field, Label, RecordData } from '../../../model/model.ts'
import type { Context } from '../../runtime.ts'

/** A record that a stored message quotes. */
export interface Quoted {
  entity: string
  id: number
  /** What is quoted is its own and not only looked up, so the permission to view it is needed, too. */
  own?: true
}

/** A message stored for many readers: those who may not see all that it quotes read `neutral` instead. */
export interface StoredMessage {
  message: Label
  quoted?: readonly Quoted[]
  neutral?: Label
}

const named = new WeakMap<Label, readonly Quoted[]>()

/**
 * Notes the records that a refusal's message names, in case it is stored. It is kept beside the message, which is sent
 * as it is. @returns the message
 */
export function naming(message: Label, quoted: readonly Quoted[]): Label {
  named.set(message, quoted)
  return message
}

export const namedIn = (message: Label): readonly Quoted[] => named.get(message) ?? []

export const holdsMessages = ({ derived }: Pick<Context, 'derived'>, field: Field): boolean =>
  derived.widget(field).messages?.(field.options) ?? false

export const messagesOf = (record: RecordData, { name }: Field): StoredMessage[] =>
  Array.isArray(record[name]) ? (record[name] as unknown as StoredMessage[]) : []

/** The message for a reader, without what it quotes. */
export function worded<M extends StoredMessage>(
  { quoted = [], neutral, ...stored }: M,
  isSeen: (quoted: Quoted) => boolean,
): Omit<M, 'quoted' | 'neutral'> {
  return neutral === undefined || quoted.every(isSeen) ? stored : { ...stored, message: neutral }
}
