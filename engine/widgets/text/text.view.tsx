import { Input } from 'antd'
import type { InputProps } from 'antd'
import { useState } from 'react'
import type { ChangeEvent, ComponentType, CompositionEvent } from 'react'
import type { EditProps, FilterProps, WidgetView } from '../../client/view.ts'
import type { Value, Widget } from '../../model/model.ts'
import { filterText, text } from './text.ts'

/** What every control of an Edit takes from its props. */
export const controlProps = ({ id, disabled, invalid, required, describedBy, placeholder, autoFocus }: EditProps) => ({
  id,
  disabled,
  placeholder,
  autoFocus,
  status: invalid ? ('error' as const) : undefined,
  'aria-invalid': invalid || undefined,
  'aria-required': required || undefined,
  'aria-describedby': describedBy,
})

/**
 * antd's select writes its attributes on its frame as well, where aria-required is not allowed: the label's mark says
 * it.
 */
export const selectProps = (props: EditProps) => ({ ...controlProps(props), 'aria-required': undefined })

/**
 * What was typed, after the filter. It is put into the control itself, where the caret then stays in its place. While
 * an input method composes (pinyin on its way to a character) the raw text stays: the end of the composition filters
 * it.
 */
export function typedText(
  event: ChangeEvent<HTMLInputElement> | CompositionEvent<HTMLInputElement>,
  filter?: (typed: string) => string,
): string {
  // antd hands out a copy of the control: the native event knows the real one.
  const control = event.nativeEvent.target as HTMLInputElement
  const typed = control.value
  const left = filter && !(event.nativeEvent as InputEvent).isComposing ? filter(typed) : typed
  if (filter && left !== typed) {
    const caret = filter(typed.slice(0, control.selectionStart ?? typed.length)).length
    control.value = left
    control.setSelectionRange(caret, caret)
  }
  return left
}

export interface TextLook<O> extends Pick<InputProps, 'inputMode' | 'prefix' | 'suffix' | 'autoComplete' | 'style'> {
  /** Applied while typing. */
  filter?(typed: string, options: O): string
  /** What is handed on while typing; default the text itself, null where empty. */
  typed?(text: string, options: O): Value
  /** The value as it stands in the control; default the value as text. */
  shown?(value: Value, options: O): string
  /** How that reads while nobody types in the control; default the same. */
  atRest?(shown: string): string
}

/**
 * Puts what is to be edited into a control that has just got the focus. Written to the control itself, as a later
 * render would lose what is selected, and whoever tabs into a box replaces all of it.
 */
function showEdited(control: HTMLInputElement, edited: string) {
  const { selectionStart: start, selectionEnd: end, value: rested } = control
  if (rested === edited) return
  const isWhole = start === 0 && end === rested.length
  control.value = edited
  if (isWhole) control.select()
}

/** An input of one line. It hands on what is typed, and on blur what the widget makes of it. */
export function textEdit<O>(widget: Pick<Widget<O>, 'normalize'>, look: TextLook<O> = {}): ComponentType<EditProps> {
  const { filter, typed = (text: string) => text || null, shown = String, atRest = String, ...rest } = look
  return function Edit(props: EditProps) {
    const { value, onChange, onBlur } = props
    const options = props.field.options as O
    const [isEdited, setIsEdited] = useState(props.autoFocus === true)
    const edited = value === null || value === undefined ? '' : shown(value, options)
    const accept = (event: Parameters<typeof typedText>[0]) =>
      onChange(typed(typedText(event, filter && ((text) => filter(text, options))), options))
    return (
      <Input
        autoComplete="off"
        {...rest}
        {...controlProps(props)}
        value={isEdited ? edited : atRest(edited)}
        onChange={accept}
        onCompositionEnd={accept}
        onFocus={({ target }) => {
          showEdited(target, edited)
          setIsEdited(true)
        }}
        onBlur={() => {
          setIsEdited(false)
          const canonical = widget.normalize(value, options)
          if (canonical !== (value ?? null)) onChange(canonical)
          onBlur?.()
        }}
      />
    )
  }
}

/** Contains what is typed. */
export function TextFilter({ id, value, onChange, onEnter }: FilterProps) {
  return (
    <Input
      id={id}
      allowClear
      autoComplete="off"
      value={value?.contains === undefined ? '' : String(value.contains)}
      onChange={(event) => onChange(event.target.value ? { contains: event.target.value } : undefined)}
      onPressEnter={onEnter}
    />
  )
}

export const textView: WidgetView = { Edit: textEdit(text, { filter: filterText }), Filter: TextFilter }
