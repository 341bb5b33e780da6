import { segments } from '../../model/pointer.ts'
import type { Value } from '../../model/model.ts'
import { isObject } from '../walk.ts'

/** A patch is an object, and its base was generated once. */
const patched = new WeakMap<object, WeakMap<object, Value>>()
export function patchedOnce(value: Value, changes: Value): Value {
  if (typeof value !== 'object' || value === null || typeof changes !== 'object' || changes === null)
    return mergePatch(value, changes)
  const known = patched.get(value) ?? new WeakMap<object, Value>()
  patched.set(value, known)
  const before = known.get(changes)
  if (before !== undefined) return before
  const made = mergePatch(value, changes)
  known.set(changes, made)
  return made
}

/** RFC 7386. */
export function mergePatch(target: Value, patch: Value): Value {
  if (!isObject(patch)) return patch
  const result: Record<string, Value> = isObject(target) ? { ...(target as Record<string, Value>) } : {}
  for (const [key, value] of Object.entries(patch as Record<string, Value>)) {
    if (value === null) delete result[key]
    else result[key] = mergePatch(result[key] ?? null, value)
  }
  return result
}

/** Whether the patch wrote the value at the pointer. */
export function patches(patch: Value | undefined, pointer: string): boolean {
  if (patch === undefined) return false
  let value: unknown = patch
  for (const segment of segments(pointer)) {
    if (!isObject(value)) return true
    if (!(segment in value)) return false
    value = value[segment]
  }
  return !isObject(value)
}
