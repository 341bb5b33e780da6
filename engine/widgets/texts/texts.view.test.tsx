// @vitest-environment jsdom
import { cleanup, fireEvent, render } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import type { Field, Value } from '../../model/model.ts'
import { textsView } from './texts.view.tsx'

afterEach(cleanup)

const { Edit } = textsView
const field = { options: { maxLength: 60, maxItems: 20 } } as unknown as Field

let emitted: Value[]
function draw(initial: string[] | null) {
  emitted = []
  function Holder() {
    const [value, setValue] = useState<Value>(initial)
    const onChange = (next: Value) => {
      emitted.push(next)
      setValue(next)
    }
    return <Edit id="field" label="Names" field={field} value={value} onChange={onChange} />
  }
  render(<Holder />)
  return document.querySelector('input')!
}
const type = (input: HTMLInputElement, value: string) => fireEvent.change(input, { target: { value } })
const tags = () => [...document.querySelectorAll('.ant-select-selection-item-content')].map((each) => each.textContent)

test('a separator ends an item, in either script; spaces around it and repetitions go', () => {
  const input = draw(['甲公司'])
  type(input, ' 乙公司 ;丙公司；甲公司;')
  expect(emitted).toEqual([['甲公司', '乙公司', '丙公司']])
  expect(tags()).toEqual(['甲公司', '乙公司', '丙公司'])
  expect(input.value).toBe('')
})

test('Enter ends an item, and so does leaving the input; only spaces are no item', () => {
  const input = draw(null)
  type(input, '甲公司')
  expect(emitted).toEqual([])
  fireEvent.keyDown(input, { key: 'Enter', keyCode: 13 })
  expect(emitted).toEqual([['甲公司']])
  type(input, 'Second name')
  fireEvent.blur(input)
  expect(emitted.at(-1)).toEqual(['甲公司', 'Second name'])
  type(input, '  ')
  fireEvent.blur(input)
  expect(tags()).toEqual(['甲公司', 'Second name'])
})

test('removing the last item leaves no value', () => {
  const input = draw(['甲公司'])
  fireEvent.keyDown(input, { key: 'Backspace', keyCode: 8 })
  expect(emitted).toEqual([null])
})
