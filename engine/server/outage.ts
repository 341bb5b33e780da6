/** What keeps the database or the disk from answering, told from mistakes of ours by how it fails. */

/**
 * `unreachable`: it is down, starting, or failing over. `overloaded`: all connections are taken. `full`: no room is left.
 * `late`: the request had its time. `behind`: other schema files are in force than those of this process.
 */
export type Outage = 'unreachable' | 'overloaded' | 'full' | 'late' | 'behind'

/** A request whose time is up asks for the database once more. */
export class OutOfTimeError extends Error {
  readonly code = 'OUT_OF_TIME'
  constructor() {
    super('The request had its time, and gets no connection any more.')
  }
}

/** Other schema files are in force by now. */
export class BehindError extends Error {
  readonly code = 'BEHIND'
  constructor() {
    super('Another generation of the schema files is in force than the one of this process.')
  }
}

/** No connection could be made, for whatever reason: the password was changed, the database is not there… */
export class NoConnectionError extends Error {
  readonly code = 'NO_CONNECTION'
}

const full = ['53100', 'ENOSPC', 'EDQUOT']
const overloaded = ['53200', '53300', '53400']
const network = /^(ECONN(REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|E(HOST|NET)(UNREACH|DOWN)|ENOTFOUND|EAI_AGAIN)$/
/** Shutting down, crashed, starting; a connection that broke; a primary that has become a standby. */
const states = /^(57P0[1-5]|08...|25006)$/
/** The driver has no codes of its own. */
const sentences =
  /^(Connection terminated|Client has encountered a connection error|Client was closed and is not queryable|read ECONN|write E)/
const waited = 'timeout exceeded when trying to connect'

/** Undefined for everything else. */
export function outageOf(error: unknown): Outage | undefined {
  if (!(error instanceof Error)) return undefined
  const { code = '', syscall, message } = error as NodeJS.ErrnoException
  if (error instanceof OutOfTimeError) return 'late'
  if (error instanceof BehindError) return 'behind'
  if (error instanceof NoConnectionError) return outageOf(error.cause) ?? 'unreachable'
  if (full.includes(code)) return 'full'
  if (overloaded.includes(code) || message === waited) return 'overloaded'
  // A socket that is not there is a server that is not there; any other file that is missing is not.
  if (states.test(code) || network.test(code) || (code === 'ENOENT' && syscall === 'connect')) return 'unreachable'
  if (sentences.test(message)) return 'unreachable'
  return error.cause === undefined ? undefined : outageOf(error.cause)
}
