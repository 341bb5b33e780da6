import type { Sender } from './baseRequest.ts'

interface GetRequest extends Sender {
  path: string
  parameters: object
}

/** An answer as the request client reads it. */
interface AheadAnswer {
  data: unknown
  headers: Record<string, unknown>
}

/** Milliseconds after which an answer is requested again. */
const longestKept = 10_000
const kept = new Map<string, { at: number; answer: Promise<AheadAnswer | undefined> }>()
const keyOf = ({ token, language, path, parameters }: GetRequest) => JSON.stringify([token, language, path, parameters])

/**
 * Answers to GET requests sent before the code that needs them is loaded. The first request for the same by the same
 * session in the same language takes the answer; a failed one is sent again. Anything written in between discards them
 * all.
 */
export const prefetchedAnswers = {
  keep(request: GetRequest, answer: Promise<AheadAnswer>): void {
    kept.set(keyOf(request), { at: Date.now(), answer: answer.catch(() => undefined) })
  },
  take(request: GetRequest): Promise<AheadAnswer | undefined> | undefined {
    const key = keyOf(request)
    const found = kept.get(key)
    kept.delete(key)
    return found && Date.now() - found.at < longestKept ? found.answer : undefined
  },
  discard: (): void => kept.clear(),
}
