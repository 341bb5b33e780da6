import { Input, Select } from 'antd'
import { PendingControl } from './PendingControl.tsx'
import { useViews } from './useViews.ts'
import { useEngine } from './view.ts'
import type { FilterProps } from './view.ts'
import { useWords } from './words.ts'
import type { Field, FilterValue, Operator, Value } from '../model/model.ts'

export interface ControlProps {
  id: string
  field: Field
  label: string
  operator: Operator
  value: FilterValue | undefined
  onChange(value: FilterValue | undefined): void
}

type InvalidProps = Pick<FilterProps, 'invalid' | 'describedBy'>

/** Loaded together with the common widgets, which it shows. */
export function Control({
  id,
  field,
  label,
  operator,
  value,
  onChange,
  invalid,
  describedBy,
}: ControlProps & InvalidProps) {
  const { widgets, views } = useEngine()
  const words = useWords()
  const view = useViews([field.type])[field.type]
  if (!view && views[field.type]) return <PendingControl />
  const common = { id, field, invalid, describedBy }
  if (view?.Filter && operator === widgets[field.type].operators[0]) {
    return <view.Filter {...common} label={label} value={value} onChange={onChange} />
  }

  const operand = value?.[operator]
  const give = (next: Value) => onChange(next === null || next === '' ? undefined : { [operator]: next })
  if (operator === 'contains') {
    const text = typeof operand === 'string' ? operand : ''
    return <Input id={id} allowClear autoComplete="off" value={text} onChange={(event) => give(event.target.value)} />
  }
  if (operator === 'empty') {
    return (
      <Select<'yes' | 'no'>
        id={id}
        allowClear
        placeholder={words('any')}
        value={typeof operand === 'boolean' ? (operand ? 'yes' : 'no') : undefined}
        onChange={(next?: 'yes' | 'no') => give(next ? next === 'yes' : null)}
        options={[
          { value: 'yes', label: words('empty') },
          { value: 'no', label: words('notEmpty') },
        ]}
      />
    )
  }
  if (!view) return null
  if (operator === 'between' || operator === 'overlaps') {
    const [from = null, to = null] = Array.isArray(operand) ? operand : []
    const both = (first: Value, second: Value) => give(first === null && second === null ? null : [first, second])
    return (
      <span className="filter-range">
        <view.Edit
          {...common}
          label={words('from', { label })}
          value={from}
          onChange={(next: Value) => both(next, to)}
        />
        <span aria-hidden="true">–</span>
        <view.Edit
          {...common}
          id={`${id}-to`}
          label={words('to', { label })}
          value={to}
          onChange={(next: Value) => both(from, next)}
        />
      </span>
    )
  }
  const single = operator === 'in' && Array.isArray(operand) ? (operand[0] ?? null) : (operand ?? null)
  const giveOne = (next: Value) => give(next === null || operator !== 'in' ? next : [next])
  return <view.Edit {...common} label={label} value={single} onChange={giveOne} />
}

interface SearchInputProps {
  id: string
  label: string
  value: string
  onChange(value: string): void
}

export function SearchInput({ id, label, value, onChange }: SearchInputProps) {
  const words = useWords()
  return (
    <Input
      id={id}
      allowClear
      autoComplete="off"
      placeholder={label}
      title={words('searchHint')}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}
