/** Deeper than anything a form or a setting of a screen holds. */
const deepest = 40

/** With `u` only the half of a pair that stands alone is a surrogate. */
const isText = (text: string): boolean => !/\0|\p{Surrogate}/u.test(text)

/**
 * Can everything in this be kept and given back as it is? No text has a NUL, which no database takes, or half a
 * character; no whole number is beyond what a number says exactly; nothing is nested without end.
 */
export function isSound(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return isText(value)
  if (typeof value === 'number') return Number.isSafeInteger(value) || !Number.isInteger(value)
  if (typeof value !== 'object' || value === null) return true
  if (depth >= deepest) return false
  return Object.entries(value).every(([key, item]) => isText(key) && isSound(item, depth + 1))
}

/** The same without NUL in its texts. */
export function withoutNul(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '')
  if (typeof value !== 'object' || value === null || depth >= deepest) return value
  if (Array.isArray(value)) return value.map((item) => withoutNul(item, depth + 1))
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutNul(item, depth + 1)]))
}
