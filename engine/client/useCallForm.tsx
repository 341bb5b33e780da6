import { Skeleton } from 'antd'
import { useId, useState } from 'react'
import type { ReactNode } from 'react'
import type { ActionHost } from './frame.ts'
import type { AskedField, Field, RecordData, Value, WireProblem } from '../model/model.ts'
import { requiredProblem } from '../expression/verdict.ts'
import { useConditions, useFormulas } from './conditions.ts'
import { FieldDisplay } from './FieldDisplay.tsx'
import { fieldText } from './fieldText.ts'
import { useViews } from './useViews.ts'
import { useEngine } from './view.ts'
import { useWords } from './words.ts'

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
 * here make of it, and with what is known to be wrong with it. Without a record they follow their formulas until
 * somebody puts another value in, and computed ones always do. Empty ones are left out with `keepEmpty`.
 */
export function useCallForm(
  { entity, problems: known }: Pick<ActionHost, 'entity' | 'problems'>,
  { asked, records, keepEmpty, transition, initial = {} }: Asking,
): CallForm {
  const record = records.length === 1 ? records[0] : undefined
  const engine = useEngine()
  const words = useWords()
  const holds = useConditions(entity)
  const prefix = useId()
  const fields = asked.filter(({ field }) => entity.fields[field])
  const work = useFormulas(entity)
  const followed =
    record || keepEmpty
      ? []
      : fields.flatMap(({ field }) => (entity.fields[field].defaultFrom === undefined ? [] : entity.fields[field]))
  const follow = (given: Record<string, Value>, own: readonly string[]) =>
    followed
      .filter(({ name }) => !own.includes(name))
      .reduce((all, field) => ({ ...all, [field.name]: work(field.defaultFrom!, field, all) }), given)
  const [values, setValues] = useState<Record<string, Value>>(() =>
    follow(
      Object.fromEntries(
        fields
          .filter(({ field }) => !entity.fields[field].computed)
          .map(({ field, defaultFrom }) => {
            const begun = () =>
              record && defaultFrom !== undefined ? work(defaultFrom, entity.fields[field], record) : undefined
            return [
              field,
              Object.hasOwn(initial, field)
                ? initial[field]
                : keepEmpty
                  ? null
                  : (record?.[field] ?? begun() ?? entity.fields[field].default ?? null),
            ]
          }),
      ),
      Object.keys(initial),
    ),
  )
  const [touched, setTouched] = useState<string[]>(() => Object.keys(initial))
  /** What was found elsewhere, of the values as they were: it stays until another is given. */
  const [told, setTold] = useState<Record<string, { value: Value; message: string }>>(() =>
    record ? saidOf(known?.(record) ?? {}, values) : {},
  )
  const [problems, setProblems] = useState(() =>
    Object.fromEntries(Object.entries(told).map(([name, { message }]) => [name, message])),
  )
  const views = useViews(fields.map(({ field }) => entity.fields[field].type))

  const current: RecordData = { ...record, ...initial, ...values }
  const reached: RecordData = transition ? { ...current, [transition.field]: transition.to } : current
  const isRequired = ({ required, requiredWhen }: Field) =>
    required || (requiredWhen !== undefined && holds(requiredWhen, reached))
  const named = ({ field: name, label, namedBy }: AskedField): Field => {
    const field = label ? { ...entity.fields[name], label } : entity.fields[name]
    // Each of the records may have as many.
    return namedBy === undefined || records.length < 2
      ? field
      : { ...field, options: { ...field.options, max: Number(field.options.max) * records.length } }
  }
  const shown = fields
    .filter(({ field }) => !entity.fields[field].computed)
    .map((one) => ({ field: named(one), required: one.required }))
    .filter(({ field }) => holds(field.visibleWhen, reached))
    .map(({ field, required }) => ({ field, required: required || (!keepEmpty && isRequired(field)) }))
  const [first] = useState(() => shown.find(({ field }) => problems[field.name]) ?? shown[0])

  const promptOf = ({ type, label }: Field) => engine.text(requiredProblem(engine.widgets[type], label).message)
  /** What the records keep while the field is left empty. */
  const keptText = (field: Field): string => {
    if (!keepEmpty) return ''
    const texts = new Set(records.map((each) => fieldText(each[field.name], field, engine)))
    return texts.size > 1 ? words('severalValues') : [...texts].join('')
  }
  const problemOf = (field: Field, required: boolean, given: Value | undefined): string | undefined => {
    const widget = engine.widgets[field.type]
    const value = widget.normalize(given ?? null, field.options)
    if (value === null) return required ? promptOf(field) : undefined
    const problem = widget.check(value, field.options, {
      label: field.label,
      dictionary: engine.dictionary,
      now: engine.now,
    })
    return problem && engine.text(problem.message)
  }
  const mark = (field: Field, required: boolean, value: Value) => {
    const before = told[field.name]
    const problem = problemOf(field, required, value) ?? (before?.value === value ? before.message : '')
    setProblems((all) => ({ ...all, [field.name]: problem }))
  }

  const element = (
    <div className="call-form">
      {keepEmpty && <p className="call-form-hint">{words('emptyKeeps')}</p>}
      {shown.map(({ field, required }) => {
        const Edit = views[field.type]?.Edit
        const id = `${prefix}-${field.name}`
        const problem = problems[field.name]
        const hint = field.hint && engine.text(field.hint)
        return (
          <div key={field.name} className="call-form-field">
            <label htmlFor={id}>
              {required && <span aria-hidden="true">*</span>}
              {engine.text(field.label)}
            </label>
            {Edit ? (
              <Edit
                id={id}
                field={field}
                label={engine.text(field.label)}
                value={values[field.name] ?? null}
                required={required}
                autoFocus={field.name === first?.field.name}
                invalid={Boolean(problem)}
                describedBy={problem || hint ? `${id}-note` : undefined}
                placeholder={keptText(field) || promptOf(field)}
                onChange={(value: Value) => {
                  const own = [...touched, field.name]
                  setTouched(own)
                  setValues((all) => follow({ ...all, [field.name]: value }, own))
                  if (problem || engine.widgets[field.type].prompt !== 'enter') mark(field, required, value)
                }}
                onBlur={() => {
                  if (engine.widgets[field.type].prompt === 'enter') mark(field, required, values[field.name])
                }}
              />
            ) : (
              <Skeleton.Input active block size="small" />
            )}
            {(problem || hint) && (
              <div
                id={`${id}-note`}
                className={problem ? 'call-form-problem' : 'call-form-hint'}
                role={problem ? 'alert' : undefined}
              >
                {problem || hint}
              </div>
            )}
          </div>
        )
      })}
      {fields
        .map(named)
        .filter(({ computed }) => computed)
        .map((field) => (
          <div key={field.name} className="call-form-field">
            <span id={`${prefix}-${field.name}-label`}>{engine.text(field.label)}</span>
            <output aria-labelledby={`${prefix}-${field.name}-label`}>
              <FieldDisplay
                value={
                  field.computed?.kind === 'formula'
                    ? work(field.computed.formula, field, current)
                    : (current[field.name] ?? null)
                }
                field={field}
              />
            </output>
          </div>
        ))}
    </div>
  )

  const focus = (name: string) => document.getElementById(`${prefix}-${name}`)?.focus()
  return {
    element,
    focus() {
      if (first) focus(first.field.name)
    },
    collect() {
      const found = shown.map(
        ({ field, required }) => [field.name, problemOf(field, required, values[field.name]) ?? ''] as const,
      )
      setProblems(Object.fromEntries(found))
      const first = found.find(([, problem]) => problem)
      if (first) {
        focus(first[0])
        return undefined
      }
      const collected = shown.map(
        ({ field: { name, type, options } }) =>
          [name, engine.widgets[type].normalize(values[name] ?? null, options)] as const,
      )
      if (!keepEmpty) return Object.fromEntries(collected)
      const given = collected.filter(([, value]) => value !== null)
      if (given.length === 0 && collected.length > 0) {
        const [[name]] = collected
        setProblems({ [name]: words('nothingGiven') })
        focus(name)
        return undefined
      }
      return Object.fromEntries(given)
    },
    refuse(errors) {
      const found = errors
        .map(({ field, message }) => [field.split('.')[0], message] as const)
        .filter(([name]) => shown.some(({ field }) => field.name === name))
      const messages = Object.fromEntries(found)
      setTold(saidOf(messages, values))
      setProblems(messages)
      if (found.length > 0) focus(found[0][0])
      return found.length > 0
    },
  }
}

const saidOf = (messages: Record<string, string>, values: Record<string, Value>) =>
  Object.fromEntries(Object.entries(messages).map(([name, message]) => [name, { value: values[name], message }]))
