import { Skeleton } from 'antd'
import type { Field, RecordData, Value } from '../../model/model.ts'
import { useFormulas } from '../conditions.ts'
import { valuesOf } from '../factsOf.ts'
import { FieldDisplay } from '../FieldDisplay.tsx'
import type { ActionHost } from '../frame.ts'
import type { useViews } from '../useViews.ts'
import { RequiredMark } from '../RequiredMark.tsx'
import { useEngine } from '../view.ts'
import { useWords } from '../words.ts'

export interface CallField {
  field: Field
  required: boolean
}

interface CallFieldProps extends CallField {
  id: string
  value: Value
  problem: string | undefined
  placeholder: string
  autoFocus: boolean
  /** Undefined until loaded. */
  Edit: NonNullable<ReturnType<typeof useViews>[string]>['Edit'] | undefined
  onChange(value: Value): void
  onBlur(): void
}

/** A field that a dialog prompts for, with its label and its problem. */
export function CallFieldEdit({ id, field, required, value, problem, Edit, ...rest }: CallFieldProps) {
  const { text } = useEngine()
  const hint = field.hint && text(field.hint)
  return (
    <div className="call-form-field">
      <div>
        <label htmlFor={id}>{text(field.label)}</label>
        {required && <RequiredMark />}
      </div>
      {Edit ? (
        <Edit
          id={id}
          field={field}
          label={text(field.label)}
          value={value}
          required={required}
          invalid={Boolean(problem)}
          describedBy={problem || hint ? `${id}-note` : undefined}
          {...rest}
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
}

interface CallOutputsProps extends Omit<CallOutputProps, 'id' | 'field'> {
  fields: Field[]
  idOf(name: string): string
}

/** The computed fields below those that are prompted for; formulas of one record only, as several are not filled in. */
export const CallOutputs = ({ fields, idOf, ...shown }: CallOutputsProps) =>
  fields
    .filter(({ computed }) => computed?.kind !== 'formula' || shown.records.length < 2)
    .map((field) => <CallOutput key={field.name} id={idOf(field.name)} field={field} {...shown} />)

interface CallOutputProps {
  entity: ActionHost['entity']
  id: string
  field: Field
  records: readonly RecordData[]
  /** The record with the dialog's current input. */
  current: RecordData
}

/** A computed field that follows the input; for several records, its value for each. */
function CallOutput({ entity, id, field, records, current }: CallOutputProps) {
  const engine = useEngine()
  const { text } = engine
  const words = useWords()
  const work = useFormulas(entity)
  const { computed, name } = field
  const value = computed?.kind === 'formula' ? work(computed.formula, field, current) : (current[name] ?? null)
  return (
    <div className="call-form-field">
      <span id={`${id}-label`}>{text(field.label)}</span>
      <output aria-labelledby={`${id}-label`}>
        {records.length > 1 ? (
          valuesOf(words, engine, { entity, records, field })
        ) : (
          <FieldDisplay value={value} field={field} />
        )}
      </output>
      {field.hint && <div className="call-form-hint">{text(field.hint)}</div>}
    </div>
  )
}
