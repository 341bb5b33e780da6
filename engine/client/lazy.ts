/** Modules loaded on first render, once for all, and available synchronously from then on. */
const arrived = new WeakMap<() => Promise<unknown>, unknown>()

/** Undefined until loaded. */
export const arrivedOf = <T>(load: () => Promise<T>): T | undefined => arrived.get(load) as T | undefined

export async function arrive<T>(load: () => Promise<T>): Promise<T> {
  const known = arrivedOf(load)
  if (known !== undefined) return known
  const value = await load()
  arrived.set(load, value)
  return value
}
