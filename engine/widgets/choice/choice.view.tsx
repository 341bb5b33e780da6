import { Select } from 'antd'
import type { KeyboardEvent } from 'react'
import type { EditProps, FilterProps, WidgetView } from '../../client/view.ts'
import { useEngine } from '../../client/view.ts'
import { selectProps } from '../text/text.view.tsx'
import { ChoiceDisplay } from './ChoiceDisplay.tsx'
import type { ChoiceOptions } from './choice.ts'

/** The options of a drop-down: those that are offered, and those already chosen. */
export function useChoices(options: ChoiceOptions, chosen: readonly unknown[]) {
  const { dictionary, text } = useEngine()
  return dictionary(options.choices)
    .choices.filter((choice) => !choice.disabled || chosen.includes(choice.value))
    .map(({ value, label }) => ({
      value,
      label: text(label),
      search: [value, ...Object.values(label)].join('\n').toLowerCase(),
    }))
}
export const matchChoice = (typed: string, option?: { search: string }) =>
  option?.search.includes(typed.trim().toLowerCase()) ?? false

function ChoiceEdit(props: EditProps<string>) {
  const { value, onChange, onBlur, field } = props
  const options = useChoices(field.options as ChoiceOptions, [value])
  return (
    <Select
      {...selectProps(props)}
      style={{ width: '100%' }}
      showSearch
      allowClear={!props.required}
      filterOption={matchChoice}
      value={value ?? undefined}
      onChange={(chosen: string | undefined) => onChange(chosen ?? null)}
      onBlur={() => onBlur?.()}
      options={options}
    />
  )
}

function ChoiceFilter({ id, value, onChange, field, label }: FilterProps) {
  const chosen = (Array.isArray(value?.in) ? value.in : []) as string[]
  return (
    <ChoicesFilter
      id={id}
      label={label}
      options={field.options as ChoiceOptions}
      chosen={chosen}
      onChange={(next) => onChange(next.length > 0 ? { in: next } : undefined)}
    />
  )
}

/**
 * In multiple mode, antd's Tab would toggle the highlighted option and stay: here it leaves the control, as everywhere
 * else.
 */
export const leaveByTab = (event: KeyboardEvent) => {
  if (event.key === 'Tab') event.stopPropagation()
}

/** Any of these values; disabled ones too, because old records have them. */
export function ChoicesFilter({
  id,
  label,
  options,
  chosen,
  onChange,
}: {
  id: string
  label: string
  options: ChoiceOptions
  chosen: string[]
  onChange(next: string[]): void
}) {
  const { dictionary } = useEngine()
  const all = useChoices(
    options,
    dictionary(options.choices).choices.map((choice) => choice.value),
  )
  return (
    <Select
      id={id}
      aria-label={label}
      style={{ width: '100%' }}
      mode="multiple"
      onInputKeyDown={leaveByTab}
      allowClear
      maxTagCount="responsive"
      filterOption={matchChoice}
      value={chosen}
      onChange={onChange}
      options={all}
    />
  )
}

export const choiceView: WidgetView = {
  Edit: ChoiceEdit,
  Display: ChoiceDisplay,
  Cell: ChoiceDisplay,
  Filter: ChoiceFilter,
}
