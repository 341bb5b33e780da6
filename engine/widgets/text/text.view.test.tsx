// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import type { WidgetView } from '../../client/view.ts'
import type { Field, Value } from '../../model/model.ts'
import { bankaccountView } from '../bankaccount/bankaccount.view.tsx'
import { decimalView } from '../decimal/decimal.view.tsx'
import { integerView } from '../integer/integer.view.tsx'
import { moneyView } from '../money/money.view.tsx'
import { percentView } from '../percent/percent.view.tsx'
import { textView } from './text.view.tsx'

afterEach(cleanup)

let last: Value | undefined

function draw({ Edit }: WidgetView, options: Record<string, unknown>, initial: Value = null, onBlur = vi.fn()) {
  last = undefined
  const field = { name: 'field', options } as Field
  function Holder() {
    const [value, setValue] = useState(initial)
    return (
      <Edit
        id="field"
        label="字段"
        field={field}
        value={value}
        onBlur={onBlur}
        onChange={(next: Value) => setValue((last = next))}
      />
    )
  }
  render(<Holder />)
  return screen.getByRole<HTMLInputElement>('textbox')
}
const type = (input: HTMLInputElement, value: string) => fireEvent.change(input, { target: { value } })
/** Simulates a browser, which changes the text and moves the caret before the event. */
function edit(input: HTMLInputElement, value: string, caret: number, inputType = 'insertText') {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(input, value)
  input.setSelectionRange(caret, caret)
  fireEvent.input(input, { inputType })
  return [input.value, input.selectionStart]
}

test('text is put into upper case while typed, and trimmed on blur', () => {
  const onBlur = vi.fn()
  const input = draw(textView, { maxLength: 60, trim: true, upperCase: true }, null, onBlur)
  type(input, ' ab')
  expect(last).toBe(' AB')
  fireEvent.blur(input)
  expect([last, input.value, onBlur.mock.calls.length]).toEqual(['AB', 'AB', 1])
  type(input, '')
  expect(last).toBeNull()
})

test('a twelve-digit number is stripped on blur, a longer one is not', () => {
  const input = draw(textView, { maxLength: 60, trim: true, stripTwelveDigits: true })
  type(input, '流水 102100099996 与 1021000999961')
  fireEvent.blur(input)
  expect(last).toBe('流水  与 1021000999961')
})

test('text in an input method is left alone until it is complete', () => {
  const input = draw(textView, { maxLength: 60, trim: true, noSpaces: true })
  fireEvent.compositionStart(input)
  fireEvent.input(input, { target: { value: 'ruo gu' }, isComposing: true })
  expect(input.value).toBe('ruo gu')
  fireEvent.input(input, { target: { value: '若 谷' }, isComposing: true })
  fireEvent.compositionEnd(input)
  expect([last, input.value]).toEqual(['若谷', '若谷'])
})

test('the caret stays where a refused character was typed', () => {
  const input = draw(bankaccountView, {}, '12345678')
  input.focus()
  expect(edit(input, '123x45678', 4)).toEqual(['12345678', 3])
})

test('a decimal takes digits without leading zeros, up to its scale, and a sign only if it may be negative', () => {
  const input = draw(decimalView, { precision: 16, scale: 3, negative: false })
  const cases = [
    ['007', '7'],
    ['0.1234', '0.123'],
    ['.5', '0.5'],
    ['-5', '5'],
    ['1,234.5', '1234.5'],
    ['１２。５', '12.5'],
    ['abc', ''],
  ]
  for (const [typed, left] of cases) {
    type(input, typed)
    expect(input.value).toBe(left)
  }
  type(input, '12.50')
  fireEvent.blur(input)
  expect([last, input.value]).toEqual(['12.500', '12.5'])
  cleanup()
  const negative = draw(decimalView, { precision: 16, scale: 2, negative: true })
  type(negative, '-0012.345')
  expect(last).toBe('-12.34')
})

test('an integer is emitted as a number, money and percent as exact strings', () => {
  type(draw(integerView, {}), '12a')
  expect(last).toBe(12)
  cleanup()
  const money = draw(moneyView, { negative: false })
  type(money, '1234567890123.4')
  fireEvent.blur(money)
  expect([last, money.value]).toEqual(['1234567890123.40', '1,234,567,890,123.40'])
  cleanup()
  const percent = draw(percentView, { min: 0, max: 100 }, '6.0000')
  expect(percent.value).toBe('6')
  type(percent, '6.0')
  expect(percent.value).toBe('6.0')
  fireEvent.blur(percent)
  expect([last, percent.value]).toEqual(['6.0000', '6'])
})

test('an amount has thousands separators, even while typing', () => {
  const input = draw(moneyView, { negative: true }, '-1234567.50')
  expect(input.value).toBe('-1,234,567.50')
  expect(edit(input, '1,234,567.50', 0, 'deleteContentBackward')).toEqual(['1,234,567.50', 0])
  expect(edit(input, '1,2934,567.50', 4)).toEqual(['12,934,567.50', 4])
  expect(edit(input, '129,934,567.50', 3)).toEqual(['129,934,567.50', 3])
  expect(last).toBe('129934567.50')
  type(input, '98765.4')
  expect([last, input.value]).toEqual(['98765.4', '98,765.4'])
  fireEvent.blur(input)
  expect([last, input.value]).toEqual(['98765.40', '98,765.40'])
})

test('a thousands separator does not block deletion', () => {
  const input = draw(moneyView, { negative: false }, '12345.00')
  expect(edit(input, '12345.00', 2, 'deleteContentBackward')).toEqual(['12,345.00', 2])
  expect(edit(input, '12345.00', 2, 'deleteContentForward')).toEqual(['12,345.00', 3])
  expect(edit(input, '12,45.00', 3, 'deleteContentForward')).toEqual(['1,245.00', 3])
  expect(last).toBe('1245.00')
})
