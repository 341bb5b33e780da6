import type { EditProps, FilterProps, WidgetView } from '../../client/view.ts'
import { leaveByTab } from '../choice/choice.view.tsx'
import { isReference } from '../reference/reference.ts'
import type { Reference, ReferenceOptions } from '../reference/reference.ts'
import { ReferenceSelect } from '../reference/reference.view.tsx'
import { selectProps } from '../text/text.view.tsx'

function ReferencesEdit(props: EditProps<Reference[]>) {
  const { value, onChange, onBlur, field } = props
  return (
    <ReferenceSelect
      {...selectProps(props)}
      mode="multiple"
      onInputKeyDown={leaveByTab}
      maxCount={field.options.max}
      target={field.options as ReferenceOptions}
      chosen={(value ?? []).filter(isReference)}
      onChosen={(chosen) => onChange(chosen.length > 0 ? chosen : null)}
      onBlur={() => onBlur?.()}
      allowClear
    />
  )
}

function ReferencesFilter({ id, value, onChange, field, label }: FilterProps) {
  const ids = (Array.isArray(value?.overlaps) ? value.overlaps : []) as number[]
  return (
    <ReferenceSelect
      id={id}
      aria-label={label}
      mode="multiple"
      onInputKeyDown={leaveByTab}
      maxTagCount="responsive"
      target={{ entity: field.options.entity }}
      chosen={ids.map((id) => ({ id }))}
      onChosen={(chosen) => onChange(chosen.length > 0 ? { overlaps: chosen.map(({ id }) => id) } : undefined)}
      allowClear
    />
  )
}

export const referencesView: WidgetView = { Edit: ReferencesEdit, Filter: ReferencesFilter }
