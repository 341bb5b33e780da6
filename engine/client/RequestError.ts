import type { Conflict, Label, WireProblem } from '../model/model.ts'

/** The failure of a call, with the code of its envelope; 0 without one. */
export class RequestError extends Error {
  override readonly name = 'RequestError'
  readonly code: number
  /** The message in every language, if the server gave it. */
  readonly texts: Label | undefined
  readonly errors: WireProblem[]
  readonly conflict: Conflict | undefined
  /** What the server answers besides the message. */
  readonly result: unknown
  /** A call that was cancelled on purpose is not reported to the user. */
  readonly cancelled: boolean

  constructor(
    message: string,
    {
      code = 0,
      texts,
      errors = [],
      conflict,
      result,
      cancelled = false,
    }: Partial<Omit<RequestError, 'name' | 'message'>> = {},
  ) {
    super(message)
    this.code = code
    this.texts = texts
    this.errors = errors
    this.conflict = conflict
    this.result = result
    this.cancelled = cancelled
  }

  /** Not reported: it was cancelled, or the sign-in page already answers it. */
  get silent(): boolean {
    return this.cancelled || this.code === 401
  }
}

/** The text of an error in this language; '' if it has none. */
export const errorText = (error: unknown, language: string): string =>
  (error instanceof RequestError && error.texts?.[language]) || (error instanceof Error ? error.message : '')

export const isSilent = (error: unknown): boolean => error instanceof RequestError && error.silent
