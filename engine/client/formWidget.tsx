import type { Field, RecordData, Value } from '../model/model.ts'
import { FieldDisplay } from './FieldDisplay.tsx'
import { useFormWords } from './formWords.ts'
import { useViews } from './useViews.ts'
import type { EditProps } from './view.ts'

/**
 * Additional props of a sub-table: computed rows, texts by place (`0.mobile`), and the state of a cell by the row's own
 * conditions.
 */
export interface RowsProps {
  values?: RecordData[]
  problems?: Record<string, string>
  conditions?(row: number, field: string): { visible: boolean; readOnly: boolean; required: boolean }
}

/** The control of the field's widget; a heavy one leaves its place empty until it is loaded. */
export function WidgetEdit(props: EditProps & RowsProps) {
  const { type } = props.field
  const Edit = useViews([type])[type]?.Edit
  return Edit ? <Edit {...props} /> : <div className="form-control-loading" />
}

/** A read-only value, rendered by the same widget everywhere. A missing value is a dim dash. */
export function WidgetDisplay({ value, field }: { value: Value | undefined; field: Field }) {
  const words = useFormWords()
  const isEmpty = value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
  if (!isEmpty) return <FieldDisplay value={value} field={field} />
  return (
    <span className="form-empty">
      <span aria-hidden>—</span>
      <span className="form-hidden">{words('empty')}</span>
    </span>
  )
}
