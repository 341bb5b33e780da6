/**
 * A stable 64-bit hash of plain JSON, 16 hexadecimal digits; sensitive to the order of keys, which screens show. It
 * identifies a state and is not cryptographic.
 */
export function hashOf(value: unknown): string {
  const text = JSON.stringify(value)
  // Two 32-bit FNV-1a lanes with different seeds: strong enough, and fast without big integers.
  let low = 0x811c9dc5
  let high = 0xcbf29ce4
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    low = Math.imul(low ^ code, 0x01000193)
    high = Math.imul(high ^ (code + index), 0x01000193)
  }
  return hexadecimal(high) + hexadecimal(low)
}

/** The same for a catalog, whose parts are mostly those of the previous catalog. */
export const hashOfParts = (value: Readonly<Record<string, unknown>>): string =>
  hashOf(
    Object.entries(value).map(([name, part]) => [
      name,
      typeof part === 'object' && part !== null
        ? Object.entries(part).map(([key, item]) => [key, hashOnce(item)])
        : part,
    ]),
  )

const hashes = new WeakMap<object, string>()
function hashOnce(value: unknown): string {
  if (typeof value !== 'object' || value === null) return hashOf(value ?? null)
  const hash = hashes.get(value) ?? hashOf(value)
  hashes.set(value, hash)
  return hash
}

const hexadecimal = (number: number) => (number >>> 0).toString(16).padStart(8, '0')
