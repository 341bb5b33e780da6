import { useId, useState } from 'react'
import type { ReactNode } from 'react'
import type { AskedField, Field, RecordData, Value, WireProblem } from '../../model/model.ts'
import { requiredProblem } from '../../expression/verdict.ts'
import { useConditions } from '../conditions.ts'
import { fieldText } from '../fieldText.ts'
import type { ActionHost } from '../frame.ts'
import { useViews } from '../useViews.ts'
import { useEngine } from '../view.ts'
import { useWords } from '../words.ts'
import { CallFieldEdit, CallOutput } from './CallFields.tsx'
import type { CallField } from './CallFields.tsx'
import { useCallValues } from './useCallValues.ts'

export interface CallForm {
  element: ReactNode
  /** The first field that something is wrong with, else the first, gets the focus. */
  focus(): void
  /**
   * The canonical values, or undefined where something is wrong: it is then shown, and the first such field has the
   * focus.
   */
  collect(): Record<string, Value> | undefined
  /** Shows what the server refused. False: none of it belongs to a field here. */
  refuse(errors: WireProblem[]): boolean
}

interface Asking {
  asked: AskedField[]
  records: readonly RecordData[]
  /** Empty fields stay as they are: nothing is filled in beforehand, and only what is given is sent. */
  keepEmpty: boolean
  /** The state that the records come to: conditions see them in it. */
  transition?: { field: string; to: string }
  /** What was prepared. */
  initial?: Record<string, Value>
}

/**
 * The fields that an action asks for, beginning with what was prepared, what the record holds or what their formulas
 * here make of it, and with what is known to be wrong with it. Computed ones always follow. Empty ones are left out with
 * `keepEmpty`.
 */
export function useCallForm(
  { entity, problems: known }: Pick<ActionHost, 'entity' | 'problems'>,
  { asked, records, keepEmpty, transition, initial = {} }: Asking,
): CallForm {
  const record = records.length === 1 ? records[0] : undefined
  const { widgets } = useEngine()
  const words = useWords()
  const prefix = useId()
  const idOf = (name: string) => `${prefix}-${name}`
  const focus = (name: string) => document.getElementById(idOf(name))?.focus()
  const { promptOf, problemOf, keptText } = useCallChecks(keepEmpty, records)

  const fields = asked.filter(({ field }) => entity.fields[field])
  const [values, change] = useCallValues(entity, { fields, record, keepEmpty, initial })
  const current: RecordData = { ...record, ...initial, ...values }
  const named = (one: AskedField) => namedField(entity, one, records.length)
  const shown = useShownFields(entity, {
    fields: fields.filter(({ field }) => !entity.fields[field].computed),
    named,
    keepEmpty,
    reached: transition ? { ...current, [transition.field]: transition.to } : current,
  })

  const { problems, mark, show, keep } = useCallProblems({
    found: record ? (known?.(record) ?? {}) : {},
    values,
    problemOf,
    focus,
  })
  const [first] = useState(() => shown.find(({ field }) => problems[field.name]) ?? shown[0])
  const views = useViews(fields.map(({ field }) => entity.fields[field].type))

  const element = (
    <div className="call-form">
      {keepEmpty && <p className="call-form-hint">{words('emptyKeeps')}</p>}
      {shown.map(({ field, required }) => {
        const isTyped = widgets[field.type].prompt === 'enter'
        const problem = problems[field.name]
        return (
          <CallFieldEdit
            key={field.name}
            id={idOf(field.name)}
            field={field}
            required={required}
            value={values[field.name] ?? null}
            problem={problem}
            placeholder={keptText(field) || promptOf(field)}
            autoFocus={field.name === first?.field.name}
            Edit={views[field.type]?.Edit}
            onChange={(value) => {
              change(field.name, value)
              if (problem || !isTyped) mark({ field, required }, value)
            }}
            onBlur={() => {
              if (isTyped) mark({ field, required }, values[field.name])
            }}
          />
        )
      })}
      {fields
        .filter(({ field }) => entity.fields[field].computed)
        .map(named)
        .map((field) => (
          <CallOutput key={field.name} entity={entity} id={idOf(field.name)} field={field} record={current} />
        ))}
    </div>
  )

  return {
    element,
    focus() {
      if (first) focus(first.field.name)
    },
    collect() {
      const wrong = shown.map(
        ({ field, required }) => [field.name, problemOf(field, required, values[field.name]) ?? ''] as const,
      )
      if (show(Object.fromEntries(wrong))) return undefined
      const collected = shown.map(
        ({ field: { name, type, options } }) => [name, widgets[type].normalize(values[name] ?? null, options)] as const,
      )
      if (!keepEmpty) return Object.fromEntries(collected)
      const given = collected.filter(([, value]) => value !== null)
      if (given.length === 0 && collected.length > 0) {
        show({ [collected[0][0]]: words('nothingGiven') })
        return undefined
      }
      return Object.fromEntries(given)
    },
    refuse(errors) {
      const found = errors
        .map(({ field, message }) => [field.split('.')[0], message] as const)
        .filter(([name]) => shown.some(({ field }) => field.name === name))
      return keep(Object.fromEntries(found))
    },
  }
}

interface Problems {
  /** What was found elsewhere: field → message. */
  found: Record<string, string>
  values: Record<string, Value>
  problemOf(this: void, field: Field, required: boolean, given: Value | undefined): string | undefined
  focus(this: void, name: string): void
}

/** What is wrong with the fields. What was found elsewhere is of the values as they were: it stays until another is given. */
function useCallProblems({ found, values, problemOf, focus }: Problems) {
  const [told, setTold] = useState(() => saidOf(found, values))
  const [problems, setProblems] = useState(() =>
    Object.fromEntries(Object.entries(told).map(([name, { message }]) => [name, message])),
  )
  /** Shows these only. @returns whether there are any. */
  function show(messages: Record<string, string>): boolean {
    setProblems(messages)
    const wrong = Object.keys(messages).find((name) => messages[name])
    if (wrong !== undefined) focus(wrong)
    return wrong !== undefined
  }
  return {
    problems,
    show,
    /** Judges a value that was put in. */
    mark({ field, required }: CallField, value: Value) {
      const before = told[field.name]
      const problem = problemOf(field, required, value) ?? (before?.value === value ? before.message : '')
      setProblems((all) => ({ ...all, [field.name]: problem }))
    },
    /** Shows what was found elsewhere. @returns whether there is any. */
    keep(messages: Record<string, string>): boolean {
      setTold(saidOf(messages, values))
      return show(messages)
    },
  }
}

/** What is said of a field, and of a value of it. */
function useCallChecks(keepEmpty: boolean, records: readonly RecordData[]) {
  const engine = useEngine()
  const words = useWords()
  const promptOf = ({ type, label }: Field) => engine.text(requiredProblem(engine.widgets[type], label).message)
  return {
    promptOf,
    /** What the records keep while the field is left empty. */
    keptText(field: Field): string {
      if (!keepEmpty) return ''
      const texts = new Set(records.map((each) => fieldText(each[field.name], field, engine)))
      return texts.size > 1 ? words('severalValues') : [...texts].join('')
    },
    problemOf(field: Field, required: boolean, given: Value | undefined): string | undefined {
      const widget = engine.widgets[field.type]
      const value = widget.normalize(given ?? null, field.options)
      if (value === null) return required ? promptOf(field) : undefined
      const { dictionary, now } = engine
      const problem = widget.check(value, field.options, { label: field.label, dictionary, now })
      return problem && engine.text(problem.message)
    },
  }
}

interface Showing {
  fields: AskedField[]
  named(this: void, asked: AskedField): Field
  keepEmpty: boolean
  /** The record in the state that it comes to. */
  reached: RecordData
}

/** The fields that the conditions leave, and which of them must be given. */
function useShownFields(entity: ActionHost['entity'], { fields, named, keepEmpty, reached }: Showing): CallField[] {
  const holds = useConditions(entity)
  const isRequired = ({ required, requiredWhen }: Field) =>
    required || (requiredWhen !== undefined && holds(requiredWhen, reached))
  return fields
    .map((one) => ({ field: named(one), required: one.required }))
    .filter(({ field }) => holds(field.visibleWhen, reached))
    .map(({ field, required }) => ({ field, required: required || (!keepEmpty && isRequired(field)) }))
}

/** The field under the label that it has in the dialog. Of files that bear a record's number each record may have as many. */
function namedField(entity: ActionHost['entity'], { field: name, label, namedBy }: AskedField, count: number): Field {
  const field = label ? { ...entity.fields[name], label } : entity.fields[name]
  if (namedBy === undefined || count < 2) return field
  return { ...field, options: { ...field.options, max: Number(field.options.max) * count } }
}

const saidOf = (messages: Record<string, string>, values: Record<string, Value>) =>
  Object.fromEntries(Object.entries(messages).map(([name, message]) => [name, { value: values[name], message }]))
