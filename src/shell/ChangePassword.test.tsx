// @vitest-environment jsdom
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { json } from '../../tests/http.ts'
import {
  answers,
  requestsTo,
  button,
  choose,
  click,
  everyCall,
  good,
  hash,
  info,
  labelled,
  open,
  type,
} from '../../tests/page.tsx'
import { isLong } from '../../tests/long.ts'

const md5 = (text: string) => createHash('md5').update(text).digest('hex').toUpperCase()
const fill = async (original: string, next: string, again = next) => {
  await type('原始密码', original)
  await type('新密码', next)
  await type('确认密码', again)
}
const leave = (label: string) =>
  act(async () => {
    fireEvent.blur(labelled(label))
  })

test('a change from the menu sends uppercase MD5, shows its success, and leads to the sign-in page', async () => {
  answers['/auth/change-password'] = good(null)
  await open('/customer', { token: 'old' })
  await choose('修改密码')
  await screen.findByRole('dialog')
  await fill('Before-2026', 'After-2026')
  const confirm = (await button('确定')) as HTMLButtonElement
  // Enter in a field presses the form's own button.
  expect([confirm.type, confirm.form]).toEqual(['submit', labelled('原始密码').closest('form')])
  await click(confirm)
  expect((await screen.findByRole('status')).textContent).toBe('密码修改成功')
  expect(requestsTo('/auth/change-password').map(({ body }) => JSON.parse(body))).toEqual([
    { OldPassword: md5('Before-2026'), NewPassword: md5('After-2026') },
  ])
  expect([hash(), localStorage.getItem('token')]).toEqual(['/login', null])
})

test('a change at the first sign-in sends trimmed text, shows its success, and leads to the sign-in page', async () => {
  answers['/vue-element-admin/user/info'] = json({ code: 20000, data: { ...info, mustChangePassword: true } })
  answers['/partner-user/change-password'] = good(null)
  await open('/customer', { token: 'old' })
  await screen.findByText('请先修改密码，再开始使用')
  // The server would refuse all of these calls.
  expect(everyCall().filter((path) => /plans\/app|partner-menu|messages/.test(path))).toEqual([])
  await fill(' Before-2026 ', ' After-2026', 'After-2026 ')
  await click(await button('确定'))
  await waitFor(() => expect(hash()).toBe('/login'))
  expect((await screen.findByRole('status')).textContent).toBe('修改成功')
  expect(requestsTo('/partner-user/change-password').map(({ body }) => JSON.parse(body))).toEqual([
    { original_password: 'Before-2026', new_password: 'After-2026' },
  ])
})

test('all three passwords are required on blur, and the two new ones must match', async () => {
  await open('/customer', { token: 'old' })
  await choose('修改密码')
  await screen.findByRole('dialog')
  for (const label of ['原始密码', '新密码', '确认密码']) await leave(label)
  const problems = () =>
    [...document.querySelectorAll('.ant-form-item-explain-error')].map(({ textContent }) => textContent)
  await waitFor(() => expect(problems()).toEqual(['请输入原始密码', '请输入新密码', '请输入确认密码']))
  await fill('Before-2026', 'After-2026', 'After-2027')
  await leave('确认密码')
  await screen.findByText('两次输入密码不一致!')
  await type('新密码', 'short-1')
  await leave('新密码')
  await waitFor(() => expect(problems()).toContain('8至20位，至少包含字母、数字、符号中的两种'))
  await type('新密码', 'Before-2026')
  await leave('新密码')
  await screen.findByText('新密码不能与原始密码相同')
  await click(await button('确定'))
  expect(requestsTo('/auth/change-password')).toEqual([])
})

const escape = () =>
  act(async () => {
    fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape', keyCode: 27 })
  })

test('every password is marked as required, as in other dialogs', async () => {
  await open('/customer', { token: 'old' })
  await choose('修改密码')
  const dialog = await screen.findByRole('dialog')
  expect(within(dialog).getAllByTitle('必填')).toHaveLength(3)
  for (const label of ['原始密码', '新密码', '确认密码'])
    expect(labelled(label).getAttribute('aria-required')).toBe('true')
})

/** Animations do not end here. */
const closes = () => expect(labelled('原始密码').closest('[class*="-leave"]')).not.toBeNull()

test('Escape closes the empty dialog at once', async () => {
  await open('/customer', { token: 'old' })
  await choose('修改密码')
  await screen.findByRole('dialog')
  await type('原始密码', 'Before-2026')
  await type('原始密码', '')
  await escape()
  await waitFor(closes)
  expect(screen.queryByText(/内容尚未保存/)).toBeNull()
})

test('Escape asks before typed passwords are lost', async () => {
  await open('/customer', { token: 'old' })
  await choose('修改密码')
  await screen.findByRole('dialog')
  await type('原始密码', 'Before-2026')
  await escape()
  const question = await screen.findByText(/内容尚未保存/, { selector: '.ant-modal-confirm-title' })
  expect(closes).toThrow()
  await click(within(question.closest<HTMLElement>('[role="dialog"]')!).getByRole('button', { name: /^确\s?定$/ }))
  await waitFor(closes)
})

test.skipIf(!isLong)('two different new passwords are reported in English, too', async () => {
  await open('/customer', { token: 'old', language: 'en' })
  await click(await screen.findByRole('button', { name: /^User menu/ }))
  await click(await screen.findByText('Change password'))
  await screen.findByRole('dialog')
  await type('New password', 'After-2026')
  await type('Confirm password', 'After-2027')
  await leave('Confirm password')
  await screen.findByText('The two passwords do not match!')
})

test.skipIf(!isLong)('a change refused by the server shows the reason and stays open', async () => {
  answers['/auth/change-password'] = json({ code: 422, message: '原始密码错误', result: null }, 422)
  await open('/customer', { token: 'old' })
  await choose('修改密码')
  await screen.findByRole('dialog')
  await fill('Wrong-2026', 'After-2026')
  await click(await button('确定'))
  await screen.findByText('原始密码错误')
  expect([screen.getByRole('dialog') !== null, hash(), localStorage.getItem('token')]).toEqual([
    true,
    '/customer',
    'old',
  ])
})
