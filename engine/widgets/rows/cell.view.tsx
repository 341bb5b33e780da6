import { useViews } from '../../client/useViews.ts'
import { useEngine } from '../../client/view.ts'
import type { Field, Value } from '../../model/model.ts'

export function ShowCell({ value, field }: { value: Value; field: Field }) {
  const engine = useEngine()
  const view = useViews([field.type])[field.type]
  const Shown = view?.Cell ?? view?.Display
  if (Shown) return <Shown value={value} field={field} label={engine.text(field.label)} />
  if (!view || value === null) return null
  return (
    <>{engine.widgets[field.type].text(value, field.options, { ...engine, label: field.label }, engine.language)}</>
  )
}

interface EditCellProps {
  id: string
  /** `Row 2 Mobile`: the accessible name of the control. */
  name: string
  value: Value
  field: Field
  disabled?: boolean
  required: boolean
  problem?: string
  problems?: Record<string, string>
  onChange(value: Value): void
  onBlur(): void
}

/** One cell: the control of its widget, and one line for its problem. */
export function EditCell({ id, name, problem, problems, ...props }: EditCellProps) {
  const view = useViews([props.field.type])[props.field.type]
  if (!view) return null
  const further = { ...props, ...(problems && { problems }) }
  const describedBy = problem === undefined ? undefined : `${id}-problem`
  return (
    <>
      <label className="rows-label" htmlFor={id}>
        {name}
      </label>
      <view.Edit id={id} label={name} invalid={problem !== undefined} describedBy={describedBy} {...further} />
      {problem !== undefined && (
        <div id={describedBy} className="rows-problem" role="alert">
          {problem}
        </div>
      )}
    </>
  )
}
