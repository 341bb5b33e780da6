import { language } from './language.ts'
import { token } from './token.ts'

/** The older client's answer: 20000 is success, `data` the result. */
interface LegacyAnswer<T> { code: number; message?: string; data: T }

export class LegacyError extends Error {
  constructor(readonly code: number, message: string) {
    super(message)
  }
}

/** No such token, signed in elsewhere, expired (specification, section 8). */
const signedOut = [50008, 50012, 50014]
export const isSignedOut = (error: unknown): boolean => error instanceof LegacyError && signedOut.includes(error.code)

const timeout = 5000

async function send<T>(method: string, path: string, body?: unknown): Promise<T> {
  const answer = await fetch(`/api${path}`, {
    method,
    headers: {
      'Content-Type': 'application/json',
      'X-Token': token(),
      language: language.get() === 'cn' ? 'zh-CN' : 'en-US',
    },
    body: body === undefined ? undefined : JSON.stringify(body),
    signal: AbortSignal.timeout(timeout),
  })
  const read = await answer.json().catch(() => null) as LegacyAnswer<T> | null
  if (!read || read.code !== 20000) throw new LegacyError(read?.code ?? 0, read?.message ?? 'Error')
  return read.data
}

/** The older template client (specification, section 7): success code 20000, 5000 ms, token in X-Token. */
export const legacy = {
  get: <T>(path: string, parameters: Record<string, string>) => send<T>('GET', `${path}?${new URLSearchParams(parameters)}`),
  post: <T>(path: string, body: unknown) => send<T>('POST', path, body),
}
