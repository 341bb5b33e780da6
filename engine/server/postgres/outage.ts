/** Distinguishes outages of the database or disk from errors of the product. */
import { randomBytes } from 'node:crypto'

/**
 * `unreachable`: down, starting, or failing over. `overloaded`: no free connections. `full`: no space left. `late`: the
 * request's time was up. `behind`: this process has other schema files than those in force. `files`: the bucket does
 * not answer.
 */
export type Outage = 'unreachable' | 'overloaded' | 'full' | 'late' | 'behind' | 'files'

/** Short enough to read out on the telephone. */
export const newIncident = () => randomBytes(4).toString('hex').toUpperCase()

/** The database ended a statement that took too long. */
export const isStatementTimeout = (error: unknown): boolean =>
  error instanceof Error && (error as NodeJS.ErrnoException).code === '57014'

/** A request uses the database after its time was up. */
export class OutOfTimeError extends Error {
  readonly code = 'OUT_OF_TIME'
  constructor() {
    super('The request had its time, and gets no connection any more.')
  }
}

/** This process has other schema files than those in force. */
export class BehindError extends Error {
  readonly code = 'BEHIND'
  constructor() {
    super('Another generation of the schema files is in force than the one of this process.')
  }
}

/** No connection could be made, for whatever reason: a changed password, a missing database … */
export class NoConnectionError extends Error {
  readonly code = 'NO_CONNECTION'
}

const full = ['53100', 'ENOSPC', 'EDQUOT']
const overloaded = ['53200', '53300', '53400']
const network = /^(ECONN(REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|E(HOST|NET)(UNREACH|DOWN)|ENOTFOUND|EAI_AGAIN)$/
/** SQLSTATEs: shutting down, crashed, starting; a broken connection; a primary that became a standby. */
const states = /^(57P0[1-5]|08...|25006)$/
/** The driver's own errors have no codes. */
const sentences =
  /^(Connection terminated|Client has encountered a connection error|Client was closed and is not queryable|Query read timeout|read ECONN|write E)/
const waited = 'timeout exceeded when trying to connect'

/** @returns undefined if the error is not an outage */
export function outageOf(error: unknown): Outage | undefined {
  if (!(error instanceof Error)) return undefined
  const { code = '', syscall, message } = error as NodeJS.ErrnoException
  if (error instanceof OutOfTimeError) return 'late'
  if (error instanceof BehindError) return 'behind'
  if (error instanceof NoConnectionError) return outageOf(error.cause) ?? 'unreachable'
  if (full.includes(code)) return 'full'
  if (code === 'FILES_UNREACHABLE') return 'files'
  if (overloaded.includes(code) || message === waited) return 'overloaded'
  // A missing socket means that the server is down; any other missing file does not.
  if (states.test(code) || network.test(code) || (code === 'ENOENT' && syscall === 'connect')) return 'unreachable'
  if (sentences.test(message)) return 'unreachable'
  return error.cause === undefined ? undefined : outageOf(error.cause)
}
