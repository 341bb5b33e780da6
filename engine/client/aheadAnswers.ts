/** An answer as the request client reads it. */
export interface AheadAnswer {
  data: unknown
  headers: Record<string, unknown>
}

/** Milliseconds after which an answer is requested anew. */
const longestKept = 10_000
const kept = new Map<string, { at: number; answer: Promise<AheadAnswer | undefined> }>()
const keyOf = (path: string, parameters: object) => `${path} ${JSON.stringify(parameters)}`

/**
 * Answers to GET requests sent before the code that needs them is loaded. The first request for the same takes the
 * answer; a failed one is sent again. Anything written in between discards them all.
 */
export const aheadAnswers = {
  keep(path: string, parameters: object, answer: Promise<AheadAnswer>): void {
    kept.set(keyOf(path, parameters), { at: Date.now(), answer: answer.catch(() => undefined) })
  },
  take(path: string, parameters: object): Promise<AheadAnswer | undefined> | undefined {
    const key = keyOf(path, parameters)
    const found = kept.get(key)
    kept.delete(key)
    return found && Date.now() - found.at < longestKept ? found.answer : undefined
  },
  discard: (): void => kept.clear(),
}
