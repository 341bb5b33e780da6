import { useId, useState } from 'react'
import type { ReactNode } from 'react'
import type { PromptedField, Field, RecordData, Value, WireProblem } from '../../model/model.ts'
import { useConditions } from '../conditions.ts'
import { useUnsavedPart } from '../editing.ts'
import type { ActionHost } from '../frame.ts'
import { useViews } from '../useViews.ts'
import { useEngine } from '../view.ts'
import { useWords } from '../words.ts'
import { CallFieldEdit, CallOutputs } from './CallFields.tsx'
import type { CallField } from './CallFields.tsx'
import { useCallChecks } from './useCallChecks.ts'
import { useCallProblems } from './useCallProblems.ts'
import { useCallValues } from './useCallValues.ts'
import { useReadDialog } from './useReadDialog.ts'

export interface CallForm {
  element: ReactNode
  /** Whether it holds input that would be lost. */
  typed: boolean
  /** Focuses the first field with a problem, or else the first field. */
  focus(): void
  /** The canonical values; undefined if there is a problem, which is then shown and focused. */
  collect(): Record<string, Value> | undefined
  /** Shows what the server refused. @returns false if none of it belongs to a field here. */
  refuse(errors: WireProblem[]): boolean
}

interface CallFormOptions {
  prompts: PromptedField[]
  records: readonly RecordData[]
  /** An empty field leaves the record's value unchanged: fields start empty, and only filled ones are sent. */
  keepEmpty: boolean
  /** The state that the action moves the records to, in which conditions are evaluated. */
  transition?: { field: string; to: string }
  /** Values that the server prepared. */
  initial?: Record<string, Value>
}

/** The fields that an action prompts for, filled from what was prepared, the record, or their formulas. */
export function useCallForm(
  { entity, problems: known, frame }: Pick<ActionHost, 'entity' | 'problems' | 'frame'>,
  { prompts, records, keepEmpty, transition, initial = {} }: CallFormOptions,
): CallForm {
  const record = records.length === 1 ? records[0] : undefined
  const { widgets } = useEngine()
  const words = useWords()
  const prefix = useId()
  const isTyped = ({ type }: Field) => widgets[type].prompt === 'enter'
  const idOf = (name: string) => `${prefix}-${name}`
  const focus = (name: string) => document.getElementById(idOf(name))?.focus()
  const { promptOf, problemOf, keptText } = useCallChecks(keepEmpty, records)

  const fields = prompts.filter(({ field }) => entity.fields[field])
  const { values, typed, change } = useCallValues(entity, { fields, record, keepEmpty, initial })
  useUnsavedPart(frame, typed)
  const current: RecordData = { ...record, ...initial, ...values }
  const named = (field: PromptedField) => namedField(entity, field, records.length)
  const visible = useShownFields(entity, {
    fields,
    named,
    keepEmpty,
    reached: transition ? { ...current, [transition.field]: transition.to } : current,
    isInsisting: transition === undefined,
  })
  const shown = visible.filter(({ field }) => !field.computed)

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
      {shown.map(({ field, required }) => (
        <CallFieldEdit
          key={field.name}
          id={idOf(field.name)}
          field={field}
          required={required}
          value={values[field.name] ?? null}
          problem={problems[field.name]}
          placeholder={keptText(field) || promptOf(field)}
          autoFocus={field.name === first?.field.name}
          Edit={views[field.type]?.Edit}
          onChange={(value) => {
            change(field.name, value)
            if (problems[field.name] || !isTyped(field)) mark({ field, required }, value)
          }}
          onBlur={() => {
            if (isTyped(field)) mark({ field, required }, values[field.name])
          }}
        />
      ))}
      <CallOutputs
        fields={visible.filter(({ field }) => field.computed).map(({ field }) => field)}
        {...{ entity, idOf, records, current }}
      />
    </div>
  )

  return {
    element,
    typed,
    focus() {
      if (first) focus(first.field.name)
    },
    collect: useReadDialog({ shown, values, keepEmpty, problemOf, show }),
    refuse(errors) {
      const found = errors
        .map(({ field, message }) => [field.split('.')[0], message] as const)
        .filter(([name]) => shown.some(({ field }) => field.name === name))
      return keep(Object.fromEntries(found))
    },
  }
}

interface Showing {
  fields: PromptedField[]
  named(this: void, field: PromptedField): Field
  keepEmpty: boolean
  /** The record in the state that the action moves it to. */
  reached: RecordData
  /** Whether the server refuses the call without the fields that the action itself requires. */
  isInsisting: boolean
}

/**
 * The fields whose conditions leave them visible, and which of them are required. Without a record a condition is often
 * false, which must not hide what the call is refused without.
 */
function useShownFields(entity: ActionHost['entity'], showing: Showing): CallField[] {
  const { fields, named, keepEmpty, reached, isInsisting } = showing
  const holds = useConditions(entity)
  const isRequired = ({ required, requiredWhen }: Field) =>
    required || (requiredWhen !== undefined && holds(requiredWhen, reached))
  return fields
    .map((field) => ({ field: named(field), required: field.required }))
    .filter(({ field, required }) => (isInsisting && required) || holds(field.visibleWhen, reached))
    .map(({ field, required }) => ({ field, required: required || (!keepEmpty && isRequired(field)) }))
}

/** The field under its label in the dialog; if files are named after their records, the maximum applies to each record. */
function namedField(
  entity: ActionHost['entity'],
  { field: name, label, namedBy }: PromptedField,
  count: number,
): Field {
  const field = label ? { ...entity.fields[name], label } : entity.fields[name]
  if (namedBy === undefined || count < 2) return field
  return { ...field, options: { ...field.options, max: Number(field.options.max) * count } }
}
