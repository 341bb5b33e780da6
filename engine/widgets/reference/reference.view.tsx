import { Select } from 'antd'
import type { SelectProps } from 'antd'
import { useState } from 'react'
import type { UIEvent } from 'react'
import { useEngine } from '../../client/view.ts'
import type { EditProps, FilterProps, WidgetView } from '../../client/view.ts'
import { selectProps } from '../text/text.view.tsx'
import { chosenValue, useNamed, useOptions } from './options.view.tsx'
import { useAwaitedEnter } from './useAwaitedEnter.ts'
import { isReference, referenceText } from './reference.ts'
import type { Reference, ReferenceOptions } from './reference.ts'
import './reference.css'

export const optionTexts = {
  none: { cn: '没有匹配的数据', en: 'Nothing found' },
  loading: { cn: '加载中…', en: 'Loading…' },
  others: { cn: '其他请输入名称搜索', en: 'Type a name to find others' },
  failed: { cn: '加载失败，请重新打开', en: 'Loading failed, please open it again' },
}

interface ReferenceSelectProps extends Omit<SelectProps, 'value' | 'onChange' | 'options'> {
  target: ReferenceOptions
  chosen: Reference[]
  onChosen(chosen: Reference[]): void
}

/** A drop-down that searches on the server. A chosen record keeps its name even if it is no longer offered. */
export function ReferenceSelect({ target, chosen, onChosen, ...rest }: ReferenceSelectProps) {
  const engine = useEngine()
  const options = useOptions(target)
  // Shows the current name if it has changed since.
  const named = useNamed(target.entity, chosen).map(
    (reference) => options.list.find(({ id }) => id === reference.id) ?? reference,
  )
  const many = rest.mode === 'multiple'
  const [open, setOpen] = useState(false)
  const [text, setText] = useState('')
  const item = (reference: Reference) => ({ value: reference.id, label: referenceText(reference) })
  const pick = (picked: { value: number } | { value: number }[] | undefined) => {
    setText('')
    const known = new Map<number, Reference>(
      [...chosen, ...named, ...options.list].map((reference) => [reference.id, reference]),
    )
    onChosen(
      (Array.isArray(picked) ? picked : picked ? [picked] : []).map(({ value }) =>
        chosenValue(known.get(value) ?? { id: value }),
      ),
    )
  }
  const press = useAwaitedEnter(options, text, (id) => {
    if (!many) pick({ value: id })
    else if (!chosen.some((reference) => reference.id === id) && chosen.length < (rest.maxCount ?? Infinity))
      pick([...chosen.map((reference) => ({ value: reference.id })), { value: id }])
    setOpen(many)
  })
  const status =
    options.loading || options.isBehind ? optionTexts.loading : options.failed ? optionTexts.failed : optionTexts.none
  return (
    <Select
      style={{ width: '100%' }}
      {...rest}
      showSearch
      labelInValue
      filterOption={false}
      value={(many ? named.map(item) : named[0] ? item(named[0]) : undefined) as never}
      onChange={pick as never}
      options={options.list.map((option) => ({ ...item(option), code: option.code, disabled: option.disabled }))}
      optionRender={({ label, data }) => (
        <span className="reference-option">
          {label}
          {data.code && <span className="reference-code">{data.code}</span>}
        </span>
      )}
      loading={options.loading}
      notFoundContent={<span role="status">{engine.text(status)}</span>}
      popupRender={(menu) => (
        <>
          {menu}
          {options.isFirst && <div className="reference-others">{engine.text(optionTexts.others)}</div>}
        </>
      )}
      open={open}
      searchValue={text}
      onSearch={(typed) => {
        setText(typed)
        options.search(typed)
      }}
      onInputKeyDown={(event) => {
        rest.onInputKeyDown?.(event)
        press(event)
      }}
      onBlur={(event) => {
        setText('')
        options.leave()
        rest.onBlur?.(event)
      }}
      onOpenChange={(isOpen) => {
        setOpen(isOpen)
        if (isOpen) options.open()
      }}
      onPopupScroll={(event: UIEvent<HTMLElement>) => {
        const { scrollTop, clientHeight, scrollHeight } = event.target as HTMLElement
        if (scrollTop + clientHeight > scrollHeight - 40) options.more()
      }}
    />
  )
}

function ReferenceEdit(props: EditProps<Reference>) {
  return (
    <ReferenceSelect
      {...selectProps(props)}
      target={props.field.options as ReferenceOptions}
      chosen={isReference(props.value) ? [props.value] : []}
      onChosen={([chosen]) => props.onChange(chosen ?? null)}
      onBlur={() => props.onBlur?.()}
      allowClear={!props.required}
    />
  )
}

function ReferenceFilter({ id, value, onChange, field, label }: FilterProps) {
  return (
    <ReferenceSelect
      id={id}
      aria-label={label}
      // Old records may refer to some that the reference's own filter would exclude now.
      target={{ entity: field.options.entity }}
      chosen={typeof value?.equals === 'number' ? [{ id: value.equals }] : []}
      onChosen={([chosen]) => onChange(chosen && { equals: chosen.id })}
      allowClear
    />
  )
}

export const referenceView: WidgetView = { Edit: ReferenceEdit, Filter: ReferenceFilter }
