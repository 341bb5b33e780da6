import type { Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { isLong } from '../long.ts'
import { dialog, leaveServer, list, open, password, ready, route, tokenOf, useServer } from './app.ts'
import { fill } from './controls.ts'
import { newName } from './customer.ts'
import { copyDemo, emptyFolder } from './demo.ts'
import { button, says } from './parts.ts'
import { expectKept, saveUntilCut } from './savers.ts'
import { startServer } from './server.ts'
import type { RunningServer } from './server.ts'

async function signIn(page: Page, secret: string) {
  await page.getByRole('textbox', { name: '用户名', exact: true }).fill('admin')
  await page.getByLabel('密码', { exact: true }).fill(secret)
  await button(page, '登录').click()
}
const passwordDialog = (page: Page) => page.getByRole('dialog', { name: '修改密码', exact: true })
const openCategories = (page: Page) => button(page.getByRole('main'), '客户分类').first().click()

describe('on an empty folder', () => {
  const { folder, remove } = emptyFolder()
  let server: RunningServer | undefined
  let first = ''
  afterAll(async () => {
    await server?.stop()
    remove()
  })

  test.runIf(isLong)('the first password shows once, and signs in a user who must change it', async () => {
    server = await startServer({ folder })
    useServer(server.url)
    const matches = [...server.output().matchAll(/"admin", password "([^"]+)"/g)]
    expect(matches).toHaveLength(1)
    first = matches[0][1]
    expect(server.output().split(first)).toHaveLength(2)
    const headers = { 'X-Token': await tokenOf('admin', first) }
    const user = await fetch(`${server.url}/api/vue-element-admin/user/info`, { headers })
    expect(await user.json()).toMatchObject({ data: { mustChangePassword: true } })
  })

  // `ChangePassword.test.tsx` changes it in the short form, and `server.test.ts` starts a server again.
  test.runIf(isLong)('no screen opens until the first password is changed', async () => {
    const page = await open('/customer', { user: '' })
    await signIn(page, first)
    const promptDialog = passwordDialog(page)
    await says(promptDialog, '请先修改密码，再开始使用')
    await page.keyboard.press('Escape')
    await page.reload()
    await says(promptDialog, '请先修改密码，再开始使用')
    const mistakes: [string, string, string, string][] = [
      ['', '', '', '请输入新密码'],
      [first, 'short', 'short', '8至20位，至少包含字母、数字、符号中的两种'],
      [first, first, first, '新密码不能与原始密码相同'],
      [first, password, `${password}x`, '两次输入密码不一致!'],
      [`${first}x`, password, password, '原始密码错误'],
    ]
    const answer = async (original: string, next: string, repeated: string) => {
      await promptDialog.getByRole('textbox', { name: '原始密码', exact: true }).fill(original)
      await promptDialog.getByRole('textbox', { name: '新密码', exact: true }).fill(next)
      await promptDialog.getByRole('textbox', { name: '确认密码', exact: true }).fill(repeated)
      await button(promptDialog, '确定').click()
    }
    for (const [original, next, repeated, message] of mistakes) {
      await answer(original, next, repeated)
      await page.getByText(message).first().waitFor()
      expect(await promptDialog.count(), 'it stays open').toBe(1)
    }
    // Enter in the last field does what the button does.
    await promptDialog.getByRole('textbox', { name: '原始密码', exact: true }).fill(first)
    await promptDialog.getByRole('textbox', { name: '确认密码', exact: true }).press('Enter')
    await expect.poll(() => route(page)).toMatch(/^\/login/)
    await signIn(page, first)
    await says(page, '用户名或密码错误')
    await signIn(page, password)
    await expect.poll(() => route(page)).toBe('/home')
    await ready(page)
    expect(await promptDialog.count(), 'once is enough').toBe(0)
  })

  test.runIf(isLong)('data survives a restart', async () => {
    const name = newName('首次分类')
    const page = await open('/customer', { user: '' })
    await signIn(page, password)
    await expect.poll(() => route(page)).toBe('/customer')
    await ready(page)
    await openCategories(page)
    await button(dialog(page), '新增').click()
    const adding = page.getByRole('dialog', { name: '新增客户分类', exact: true })
    await fill(adding, '分类名称', name)
    await button(adding, '保存').click()
    await dialog(page).getByRole('row').filter({ hasText: name }).waitFor()

    await page.close()
    await leaveServer(server!.url)
    await server!.stop()
    server = await startServer({ folder })
    useServer(server.url)
    expect(server.output()).toContain('Ready on ')
    expect(server.output()).not.toMatch(/password/i)
    await expect(tokenOf('admin', first)).rejects.toThrow('用户名或密码错误')
    const again = await open('/customer', { user: '' })
    await signIn(again, password)
    await expect.poll(() => route(again)).toBe('/customer')
    await ready(again)
    expect(await passwordDialog(again).count()).toBe(0)
    await openCategories(again)
    await dialog(again).getByRole('row').filter({ hasText: name }).waitFor()
    await again.close()
    expect((await list('/customer/customerClassification')).list).toMatchObject([
      { name, status: 'enabled', createdBy: { code: 'admin' } },
    ])
    const {
      list: [user],
    } = await list('/setting/user')
    expect(user).toMatchObject({ loginName: 'admin' })
  })
})

test.runIf(isLong)('a server killed while saving has lost no acknowledged save and left none half done', async () => {
  const { start: options, remove } = await copyDemo()
  const start = () => startServer(options)
  let server = await start()
  let killed: Promise<void> | undefined
  try {
    const kept: Awaited<ReturnType<typeof saveUntilCut>> = []
    for (const moment of [1, 4, 9, 17, 30]) {
      useServer(server.url)
      let saved = 0
      kept.push(
        ...(await saveUntilCut(4, () => {
          if (++saved >= moment) killed ??= server.kill()
        })),
      )
      await killed
      server = await start()
      killed = undefined
      useServer(server.url)
      await expectKept(kept)
    }
    const codes = (await list('/customer')).list.map(({ code }) => code)
    expect(new Set(codes).size, 'no number was given twice').toBe(codes.length)
    expect(kept.filter(({ acknowledged }) => acknowledged >= 0).length).toBeGreaterThan(10)
  } finally {
    if (killed) await killed
    else await server.stop()
    await remove()
  }
})
