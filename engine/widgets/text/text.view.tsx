import { Input } from 'antd'
import type { InputProps } from 'antd'
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

interface Typing {
  filter(typed: string): string
  /** How what is left reads in the control; default as it is. */
  shown?(left: string): string
}

/**
 * What was typed, after the filter. It is put into the control itself as it will be shown, where the caret then stays
 * in its place. While an input method composes (pinyin on its way to a character) the raw text stays: the end of the
 * composition filters it.
 */
export function typedText(
  event: ChangeEvent<HTMLInputElement> | CompositionEvent<HTMLInputElement>,
  typing?: Typing,
): string {
  // antd hands out a copy of the control: the native event knows the real one.
  const control = event.nativeEvent.target as HTMLInputElement
  const { isComposing, inputType } = event.nativeEvent as InputEvent
  const typed = control.value
  if (!typing || isComposing) return typed
  const { filter, shown = String } = typing
  const left = filter(typed)
  const text = shown(left)
  if (text !== typed) {
    const before = filter(typed.slice(0, control.selectionStart ?? typed.length)).length
    let caret = before
    while (caret < text.length && filter(text.slice(0, caret)).length < before) caret++
    // A separator that was deleted is back: without a step over it the key would do nothing for ever.
    if (inputType === 'deleteContentForward' && filter(text.slice(0, caret + 1)).length === before) caret++
    control.value = text
    control.setSelectionRange(caret, caret)
  }
  return left
}

export interface TextLook<O> extends Pick<InputProps, 'inputMode' | 'suffix' | 'autoComplete' | 'style'> {
  /** What stands before the text. */
  prefix?(options: O): string
  /** Applied while typing. */
  filter?(typed: string, options: O): string
  /** What is handed on while typing; default the text itself, null where empty. */
  typed?(text: string, options: O): Value
  /** The value as it stands in the control; default the value as text. */
  shown?(value: Value, options: O): string
}

/** An input of one line. It hands on what is typed, and on blur what the widget makes of it. */
export function textEdit<O>(widget: Pick<Widget<O>, 'normalize'>, look: TextLook<O> = {}): ComponentType<EditProps> {
  const { filter, typed = (text: string) => text || null, shown = String, prefix, ...rest } = look
  return function Edit(props: EditProps) {
    const { value, onChange, onBlur } = props
    const options = props.field.options as O
    const textOf = (given: Value | undefined) => (given === null || given === undefined ? '' : shown(given, options))
    const accept = (event: Parameters<typeof typedText>[0]) => {
      const typing = filter && {
        filter: (text: string) => filter(text, options),
        shown: (text: string) => textOf(typed(text, options)),
      }
      const left = typedText(event, typing)
      onChange(typed(left, options))
    }
    return (
      <Input
        autoComplete="off"
        {...rest}
        prefix={prefix?.(options)}
        {...controlProps(props)}
        value={textOf(value)}
        onChange={accept}
        onCompositionEnd={accept}
        onBlur={() => {
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
