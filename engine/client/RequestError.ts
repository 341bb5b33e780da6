import { textIn } from '../model/language.ts'
import type { Conflict, Label, WireProblem } from '../model/model.ts'

/** A failed call, with the code of its envelope, or 0 if there was none. */
export class RequestError extends Error {
  override readonly name = 'RequestError'
  readonly code: number
  /** The message in every language, if the server sent it. */
  readonly texts: Label | undefined
  readonly errors: WireProblem[]
  readonly conflict: Conflict | undefined
  /** The `result` that came with the error. */
  readonly result: unknown
  /** A call cancelled on purpose is not reported to the user. */
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

  /** Not reported, because it was cancelled or the sign-in page already handles it. */
  get silent(): boolean {
    return this.cancelled || this.code === 401
  }
}

/** The error's text in this language, or ''. */
export const errorText = (error: unknown, language: string): string =>
  (error instanceof RequestError && error.texts && textIn(error.texts, language)) ||
  (error instanceof Error ? error.message : '')

export const isSilent = (error: unknown): boolean => error instanceof RequestError && error.silent
