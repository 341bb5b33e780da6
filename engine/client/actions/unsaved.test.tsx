// @vitest-environment jsdom
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { bundleOf, openScreen, user } from '../../../tests/screen.tsx'
import { fieldOf, stubBrowser } from '../../../tests/stage.tsx'
import type { ActionPlan, ScreenPlan } from '../../model/model.ts'

beforeAll(stubBrowser)
afterEach(cleanup)

const label = (cn: string) => ({ cn, en: cn })
const action = (name: string, what: ActionPlan['do']): ActionPlan => ({
  name,
  label: label(name),
  on: 'row',
  permission: `p:${name}`,
  danger: false,
  primary: false,
  do: what,
})
const form = [{ field: 'reason', required: true }]
const end = action('终止', { kind: 'call', path: '/thing/end', form, keepEmpty: false })
const review = action('审核', { kind: 'review', show: ['name'], calls: [end] })

async function open() {
  const columns = [{ field: 'name', label: label('name'), width: 100, sum: false, sort: false, hidden: false }]
  const body = { columns, filters: [], pageSize: 20, tabs: [], where: {}, marks: [], actions: [end, review] }
  const paths = { list: '/thing/list' }
  const rest = { name: 'thing', kind: 'list', area: '', title: label('客户'), parameters: [], entity: 'thing' }
  const plan: ScreenPlan = { ...rest, permission: '', noCache: false, file: '', body: { ...body, paths } }
  const record = { id: 1, revision: 4, name: '启澜' }
  await openScreen({
    bundle: bundleOf(plan, [fieldOf('text', 'name'), fieldOf('text', 'reason', { maxLength: 60 })]),
    answers: {
      '/thing/list': { list: [record], total: 1, sums: {}, counts: [] },
      '/thing/detail': record,
    },
  })
  await screen.findByRole('table')
}
/** Where a user presses it, the focus has moved into the dialog. */
const escape = async () => {
  await waitFor(() => expect(document.activeElement?.closest('[role="dialog"]')).not.toBeNull())
  await user.press('Escape', { keyCode: 27 })
}
const press = (name: string, inside = screen.getByRole('table')) =>
  user.click(within(inside).getByRole('button', { name: RegExp(name.split('').join('\\s?')) }))
const dialog = (name: string) => screen.findByRole('dialog', { name })
// In tests all dialogs of antd are labelled by one id, so the question is found by its text.
const question = { selector: '.ant-modal-confirm-title' }
const answer = async (name: string) => {
  const title = await screen.findByText(/内容尚未保存/, question)
  await press(name, title.closest<HTMLElement>('[role="dialog"]')!)
  await waitFor(() => expect(screen.queryByText(/内容尚未保存/, question)).toBeNull())
}
const box = (inside: HTMLElement) => within(inside).getByRole<HTMLInputElement>('textbox')
const gone = (name: string) => waitFor(() => expect(screen.queryByRole('dialog', { name })).toBeNull())

test.each([
  ['Escape', () => escape()],
  ['its Cancel button', async () => press('取消', await dialog('终止'))],
  ['its close cross', async () => press('Close', await dialog('终止'))],
])('an action dialog with typed input asks before it is closed by %s', async (_, leave) => {
  await open()
  await press('终止')
  await user.type(box(await dialog('终止')), '合同已经到期')
  await leave()
  await answer('取消')
  expect(box(await dialog('终止')).value).toBe('合同已经到期')
  await leave()
  await answer('确定')
  await gone('终止')
})

test('an action dialog closes at once if nothing was typed, or nothing of it is left', async () => {
  await open()
  await press('终止')
  await dialog('终止')
  await escape()
  await gone('终止')
  await press('终止')
  await user.type(box(await dialog('终止')), '错')
  await user.type(box(await dialog('终止')), '')
  await press('取消', await dialog('终止'))
  await gone('终止')
})

test('a review asks before the input of a decision is lost, by closing it or by going back', async () => {
  await open()
  await press('审核')
  const shown = await dialog('审核')
  await press('终止', shown)
  await press('返回', shown)
  await press('终止', shown)
  await user.type(box(shown), '合同已经到期')
  await press('返回', shown)
  await answer('取消')
  await escape()
  await answer('取消')
  expect(box(shown).value).toBe('合同已经到期')
  await press('返回', shown)
  await answer('确定')
  await press('Close', shown)
  await gone('审核')
})

test('a review asks for the input of a decision if Escape is the very next key', async () => {
  await open()
  await press('审核')
  const shown = await dialog('审核')
  await press('终止', shown)
  const input = box(shown)
  // Without `act`, which would finish every effect in between.
  const environment = globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }
  environment.IS_REACT_ACT_ENVIRONMENT = false
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(input, '到期')
  input.dispatchEvent(new Event('input', { bubbles: true }))
  await Promise.resolve()
  input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', keyCode: 27, bubbles: true }))
  environment.IS_REACT_ACT_ENVIRONMENT = true
  await answer('取消')
  expect(input.value).toBe('到期')
})
