import { Input } from 'antd'
import type { InputProps } from 'antd'
import type { ChangeEvent, ComponentType, CompositionEvent } from 'react'
import type { EditProps, FilterProps, WidgetView } from '../../client/view.ts'
import type { Value, Widget } from '../../model/model.ts'
import { filterText, text } from './text.ts'

/** The props that every control of an Edit takes over. */
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
 * antd's select also sets its attributes on its frame, where aria-required is not allowed; the label's mark states it
 * instead.
 */
export const selectProps = (props: EditProps) => ({ ...controlProps(props), 'aria-required': undefined })

interface Typing {
  filter(typed: string): string
  /** The control's text for a filtered value; by default the value itself. */
  shown?(left: string): string
}

/**
 * The input after the filter. It is written into the control as it will be shown, so that the caret keeps its place.
 * While an input method composes (pinyin on its way to a character) the raw text stays: the end of the composition
 * filters it.
 */
export function typedText(
  event: ChangeEvent<HTMLInputElement> | CompositionEvent<HTMLInputElement>,
  typing?: Typing,
): string {
  // antd passes a copy of the control: the native event has the real one.
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
    // A deleted separator reappears: without stepping over it the key would have no effect for ever.
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
  /** The value reported while typing; by default the text, null if empty. */
  typed?(text: string, options: O): Value
  /** The value's text in the control; by default the value as text. */
  shown?(value: Value, options: O): string
}

/** A single-line input. It reports the input while typing, and on blur the normalised value. */
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

/** Matches texts that contain the input. */
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
