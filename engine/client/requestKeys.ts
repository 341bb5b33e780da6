/** Keys by which the server recognises a repeated request. */
export interface RequestKeys {
  /**
   * Stays the same for a request until it is answered: for a second click, for a retry after a broken connection, and
   * after the page was loaded again.
   *
   * @param known the key of an earlier attempt at the same thing, perhaps with other content
   */
  keyOf(path: string, payload: object | undefined, known?: string): string
  answered(key: string): void
}

const storageKey = 'erp-request-keys'
/** A request that is repeated long after the page was left is a new one. */
const longestAway = 10 * 60_000

interface Unanswered {
  key: string
  at: number
}

/** @param storage keeps them while the page is loaded again; it may be full or forbidden */
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
      // Without storage they last as long as the page.
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
      for (const [name, one] of known) if (one.key === key) known.delete(name)
      keep()
    },
  }
}

/** Those of this page. */
export const requestKeys: RequestKeys = createRequestKeys(() => globalThis.sessionStorage)

/** `crypto.randomUUID` is missing where a page comes over plain HTTP. */
const newRequestKey = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-')

/** 64 bits that stand for a text, because what was typed is not to be kept; `crypto.subtle` is missing as well. */
function digest(text: string): string {
  let [high, low] = [0xdeadbeef, 0x41c6ce57]
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    high = Math.imul(high ^ code, 2654435761)
    low = Math.imul(low ^ code, 1597334677)
  }
  return `${(high >>> 0).toString(36)}.${(low >>> 0).toString(36)}.${text.length}`
}

/** Does an answer with this code, 0 for none, say for certain whether the request was done? */
export const isSettled = (code: number): boolean => code > 0 && (code < 500 || code > 599)
