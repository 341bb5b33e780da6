// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { draw, entity, field, formPlan, label } from '../../tests/fixtures/screen.tsx'
import { bundleOf, openScreen, user } from '../../tests/screen.tsx'
import { fieldOf, stubBrowser } from '../../tests/stage.tsx'
import type { ScreenPlan } from '../model/model.ts'
import { FormView } from '../screens/form/form.view.tsx'

beforeAll(stubBrowser)
afterEach(cleanup)

const leave = async (box: HTMLInputElement, text: string) => {
  await act(async () => {
    box.focus()
    fireEvent.change(box, { target: { value: text } })
  })
  await act(async () => box.blur())
}
const problemOf = (box: HTMLElement) => [
  box.getAttribute('aria-invalid'),
  document.getElementById(box.getAttribute('aria-describedby') ?? '')?.textContent,
]

test('an unreadable date stays at its field with the expected format, and blocks saving', async () => {
  const thing = entity('thing', [field('name', 'text'), field('due', 'date')])
  const { request, speak } = draw(FormView, formPlan(thing), [thing], { answers: { '/thing/create': { id: 1 } } })
  const box = () => screen.getByLabelText<HTMLInputElement>(label('due').cn)
  await waitFor(box)
  await leave(box(), 'next week')
  await waitFor(() => expect(problemOf(box())).toEqual(['true', '不是有效日期，请按2026-03-05的格式填写']))
  expect(box().value).toBe('next week')
  fireEvent.click(screen.getByRole('button', { name: /保\s*存/ }))
  await screen.findByText('1项需要修改')
  expect(request.post).not.toHaveBeenCalled()
  speak('en')
  const english = screen.getByLabelText<HTMLInputElement>(label('due').en)
  expect(problemOf(english)).toEqual(['true', 'Not a valid date: write it as 2026-03-05'])
  speak('cn')
  await leave(box(), '2026/3/5')
  await waitFor(() => expect(problemOf(box())[0]).not.toBe('true'))
  fireEvent.click(screen.getByRole('button', { name: /保\s*存/ }))
  await waitFor(() => expect(request.post).toHaveBeenCalled())
  expect(request.post.mock.lastCall![1].values.due).toBe('2026-03-05')
})

test.each([
  ['date', '不是有效日期，请按2026-03-05的格式填写'],
  ['month', '不是有效月份，请按2026-03的格式填写'],
  ['datetime', '不是有效时间，请按2026-03-05 08:30:00的格式填写'],
])('an unreadable end of a %s range stays in its filter, and is not searched for', async (type, message) => {
  const due = { field: 'due', label: { cn: '到期', en: 'Due' }, operator: 'between' }
  const columns = [{ field: 'name', label: label('name'), width: 100, sum: false, sort: false, hidden: false }]
  const body = { columns, filters: [due], pageSize: 20, tabs: [], where: {}, marks: [], actions: [] }
  const rest = { name: 'thing', kind: 'list', area: '', title: label('thing'), parameters: [], entity: 'thing' }
  const plan: ScreenPlan = {
    ...rest,
    permission: '',
    noCache: false,
    file: '',
    body: { ...body, paths: { list: '/thing/list' } },
  }
  const { requests } = await openScreen({
    bundle: bundleOf(plan, [fieldOf('text', 'name'), fieldOf(type, 'due')]),
    answers: { '/thing/list': { list: [], total: 0, sums: {}, counts: [] } },
  })
  const lists = () => requests.filter(({ path }) => path === '/thing/list').length
  const box = await screen.findByLabelText<HTMLInputElement>('到期', { selector: 'input[id$=due]' })
  await leave(box, '2026-13-45')
  await waitFor(() => expect(problemOf(box)).toEqual(['true', message]))
  expect(box.value).toBe('2026-13-45')
  const before = lists()
  await user.submit(box)
  expect([lists(), document.activeElement]).toEqual([before, box])
  await user.click(screen.getByRole('button', { name: /重\s*置/ }))
  await waitFor(() => expect([box.value, screen.queryByRole('alert')]).toEqual(['', null]))
})
