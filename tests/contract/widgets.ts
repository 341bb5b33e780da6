/** The material of the contract tests: every widget of the list, its examples, and a small environment around it. */
import type {
  Dictionary,
  Field,
  Label,
  Shape,
  Value,
  Widget,
  WidgetContext,
  WidgetExamples,
} from '../../engine/model/model.ts'
import { widgets } from '../../engine/widgets/index.ts'

const modules = import.meta.glob<{ examples: WidgetExamples }>('../../engine/widgets/*/*.examples.ts', { eager: true })

/** Type → the examples in the folder of the widget. */
export const allExamples: Record<string, WidgetExamples> = Object.fromEntries(
  Object.entries(modules).map(([path, module]) => [path.split('/').at(-2)!, module.examples]),
)

export interface Case {
  type: string
  widget: Widget
  examples: WidgetExamples
  /** The sets of options in the examples, with defaults filled in. */
  options: Record<string, unknown>[]
  context: WidgetContext
}

export const label: Label = { cn: '字段', en: 'Field' }
export const languages = ['cn', 'en']

export const cases: Case[] = Object.values(widgets).map((widget) => {
  const examples = allExamples[widget.type] ?? { options: [{}], good: [], bad: [] }
  return {
    type: widget.type,
    widget,
    examples,
    options: examples.options.map((given) => withDefaults(widget.options, given) as Record<string, unknown>),
    context: contextOf(examples),
  }
})

/** Whether the value is stored in another table or in a file, or is never returned. */
export const isElsewhere = ({ widget, options: [options] }: Case): boolean =>
  !widget.column(options) ||
  Boolean(widget.target?.(options)) ||
  Boolean(widget.files) ||
  Boolean(widget.protect) ||
  Boolean(widget.series)

function contextOf(examples: WidgetExamples): WidgetContext {
  return {
    label,
    dictionary(name): Dictionary {
      const dictionary = examples.dictionaries?.[name]
      if (!dictionary) throw new Error(`the examples have no dictionary "${name}"`)
      return dictionary
    },
    now: () => '2026-03-10 09:30:00',
  }
}

/** Options as the compiler's `expand` leaves them: defaults filled in, shorthands written out. */
export function withDefaults(shape: Shape<unknown>, value: unknown): unknown {
  if (value === undefined)
    return shape.default === undefined ? undefined : withDefaults(shape, structuredClone(shape.default))
  if (shape.anyOf && shape.shorthand) {
    const object = shape.anyOf.find((each) => each.properties)!
    return withDefaults(object, typeof value === 'string' ? { [shape.shorthand]: value } : value)
  }
  if (Array.isArray(value)) return shape.items ? value.map((item) => withDefaults(shape.items!, item)) : value
  if (typeof value !== 'object' || value === null || !shape.properties) return value
  const given = value as Record<string, unknown>
  const keys = [...new Set([...Object.keys(shape.properties), ...Object.keys(given)])]
  return Object.fromEntries(
    keys
      .map((key) => [key, shape.properties![key] ? withDefaults(shape.properties![key], given[key]) : given[key]])
      .filter(([, filled]) => filled !== undefined),
  )
}

export const fieldOf = ({ type, options }: Case, set = 0): Field => ({
  name: 'field',
  type,
  label,
  options: options[set],
  required: true,
  readOnly: false,
  unique: false,
  sensitive: false,
})

/** A message with `{label}` filled in. */
export const filled = (message: Label) =>
  Object.fromEntries(
    Object.entries(message).map(([language, text]) => [language, text.replaceAll('{label}', label[language])]),
  )

export const canonicals = ({ examples }: Case): Value[] => examples.good.map((good) => good.canonical)
