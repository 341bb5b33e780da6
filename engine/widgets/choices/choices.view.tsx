import { Select } from 'antd'
import type { EditProps, FilterProps, WidgetView } from '../../client/view.ts'
import { ChoicesFilter, leaveByTab, matchChoice, useChoices } from '../choice/choice.view.tsx'
import type { ChoiceOptions } from '../choice/choice.ts'
import { ChoicesDisplay } from './ChoicesDisplay.tsx'
import { selectProps } from '../text/text.view.tsx'

function ChoicesEdit(props: EditProps<string[]>) {
  const { value, onChange, onBlur, field } = props
  const options = useChoices(field.options as ChoiceOptions, value ?? [])
  return (
    <Select
      {...selectProps(props)}
      style={{ width: '100%' }}
      mode="multiple"
      onInputKeyDown={leaveByTab}
      allowClear
      maxCount={field.options.max}
      filterOption={matchChoice}
      value={value ?? []}
      onChange={(chosen: string[]) => onChange(chosen.length > 0 ? chosen : null)}
      onBlur={() => onBlur?.()}
      options={options}
    />
  )
}

function ChoicesListFilter({ id, value, onChange, field, label }: FilterProps) {
  const chosen = (Array.isArray(value?.overlaps) ? value.overlaps : []) as string[]
  return (
    <ChoicesFilter
      id={id}
      label={label}
      options={field.options as ChoiceOptions}
      chosen={chosen}
      onChange={(next) => onChange(next.length > 0 ? { overlaps: next } : undefined)}
    />
  )
}

export const choicesView: WidgetView = {
  Edit: ChoicesEdit,
  Display: ChoicesDisplay,
  Cell: ChoicesDisplay,
  Filter: ChoicesListFilter,
}
