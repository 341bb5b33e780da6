import { Input } from 'antd'
import type { FilterProps, WidgetView } from '../../client/view.ts'
import { useEngine } from '../../client/view.ts'
import type { Value } from '../../model/model.ts'
import { typedText, textEdit } from '../text/text.view.tsx'
import { decimal, filterNumber, typedNumber } from './decimal.ts'
import type { DecimalOptions } from './decimal.ts'

/** From … to …, both inclusive; either may be left open. */
export function numberFilter(scale: number) {
  const filter = (typed: string) => filterNumber(typed, { scale, negative: true })
  return function Filter({ id, value, onChange, label, onEnter }: FilterProps) {
    const { text } = useEngine()
    const [from = null, to = null] = Array.isArray(value?.between) ? value.between : []
    const ends = (from: Value, to: Value) =>
      onChange(from === null && to === null ? undefined : { between: [from, to] })
    const end = (shown: Value, name: string, change: (end: Value) => void, endId?: string) => (
      <Input
        id={endId}
        aria-label={`${label} ${name}`}
        placeholder={name}
        inputMode="decimal"
        autoComplete="off"
        value={shown === null ? '' : String(shown)}
        onChange={(event) => change(typedText(event, { filter }) || null)}
        onCompositionEnd={(event) => change(typedText(event, { filter }) || null)}
        onPressEnter={onEnter}
      />
    )
    return (
      <div role="group" aria-label={label} style={{ display: 'flex', alignItems: 'center', gap: 4 }}>
        {end(from, text({ cn: '最小值', en: 'Min' }), (from) => ends(from, to), id)}
        <span aria-hidden>–</span>
        {end(to, text({ cn: '最大值', en: 'Max' }), (to) => ends(from, to))}
      </div>
    )
  }
}

export const decimalView: WidgetView = {
  Edit: textEdit<DecimalOptions>(decimal, {
    inputMode: 'decimal',
    filter: filterDecimal,
    shown: (value, { scale }) => typedNumber(value, scale),
  }),
  Filter: numberFilter(4),
}

function filterDecimal(typed: string, { scale, negative, min }: DecimalOptions) {
  return filterNumber(typed, { scale, negative: negative || Number(min) < 0 })
}
