/** Keys by which the server recognises a repeated request. */
export interface RequestKeys {
  /**
   * Stays the same for a request until it is answered: for a second click, a retry after a broken connection, and after
   * a page reload.
   * @param known the key of an earlier attempt at the same thing, perhaps with other content
   */
  keyOf(path: string, payload: object | undefined, known?: string): string
  answered(key: string): void
}

const storageKey = 'erp-request-keys'
/** A request repeated long after the page was left is a new one. */
const longestAway = 10 * 60_000

interface Unanswered {
  key: string
  at: number
}

/** @param storage keeps the keys across page reloads; it may be full or blocked */
export function createRequestKeys(storage: () => Storage | undefined, now = Date.now): RequestKeys {
  const known = new Map(read())

  function read(): [string, Unanswered][] {
    try {
      const stored = JSON.parse(storage()?.getItem(storageKey) ?? '[]') as [string, Unanswered][]
      return stored.filter(([, { at }]) => now() - at < longestAway)
    } catch {
      return []
    }
  }
  function keep() {
    try {
      if (known.size > 0) storage()?.setItem(storageKey, JSON.stringify([...known]))
      else storage()?.removeItem(storageKey)
    } catch {
      // Without storage the keys last as long as the page.
    }
  }

  return {
    keyOf(path, payload, earlier) {
      const name = digest(`${path} ${JSON.stringify(payload ?? {})}`)
      const key = earlier ?? known.get(name)?.key ?? newRequestKey()
      known.set(name, { key, at: now() })
      keep()
      return key
    },
    answered(key) {
      for (const [name, request] of known) if (request.key === key) known.delete(name)
      keep()
    },
  }
}

/** The keys of this page. */
export const requestKeys: RequestKeys = createRequestKeys(() => globalThis.sessionStorage)

/** `crypto.randomUUID` is missing on pages served over plain HTTP. */
const newRequestKey = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-')

/** A 64-bit hash of a text, because input must not be stored; `crypto.subtle` is missing as well. */
function digest(text: string): string {
  let [high, low] = [0xdeadbeef, 0x41c6ce57]
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    high = Math.imul(high ^ code, 2654435761)
    low = Math.imul(low ^ code, 1597334677)
  }
  return `${(high >>> 0).toString(36)}.${(low >>> 0).toString(36)}.${text.length}`
}

/** Whether an answer with this code, 0 for none, states for certain that the request was or was not carried out. */
export const isSettled = (code: number): boolean => code > 0 && (code < 500 || code > 599)
