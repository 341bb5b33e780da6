import { segments } from '../../model/pointer.ts'
import { branchOf, isObject, shapeUnder } from '../walk.ts'
import type { Shape } from '../../model/shape.ts'

/** Why a key does not fit where it stands, and the key of the object around it that is therefore missing. */
interface Belonging {
  why: string
  missing?: string
}

/** Where a key belongs that does not fit at this pointer, because a bracket is misplaced. */
export function belongs(data: unknown, shape: Shape<unknown>, pointer: string): Belonging | undefined {
  const path = segments(pointer)
  const key = path.pop()!
  const around: { value: unknown; shape?: Shape<unknown>; at: string }[] = [
    { value: data, shape: branchOf(shape, data), at: '' },
  ]
  for (const name of path) {
    const outer = around.at(-1)!
    const value = isObject(outer.value) || Array.isArray(outer.value) ? (outer.value as never)[name] : undefined
    const under = outer.shape && shapeUnder(outer.shape, name)
    around.push({ value, shape: under && (branchOf(under, value) ?? under), at: `${outer.at}/${name}` })
  }
  const outer = around.at(-2)
  if (outer && isObject(outer.value) && !(key in outer.value) && outer.shape?.properties?.[key])
    return {
      why: `"${key}" belongs beside "${path.at(-1)}", whose closing bracket stands too late`,
      missing: `${outer.at}/${key}`,
    }
  const inner = around.at(-1)!.shape
  if (!inner || inner.properties?.[key]) return undefined
  const item = inner.additionalProperties
  if (typeof item === 'object' && keysOf(item).includes(key))
    return { why: `"${key}" is a key of what stands here, and belongs inside it` }
  const others = Object.entries(inner.properties ?? {}).filter(
    ([, { additionalProperties: each }]) => typeof each === 'object' && keysOf(each).includes(key),
  )
  return others.length === 1
    ? { why: `"${key}" is a key of each of "${others[0][0]}", and belongs inside it` }
    : undefined
}

const keysOf = ({ properties = {}, oneOf = [], anyOf = [] }: Shape<unknown>): string[] => [
  ...Object.keys(properties),
  ...[...oneOf, ...anyOf].flatMap(keysOf),
]
