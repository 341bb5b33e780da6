// @vitest-environment jsdom
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { bundleOf } from '../../tests/screen.tsx'
import { entity, field, formPlan, label } from '../../tests/fixtures/screen.tsx'
import { json } from '../../tests/http.ts'
import { answers, requestsTo, button, choose, click, good, hash, info, open, shell, type } from '../../tests/page.tsx'
import { isLong } from '../../tests/long.ts'

const refusal = json({ code: 401, message: '', result: null }, 401)
const input = (name: string) => screen.findByRole<HTMLInputElement>('textbox', { name: label(name).cn })
const inMemory = () => sessionStorage.getItem('visitedTabs')

beforeEach(() => {
  const customer = entity('customer', [field('name', 'text')])
  const plan = { ...formPlan(customer), route: '/customer' }
  answers['/plans/screen'] = good(bundleOf(plan, Object.values(customer.fields)))
  answers['/customer/create'] = refusal
})

/** Fills in a form whose session has ended when it is saved. */
async function endWhileTyping() {
  await open('/customer', { token: 'old' })
  const box = await input('name')
  await act(async () => {
    fireEvent.change(box, { target: { value: '甲公司' } })
  })
  await click(await button('保存'))
  await button('登录')
}

async function signIn() {
  await type('用户名', 'admin')
  await type('密码', 'secret')
  await click(await button('登录'))
  await shell()
}

test('unsaved input is still there when the same user signs in again, and can be saved', async () => {
  await endWhileTyping()
  expect(hash()).toBe('/login?redirectUrl=%2Fcustomer')
  expect(screen.getByRole('status').textContent).toMatch('登录已过期。未保存的内容仍在本页保留')
  await signIn()
  expect([hash(), (await input('name')).value]).toEqual(['/customer', '甲公司'])
  expect(document.title).toBe('企业客户 · 后台')
  expect(inMemory()).toMatch('/customer')
  answers['/customer/create'] = good({ id: 1, revision: 1 })
  // The sign of the first save may still be leaving.
  await click(screen.getByRole('button', { name: /保存$/ }))
  await screen.findByText('保存成功')
  expect(requestsTo('/customer/create').map(({ headers }) => headers.token)).toEqual(['old', 'fresh'])
})

test('while nobody is signed in, nothing of the former user shows or survives a reload', async () => {
  await endWhileTyping()
  expect(screen.queryAllByRole('tab')).toEqual([])
  expect(screen.queryAllByRole('textbox').map(({ id }) => id)).toEqual(['username'])
  await waitFor(() => expect(document.title).toBe('登录 · 后台'))
  expect(document.body.hasAttribute('data-waiting')).toBe(true)
  expect([inMemory(), sessionStorage.getItem('MenuPermissions'), localStorage.getItem('token')]).toEqual([
    null,
    null,
    null,
  ])
  window.location.hash = '/customer'
  await waitFor(() => expect(hash()).toBe('/login?redirectUrl=%2Fcustomer'))
  expect(screen.queryAllByRole('tab')).toEqual([])
})

test('another user gets the screen empty, and sees nothing of the former until it is known who that is', async () => {
  await endWhileTyping()
  let answerUser = () => {}
  answers['/vue-element-admin/user/info'] = (request, response) => {
    answerUser = () => json({ code: 20000, data: { ...info, id: 2, name: '周演' } })(request, response)
  }
  await type('用户名', 'zhou')
  await type('密码', 'secret')
  await click(await button('登录'))
  await waitFor(() => expect(requestsTo('/vue-element-admin/user/info')).toHaveLength(2))
  expect([hash(), screen.queryByRole('textbox'), screen.queryByRole('tab')]).toEqual(['/customer', null, null])
  await act(async () => answerUser())
  await waitFor(() => expect(requestsTo('/vue-element-admin/user/info')).toHaveLength(3))
  await act(async () => answerUser())
  await button('用户菜单: 周演')
  expect((await input('name')).value).toBe('')
})

test.skipIf(!isLong)('who then logs out leaves nothing behind', async () => {
  await endWhileTyping()
  await signIn()
  await choose('退出登录')
  await click(await button('确定'))
  await button('登录')
  await signIn()
  await act(async () => {
    window.location.hash = '/customer'
  })
  expect((await input('name')).value).toBe('')
})

test.skipIf(!isLong)('a late refusal of the earlier session does not end the new one', async () => {
  let refuse = () => {}
  await open('/customer', { token: 'old' })
  const box = await input('name')
  answers['/customer/create'] = (request, response) => {
    refuse = () => refusal(request, response)
  }
  await act(async () => {
    fireEvent.change(box, { target: { value: '甲公司' } })
  })
  await click(await button('保存'))
  await waitFor(() => expect(requestsTo('/customer/create')).toHaveLength(1))
  localStorage.setItem('token', 'fresh')
  refuse()
  await waitFor(async () => expect((await button('保存')).getAttribute('aria-disabled')).not.toBe('true'))
  expect([hash(), localStorage.getItem('token')]).toEqual(['/customer', 'fresh'])
})
