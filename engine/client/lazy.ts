/** What is loaded when it is first drawn: once for all, and ready in the same frame from then on. */
const arrived = new WeakMap<() => Promise<unknown>, unknown>()

/** Undefined while it is still to be loaded. */
export const arrivedOf = <T>(load: () => Promise<T>): T | undefined => arrived.get(load) as T | undefined

export async function arrive<T>(load: () => Promise<T>): Promise<T> {
  const known = arrivedOf(load)
  if (known !== undefined) return known
  const value = await load()
  arrived.set(load, value)
  return value
}
