// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { EngineReact } from '../../client/view.ts'
import type { EngineContext, WidgetView } from '../../client/view.ts'
import type { Field, Label, Value } from '../../model/model.ts'
import { password } from '../password/password.ts'
import { passwordView } from '../password/password.view.tsx'
import { secretView } from './secret.view.tsx'

afterEach(cleanup)

let last: Value | undefined
const english = { language: 'en', text: (label: Label) => label.en } as EngineContext
const context = {
  label: { cn: '新密码', en: 'New password' },
  dictionary: () => {
    throw new Error('none')
  },
  now: () => '',
}

function draw({ Edit }: WidgetView, initial: Value) {
  last = undefined
  const field = { options: { maxLength: 100, multiline: false } } as unknown as Field
  function Holder() {
    const [value, setValue] = useState(initial)
    return (
      <EngineReact.Provider value={english}>
        <label htmlFor="field">Key</label>
        <Edit id="field" label="Key" field={field} value={value} onChange={(next: Value) => setValue((last = next))} />
      </EngineReact.Provider>
    )
  }
  render(<Holder />)
  return [...document.querySelectorAll('input')]
}
const type = (input: HTMLInputElement, value: string) => fireEvent.change(input, { target: { value } })

test('a secret shows only the end of the stored value, which stays if the input is emptied again', () => {
  const [input] = draw(secretView, '******0001')
  expect([input.value, input.placeholder]).toEqual(['', '******0001, leave empty to keep'])
  type(input, 'new-secret')
  expect(last).toBe('new-secret')
  type(input, '')
  expect([last, input.value]).toEqual(['******0001', ''])
})

test('spaces alone keep the stored secret; those around a new one go when the input is left', () => {
  const [input] = draw(secretView, '******0001')
  type(input, '  ')
  expect([last, input.value]).toEqual(['******0001', ''])
  type(input, ' new-secret ')
  expect(last).toBe(' new-secret ')
  fireEvent.blur(input)
  expect([last, input.value]).toEqual(['new-secret', 'new-secret'])
})

test('a password is valid only if both inputs agree', () => {
  const inputs = draw(passwordView, null)
  expect(screen.getByRole('group', { name: 'Key' }).contains(inputs[1])).toBe(true)
  expect(inputs.map(({ type, autocomplete }) => [type, autocomplete])).toEqual([
    ['password', 'new-password'],
    ['password', 'new-password'],
  ])
  type(inputs[0], 'spring-2026')
  expect(password.check(password.normalize(last, {})!, {}, context)?.message.cn).toBe('两次输入密码不一致!')
  type(inputs[1], 'spring-2026')
  expect(password.normalize(last, {})).toBe('spring-2026')
  type(inputs[0], '')
  type(inputs[1], '')
  expect(last).toBeNull()
})
