import { widgets } from '../../../engine/widgets/index.ts'
import type { Dictionary, Field, Label, Shape, Value, WidgetExamples } from '../../../engine/model/model.ts'

const modules = import.meta.glob<{ examples: WidgetExamples }>('../../../engine/widgets/*/*.examples.ts', {
  eager: true,
})

/** Example files do not exist on a server, so each is this dot. */
const dot = 'data:image/gif;base64,R0lGODlhAQABAIAAAAUEBAAAACwAAAAAAQABAAACAkQBADs='
const onPage = (value: Value): Value =>
  Array.isArray(value)
    ? value.map(onPage)
    : typeof value === 'object' && value !== null && 'url' in value
      ? { ...value, url: `${dot}#${String(value.url)}` }
      : value

/** Type → the examples of its folder. */
export const examplesOf: Record<string, WidgetExamples> = Object.fromEntries(
  Object.entries(modules).map(([path, { examples }]) => {
    const type = path.split('/').at(-2)!
    const good = widgets[type].files
      ? examples.good.map((each) => ({ ...each, canonical: onPage(each.canonical) }))
      : examples.good
    return [type, { ...examples, good }]
  }),
)

/** A field of that type with one of its examples' sets of options. */
export const fieldOf = (type: string, label: Label, set = 0): Field => ({
  name: type,
  type,
  label,
  options: filled(widgets[type].options, examplesOf[type]?.options[set] ?? {}) as Field['options'],
  required: false,
  readOnly: false,
  unique: false,
  sensitive: false,
})

/** Options as the compiler provides them: defaults filled in, shorthands written out. */
function filled(shape: Shape<unknown>, value: unknown): unknown {
  if (value === undefined)
    return shape.default === undefined ? undefined : filled(shape, structuredClone(shape.default))
  if (shape.anyOf && shape.shorthand) {
    const object = shape.anyOf.find((each) => each.properties)!
    return filled(object, typeof value === 'string' ? { [shape.shorthand]: value } : value)
  }
  if (Array.isArray(value)) return shape.items ? value.map((item) => filled(shape.items!, item)) : value
  if (typeof value !== 'object' || value === null || !shape.properties) return value
  const given = value as Record<string, unknown>
  const keys = [...new Set([...Object.keys(shape.properties), ...Object.keys(given)])]
  return Object.fromEntries(
    keys.map((key) => [key, shape.properties![key] ? filled(shape.properties![key], given[key]) : given[key]]),
  )
}

/** A valid value for a field of a real screen: a choice of its dictionary, else an example of its type. */
export function sampleOf(field: Field, dictionary: (name: string) => Dictionary | undefined, index: number): Value {
  const widget = widgets[field.type]
  const name = widget.dictionary?.(field.options)
  const many = widget.expression.startsWith('list')
  const choices = name === undefined ? undefined : (dictionary(name)?.choices ?? [])
  if (choices) {
    const value = choices[index % Math.max(1, choices.length)]?.value ?? null
    return many ? (value === null ? [] : [value]) : value
  }
  // Samples have no rows, references or files.
  if (many) return []
  if (widget.target?.(field.options))
    return { id: index + 1, code: `S${index + 1}`, name: `${field.label.cn}${index + 1}` }
  if (widget.files || widget.expression === 'map' || widget.protect) return null
  const good = examplesOf[field.type]?.good ?? []
  return good[index % Math.max(1, good.length)]?.canonical ?? null
}
