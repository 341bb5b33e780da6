import type { Shape } from '../../model/shape.ts'
import { branchOf, isObject, shapeUnder } from '../walk.ts'
import type { SourceText } from '../reading/SourceFile.ts'

/** A value as a real file has it. */
export interface Example {
  value: string
  file: string
}
/** `list columns[].width` → an example. */
export type Examples = ReadonlyMap<string, Example>

/** So long an example may be: a longer one hides what it shows. */
const longest = 90

/**
 * The shortest place of the files for each key of each kind that uses it. What is made by families is not what anybody
 * wrote.
 */
export function examplesOf(sources: readonly SourceText[], shapes: Readonly<Record<string, Shape<unknown>>>): Examples {
  const found = new Map<string, Example>()
  const keep = (path: string, value: unknown, file: string) => {
    const text = JSON.stringify(value)
    const known = found.get(path)
    if (text.length <= longest && text.length > 2 && (!known || text.length < known.value.length))
      found.set(path, { value: text, file })
  }
  const visit = (value: unknown, shape: Shape<unknown>, path: string, file: string): void => {
    const branch = branchOf(shape, value)
    if (!branch) return
    if (Array.isArray(value))
      return value.forEach((item) => branch.items && visit(item, branch.items, `${path}[]`, file))
    if (!isObject(value)) return
    for (const [key, item] of Object.entries(value)) {
      const under = shapeUnder(branch, key)
      if (!under) continue
      const isNamed = branch.properties?.[key] !== undefined
      const type = under.discriminator && isObject(item) ? `<${String(item[under.discriminator.propertyName])}>` : '*'
      const at = isNamed ? `${path}${path.endsWith(' ') ? '' : '.'}${key}` : `${path}.${type}`
      keep(at, item, file)
      visit(item, under, at, file)
    }
  }
  for (const { path, text } of sources) {
    const kind = path.endsWith('/app.json') ? 'app' : path.split('.').at(-2)!
    if (shapes[kind] && !text.includes('${')) visit(JSON.parse(text), shapes[kind], `${kind} `, path)
  }
  return found
}
