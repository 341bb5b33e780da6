import type { Shape } from '../../model/shape.ts'

/**
 * A shape prepared for ajv: parts that occur several times (the keys of all field types, an action) are defined once
 * and referenced, so that their code is generated once. `originals` maps what ajv passes to its errors back to the
 * source.
 */
export function hoist(shape: object): { schema: object; originals: WeakMap<object, object> } {
  const counts = new Map<object, number>()
  const count = (node: object) => {
    const seen = counts.get(node) ?? 0
    counts.set(node, seen + 1)
    if (!seen) for (const child of children(node)) count(child)
  }
  count(shape)
  const originals = new WeakMap<object, object>()
  const names = new Map<object, string>()
  const definitions: Record<string, object> = {}
  const build = (node: object): object => {
    const { properties, additionalProperties, items, anyOf, oneOf } = node as Shape<unknown>
    const built = {
      ...node,
      ...(properties && {
        properties: Object.fromEntries(Object.entries(properties).map(([key, under]) => [key, refer(under)])),
      }),
      ...(typeof additionalProperties === 'object' && { additionalProperties: refer(additionalProperties) }),
      ...(items && { items: refer(items) }),
      // The branches of a choice stay in place, because errors are reported by branch.
      ...(anyOf && { anyOf: anyOf.map(build) }),
      ...(oneOf && { oneOf: oneOf.map(build) }),
    }
    originals.set(built, node)
    return built
  }
  const refer = (node: object): object => {
    if (counts.get(node)! < 2 || !children(node).length) return build(node)
    let name = names.get(node)
    if (name === undefined) {
      names.set(node, (name = `shape${names.size}`))
      definitions[name] = build(node)
    }
    return { $ref: `#/$defs/${name}` }
  }
  const schema = build(shape)
  return { schema: names.size ? { ...schema, $defs: definitions } : schema, originals }
}

function children(node: object): object[] {
  const { properties = {}, additionalProperties, items, anyOf = [], oneOf = [] } = node as Shape<unknown>
  const all = [...Object.values(properties), additionalProperties, items, ...anyOf, ...oneOf]
  return all.filter((child): child is Shape<unknown> => typeof child === 'object')
}
