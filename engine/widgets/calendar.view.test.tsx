// @vitest-environment jsdom
import { act, cleanup, fireEvent, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { fieldOf, stage, stubBrowser } from '../../tests/stage.tsx'
import type { FilterValue } from '../model/model.ts'
import { calendarView } from './calendar.view.tsx'
import type { CalendarUnit } from './calendar.ts'

beforeAll(stubBrowser)
afterEach(cleanup)

const box = (id = 'input') => document.getElementById(id) as HTMLInputElement
const type = (text: string, id?: string) =>
  act(async () => {
    box(id).focus()
    fireEvent.change(box(id), { target: { value: text } })
  })
const leave = (id?: string) => act(async () => box(id).blur())
const press = (key: string, id?: string) =>
  act(async () => {
    fireEvent.keyDown(box(id), { key })
  })
const tab = async () => {
  await press('Tab')
  await leave()
}
const edit = (unit: CalendarUnit, initial: string | null, options = {}) =>
  stage(calendarView(unit).Edit, fieldOf(unit, 'due', options), initial)

test.each<[CalendarUnit, string, string]>([
  ['date', '2026-3-5', '2026-03-05'],
  ['date', '2026/3/5', '2026-03-05'],
  ['date', '2026.3.5', '2026-03-05'],
  ['date', '2026年3月5日', '2026-03-05'],
  ['date', '２０２６-０３-０５', '2026-03-05'],
  ['date', '２０２６０３０５', '2026-03-05'],
  ['date', '20260305', '2026-03-05'],
  ['date', ' 2026-03-05 ', '2026-03-05'],
  ['month', '2026年3月', '2026-03'],
  ['month', ' 2026.3', '2026-03'],
  ['month', '202603', '2026-03'],
  ['datetime', '2026年3月5日 8:30', '2026-03-05 08:30:00'],
  ['datetime', '2026-03-05 08:30', '2026-03-05 08:30:00'],
  ['datetime', '2026-3-5', '2026-03-05 00:00:00'],
])('a %s typed as "%s" is taken when it is left', async (unit, text, canonical) => {
  const { value } = await edit(unit, null)
  await type(text)
  await leave()
  await waitFor(() => expect(value()).toBe(canonical))
  expect(box().value).toBe(canonical)
})

test.each([
  ['Enter', () => press('Enter')],
  ['Tab', tab],
  ['leaving', () => leave()],
])('a typed date is taken by %s', async (_, end) => {
  const { value } = await edit('date', '2026-01-01')
  await type('2026年3月5日')
  await end()
  await waitFor(() => expect(value()).toBe('2026-03-05'))
  expect(box().value).toBe('2026-03-05')
})

test('a date is not read before it is complete', async () => {
  const { value } = await edit('date', null)
  for (const text of ['2026/3/1', '2026/3/15']) {
    await type(text)
    expect(box().value).toBe(text)
  }
  await leave()
  await waitFor(() => expect(value()).toBe('2026-03-15'))
})

test.each([['明天'], ['2026-2-30'], ['2026-13-45'], ['3/5'], ['2026-03-051'], ['2027年1月1日', '2027-01-01']])(
  '"%s", which is no date or out of bounds, stays for the check to refuse',
  async (text, kept = text) => {
    const { value } = await edit('date', '2026-03-01', { max: '2026-12-31' })
    for (const letter of text.split('').map((_, index) => text.slice(0, index + 1))) await type(letter)
    await leave()
    await waitFor(() => expect([value(), box().value]).toEqual([kept, kept]))
    await type('2026.3.5')
    await leave()
    await waitFor(() => expect([value(), box().value]).toEqual(['2026-03-05', '2026-03-05']))
  },
)

test.each([
  ['Enter', () => press('Enter')],
  ['Tab', tab],
])('%s keeps what is no date, too, and an emptied box is empty', async (_, end) => {
  const { value } = await edit('month', '2026-03')
  await type('三月')
  await end()
  await waitFor(() => expect([value(), box().value]).toEqual(['三月', '三月']))
  await type('')
  await end()
  await leave()
  await waitFor(() => expect([value(), box().value]).toEqual([null, '']))
})

test.each([
  ['Enter', () => press('Enter', 'input'), () => press('Enter', 'input-end')],
  ['leaving', () => leave('input'), () => leave('input-end')],
])('the range of a filter is read in the same way by %s', async (_, first, second) => {
  const Filter = calendarView('datetime').Filter!
  let filter: FilterValue | undefined
  function Range() {
    const [value, setValue] = useState<FilterValue>()
    const keep = (next: FilterValue | undefined) => {
      filter = next
      setValue(next)
    }
    return <Filter id="input" value={value} onChange={keep} field={fieldOf('datetime', 'due')} label="due" />
  }
  await stage(Range, fieldOf('datetime', 'due'), null)
  await type('2026年3月5日', 'input')
  await first()
  await type('２０２６.３.９', 'input-end')
  await second()
  const between = ['2026-03-05 00:00:00', '2026-03-09 23:59:59']
  await waitFor(() => expect(filter).toEqual({ between }))
})
