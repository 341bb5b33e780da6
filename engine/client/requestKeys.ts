/** Keys by which the server recognises a repeated request. */
export interface RequestKeys {
  /**
   * Stays the same for a request until it is answered: for a second click, and for a retry after a broken connection.
   */
  keyOf(path: string, payload: object | undefined): string
  answered(path: string, payload: object | undefined): void
}

export function createRequestKeys(): RequestKeys {
  const keys = new Map<string, string>()
  const textOf = (path: string, payload: object | undefined) => `${path} ${JSON.stringify(payload ?? {})}`
  return {
    keyOf(path, payload) {
      const text = textOf(path, payload)
      const key = keys.get(text) ?? newRequestKey()
      keys.set(text, key)
      return key
    },
    answered(path, payload) {
      keys.delete(textOf(path, payload))
    },
  }
}

/** `crypto.randomUUID` is missing where a page comes over plain HTTP. */
export const newRequestKey = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-')

/** Does an answer with this code, 0 for none, say for certain whether the request was done? */
export const isSettled = (code: number): boolean => code > 0 && (code < 500 || code > 599)
