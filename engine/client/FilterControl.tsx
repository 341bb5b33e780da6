import { Input, Select, Skeleton } from 'antd'
import { filterProblem } from './filterProblem.ts'
import { useViews } from './useViews.ts'
import { useEngine } from './view.ts'
import type { FilterProps } from './view.ts'
import { useWords } from './words.ts'
import type { Field, FilterValue, Operator, Value } from '../model/model.ts'

interface FilterControlProps {
  id: string
  field: Field
  label: string
  operator: Operator
  value: FilterValue | undefined
  /** Heavy controls are loaded only now, so that they do not delay what matters first. */
  loads?: boolean
  onChange(value: FilterValue | undefined): void
}

/**
 * The widget's own filter, or the engine's default for the operator if the widget has none or the list overrides it.
 */
export function FilterControl(props: FilterControlProps) {
  const { id, field, operator, value } = props
  const engine = useEngine()
  const problem = filterProblem(field, operator, value, engine)
  const told = problem && { invalid: true, describedBy: `${id}-problem` }
  return (
    <>
      <Control {...props} {...told} />
      {problem && (
        <div id={`${id}-problem`} className="filter-problem" role="alert">
          {engine.text(problem)}
        </div>
      )}
    </>
  )
}

type Told = Pick<FilterProps, 'invalid' | 'describedBy'>

function Control({
  id,
  field,
  label,
  operator,
  value,
  loads,
  onChange,
  invalid,
  describedBy,
}: FilterControlProps & Told) {
  const { widgets, views } = useEngine()
  const words = useWords()
  const view = useViews([field.type], loads)[field.type]
  if (!view && views[field.type]) return <Skeleton.Input active block />
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
  const one = operator === 'in' && Array.isArray(operand) ? (operand[0] ?? null) : (operand ?? null)
  const giveOne = (next: Value) => give(next === null || operator !== 'in' ? next : [next])
  return <view.Edit {...common} label={label} value={one} onChange={giveOne} />
}
