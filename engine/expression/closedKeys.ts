import { nearestName } from './nearest.ts'
import type { OperandMap } from './operand.ts'

const closed = new WeakSet<object>()

/** Marks an object that has every allowed key, null if not given, so that any other key is a mistake. */
export function closeKeys<T extends object>(value: T): T {
  closed.add(value)
  return value
}

export const hasClosedKeys = (value: object): boolean => closed.has(value)

/** Shorter keys resemble too many others. */
const shortest = 4

/** Whether a key that the object does not have is a mistake, and not merely left out. */
export function isMistakenKey(map: OperandMap, key: string): boolean {
  if (Object.hasOwn(map, key)) return false
  return closed.has(map) || (key.length >= shortest && nearestName(key, Object.keys(map)) !== undefined)
}
