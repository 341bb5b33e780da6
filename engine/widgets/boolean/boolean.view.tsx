import { Select, Switch } from 'antd'
import { useEngine } from '../../client/view.ts'
import type { EditProps, FilterProps, WidgetView } from '../../client/view.ts'
import { yesNo } from './boolean.ts'

function BooleanEdit({
  id,
  value,
  onChange,
  onBlur,
  disabled,
  invalid,
  describedBy,
  autoFocus,
  label,
}: EditProps<boolean>) {
  const { text } = useEngine()
  return (
    <span onBlur={() => onBlur?.()}>
      <Switch
        id={id}
        checked={value === true}
        onChange={(checked) => onChange(checked)}
        disabled={disabled}
        autoFocus={autoFocus}
        checkedChildren={text(yesNo.true)}
        unCheckedChildren={text(yesNo.false)}
        aria-label={label}
        aria-invalid={invalid || undefined}
        aria-describedby={describedBy}
      />
    </span>
  )
}

function BooleanFilter({ id, value, onChange, label }: FilterProps) {
  const { text } = useEngine()
  return (
    <Select
      id={id}
      aria-label={label}
      style={{ width: '100%' }}
      allowClear
      value={value?.equals as boolean | undefined}
      onChange={(chosen: boolean | undefined) => onChange(chosen === undefined ? undefined : { equals: chosen })}
      options={[
        { value: true, label: text(yesNo.true) },
        { value: false, label: text(yesNo.false) },
      ]}
    />
  )
}

export const booleanView: WidgetView = { Edit: BooleanEdit, Filter: BooleanFilter }
