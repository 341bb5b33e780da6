import { constants } from '../shell/constants.ts'
import { localeOf } from '../../engine/model/language.ts'
import { language } from './language.ts'
import { legacyToken } from './token.ts'
import { text } from './words.ts'

/** The older client's answer: 20000 is success, `data` the result. */
interface LegacyAnswer<T> {
  code: number
  message?: string
  data: T
}
const success = 20000

/**
 * Any failure of a call of the older client. `code` is the answer's; 0 if there was none. To be shown for `errorToast`.
 */
export class LegacyError extends Error {
  override readonly name = 'LegacyError'
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message)
  }
}

/** No such token, signed in elsewhere, expired (specification, section 8). */
const signedOut = [50008, 50012, 50014]
export const isSignedOut = (error: unknown): boolean => error instanceof LegacyError && signedOut.includes(error.code)

async function send<T>(method: string, path: string, body?: unknown): Promise<T> {
  const answer = await fetchAnswer<T>(method, path, body)
  if (answer?.code !== success) throw new LegacyError(answer?.code ?? 0, answer?.message || 'Error')
  return answer.data
}

/**
 * Reads are retried once if there is no answer, because the first read decides whether a page opens, and its timeout is
 * short.
 * @returns null if the answer is not JSON. @throws LegacyError if nothing came in time.
 */
async function fetchAnswer<T>(
  method: string,
  path: string,
  body: unknown,
  tries = method === 'GET' ? 2 : 1,
): Promise<LegacyAnswer<T> | null> {
  const token = legacyToken()
  const signal = AbortSignal.timeout(constants.legacyTimeout)
  try {
    const answer = await fetch(`/api${path}`, {
      method,
      headers: {
        'Content-Type': 'application/json',
        ...(token && { 'X-Token': token }),
        language: localeOf(language.get()),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal,
    })
    return (await answer.json().catch((error: unknown) => {
      if (signal.aborted) throw error
      return null
    })) as LegacyAnswer<T> | null
  } catch {
    if (tries > 1) return fetchAnswer(method, path, body, tries - 1)
    throw new LegacyError(0, text('networkFailure'))
  }
}

/** The calls for the older template client (specification, section 7). */
export const legacy = {
  get: <T>(path: string, parameters: Record<string, string>) =>
    send<T>('GET', `${path}?${new URLSearchParams(parameters)}`),
  post: <T>(path: string, body: unknown) => send<T>('POST', path, body),
}
