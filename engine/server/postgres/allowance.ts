/** How long a request or job may use the database, and whether it may take another connection. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { OutOfTimeError } from './outage.ts'

/** A connection that can be cut, so that the database abandons its statement. */
export interface Cuttable {
  cut(): void
}

/** The allowance of one request, or of one background job. */
export interface Allowance {
  /** A user waits for the answer, so it waits only briefly for a lock. */
  readonly isAwaited: boolean
  readonly connections: Set<Cuttable>
  /** Its time is up: it gets no more connections. */
  over: boolean
  timer?: NodeJS.Timeout
}

interface Place {
  allowance?: Allowance
  /** The open transaction that this runs in. */
  transaction?: { open: boolean }
}

const places = new AsyncLocalStorage<Place>()

export const currentAllowance = (): Allowance | undefined => places.getStore()?.allowance
export const isInTransaction = (): boolean => places.getStore()?.transaction?.open === true

/** Starts the time limit of a request; when it expires, its statements in the database are abandoned. */
export function beginRequest(seconds: number): Allowance {
  const allowance: Allowance = { isAwaited: true, connections: new Set(), over: false }
  allowance.timer = setTimeout(() => giveUp(allowance), seconds * 1000)
  allowance.timer.unref()
  return allowance
}

export const endRequest = (allowance: Allowance): void => clearTimeout(allowance.timer)

/** Lifts the time limit from an operation that may be long (an export, the undo of an import). */
export function takeAsLongAsItTakes(): void {
  const allowance = currentAllowance()
  if (allowance) clearTimeout(allowance.timer)
}

export function giveUp(allowance: Allowance): void {
  allowance.over = true
  for (const connection of allowance.connections) connection.cut()
}

export const during = <T>(allowance: Allowance, run: () => T): T => places.run({ allowance }, run)

/** Runs background work outside the request that started it. */
export const inBackground = <T>(run: () => T): T =>
  places.run({ allowance: { isAwaited: false, connections: new Set(), over: false } }, run)

/** The same for one step of such work, which is abandoned after that many seconds. @throws OutOfTimeError then. */
export async function withinSeconds<T>(seconds: number, run: () => Promise<T>): Promise<T> {
  const allowance: Allowance = { isAwaited: false, connections: new Set(), over: false }
  const timer = setTimeout(() => giveUp(allowance), seconds * 1000)
  timer.unref()
  try {
    return await places.run({ allowance }, run)
  } catch (error) {
    throw allowance.over ? new OutOfTimeError() : error
  } finally {
    clearTimeout(timer)
  }
}

/** Marks what runs in a transaction, so that a request for a second connection is detected. */
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
