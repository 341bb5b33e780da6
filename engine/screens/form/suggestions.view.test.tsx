// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { RequestError } from '../../client/index.ts'
import { draw, entity, field, formPlan, label } from '../../../tests/fixtures/screen.tsx'
import type { FormPlan } from './form.ts'
import { FormView } from './form.view.tsx'

window.matchMedia ??= vi.fn(() => ({
  matches: false,
  addListener: vi.fn(),
  removeListener: vi.fn(),
  addEventListener: vi.fn(),
  removeEventListener: vi.fn(),
})) as never
afterEach(cleanup)

const thing = entity('thing', [field('a', 'text'), field('b', 'text'), field('total', 'money', { readOnly: true })], {
  suggests: { run: 'fillIn', on: ['a'] },
})
const box = (name: string) => screen.getByLabelText<HTMLInputElement>(label(name).cn)
const type = (name: string, value: string) => fireEvent.change(box(name), { target: { value } })

/** Opens the form of a variant with these parameters; `answer` is what is suggested. */
function open(query: Record<string, string>, answer: unknown, warnings: FormPlan['warnings'] = []) {
  const variant = {
    ...formPlan(thing, { warnings }),
    parameters: [
      { name: 'type', required: true },
      { name: 'from', required: false },
    ],
  }
  const drawn = draw(FormView, variant, [thing], {
    query,
    answers: { '/thing/suggest': answer },
    whole: { ...variant, variants: { parameter: 'type', plans: { add: variant } } },
  })
  return {
    ...drawn,
    suggestRequests: () =>
      drawn.request.post.mock.calls.filter(([path]) => path === '/thing/suggest').map(([, sent]) => sent),
  }
}

test('requests no suggestion while nothing is filled in', async () => {
  const { suggestRequests } = open({ type: 'add' }, { values: { b: '建议' } })
  type('b', '自己的')
  await act(async () => undefined)
  expect(suggestRequests()).toEqual([])
})

test('requests a suggestion for the parameters of the form', async () => {
  const { suggestRequests } = open({ type: 'add', from: '7' }, { values: { b: '建议', total: '12.50' } })
  await waitFor(() => expect(box('b').value).toBe('建议'))
  expect(suggestRequests()).toMatchObject([{ parameters: { type: 'add', from: '7' }, typed: [] }])
  // Values computed by the server are visible from then on.
  expect(document.querySelector('[data-field="total"]')!.textContent).toContain('12.50')
})

test('requests a suggestion for input, and ignores an answer to former input', async () => {
  let answerFirst: (value: unknown) => void = () => undefined
  const { request, suggestRequests } = open({ type: 'add' }, { values: { b: '后来的' } })
  request.post.mockImplementationOnce(
    () =>
      new Promise((resolve) => {
        answerFirst = resolve
      }),
  )
  type('a', '一')
  await waitFor(() => expect(suggestRequests()).toMatchObject([{ values: { a: '一' }, typed: ['a'] }]))
  type('a', '一二')
  await waitFor(() => expect(box('b').value).toBe('后来的'))
  await act(async () => answerFirst({ values: { b: '过时的' } }))
  expect(box('b').value).toBe('后来的')
})

test('a refused suggestion shows why, and the input stays', async () => {
  open({ type: 'add' }, new RequestError('该客户没有对账单', { code: 422 }))
  type('a', '一')
  await screen.findByText('该客户没有对账单')
  expect(box('a').value).toBe('一')
})

test('a warning that reads suggested values appears and disappears with them', async () => {
  const message = { cn: '金额另有{total}', en: 'There is also {total}' }
  const { request } = open({ type: 'add' }, { values: { total: '12.50' } }, [
    { at: 'a', when: 'total != null', message },
  ])
  type('a', '一')
  fireEvent.blur(box('a'))
  expect((await screen.findByText(/^金额另有/)).textContent).toContain('12.50')
  request.post.mockImplementation(async () => ({ values: { total: null } }))
  type('a', '二')
  await waitFor(() => expect(screen.queryByText(/^金额另有/)).toBeNull())
})
