/** What a piece of work is allowed of the database: until when, and whether it may take another connection. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as delay } from 'node:timers/promises'

/** A connection that can be cut off: the database gives up what it does for it. */
export interface Cuttable {
  cut(): void
}

/** Of one request, or of one job that nobody waits for. */
export interface Allowance {
  /** Somebody waits for it: it does not wait long for a lock. */
  readonly asked: boolean
  readonly connections: Set<Cuttable>
  /** Its time is up: it gets no connection any more. */
  over: boolean
  timer?: NodeJS.Timeout
}

interface Place {
  allowance?: Allowance
  /** The transaction that this runs in, until that ends. */
  transaction?: { open: boolean }
}

const places = new AsyncLocalStorage<Place>()

export const currentAllowance = (): Allowance | undefined => places.getStore()?.allowance
export const isInTransaction = (): boolean => places.getStore()?.transaction?.open === true

/** Work that somebody waits for: when its time is up, whatever the database still does for it is given up. */
export function beginRequest(seconds: number): Allowance {
  const allowance: Allowance = { asked: true, connections: new Set(), over: false }
  allowance.timer = setTimeout(() => giveUp(allowance), seconds * 1000)
  allowance.timer.unref()
  return allowance
}

export const endRequest = (allowance: Allowance): void => clearTimeout(allowance.timer)

/** What is long by its nature (a file of all records, an import taken back) ends when it is done. */
export function takeAsLongAsItTakes(): void {
  const allowance = currentAllowance()
  if (allowance) clearTimeout(allowance.timer)
}

export function giveUp(allowance: Allowance): void {
  allowance.over = true
  for (const connection of allowance.connections) connection.cut()
}

export const during = <T>(allowance: Allowance, run: () => T): T => places.run({ allowance }, run)

/** What goes on by itself belongs to nobody's request, whoever started it. */
export const inBackground = <T>(run: () => T): T =>
  places.run({ allowance: { asked: false, connections: new Set(), over: false } }, run)

/** Marks what runs in a transaction, so that it can be told when it asks for a second connection. */
export async function inTransaction<T>(run: () => Promise<T>): Promise<T> {
  const transaction = { open: true }
  try {
    return await places.run({ allowance: currentAllowance(), transaction }, run)
  } finally {
    transaction.open = false
  }
}

/** @returns whether it ended in time. */
export async function endsWithin(milliseconds: number, work: Promise<unknown>): Promise<boolean> {
  const patience = new AbortController()
  const late = delay(milliseconds, false, { signal: patience.signal }).catch(() => false)
  try {
    return await Promise.race([work.then(() => true), late])
  } finally {
    patience.abort()
  }
}
