/** More levels than any form or setting has. */
const deepest = 40

/** More names than any object of a request has: those of two thousand records that were seen. */
const mostNames = 5_000
const hasMany = (value: object): boolean => Object.keys(value).length > mostNames

/** With the flag `u` this matches only an unpaired surrogate. */
const isText = (text: string): boolean => !/\0|\p{Surrogate}/u.test(text)

/**
 * Whether all of this can be stored and returned unchanged: text must not contain NUL or an unpaired surrogate, whole
 * numbers must be exact, and the nesting and the names of an object are limited.
 */
export function isStorable(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return isText(value)
  if (typeof value === 'number') return Number.isSafeInteger(value) || !Number.isInteger(value)
  if (typeof value !== 'object' || value === null) return true
  if (depth >= deepest) return false
  // Entries of a long array would take many times as long.
  if (Array.isArray(value)) return value.every((item) => isStorable(item, depth + 1))
  return !hasMany(value) && Object.entries(value).every(([key, item]) => isText(key) && isStorable(item, depth + 1))
}

/** The same with NUL removed from texts. */
export function withoutNul(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '')
  if (typeof value !== 'object' || value === null || depth >= deepest) return value
  if (Array.isArray(value)) return value.map((item) => withoutNul(item, depth + 1))
  // It is refused next.
  if (hasMany(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutNul(item, depth + 1)]))
}
