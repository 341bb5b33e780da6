/**
 * An announcement from draft to readers: released by one user, announced to others, opened by them and counted; and the
 * banners beside it.
 */
import { expect, test } from 'vitest'
import { call, dialog, list, open, route, useDemo } from './app.ts'
import { fill } from './controls.ts'
import { act, button, confirm, row, says } from './parts.ts'
import { isLong } from '../long.ts'

useDemo({ isShared: true })

const title = '下周一系统升级停机两小时'
const unread = async (user: string) => (await call<{ unread: number }>('GET', '/messages/unread', {}, { user })).unread

test.runIf(isLong)(
  'a released announcement notifies colleagues, shows on their home, and counts its readers',
  async () => {
    const before = await unread('cashier')
    const publisher = await open('/setting/notice', { user: 'publisher', stays: true })
    await button(publisher.getByRole('main'), '新增').click()
    const form = dialog(publisher).getByRole('form')
    await fill(form, '标题', title)
    await fill(form, '分类', '系统维护')
    await fill(form, '内容', '请提前保存工作内容')
    await fill(form, '置顶', 'true')
    await button(dialog(publisher), '保存').click()
    await row(publisher, title).waitFor()
    expect(await unread('cashier'), 'a draft notifies nobody').toBe(before)
    await act(publisher, row(publisher, title), '发布')
    await confirm(publisher, '确定发布该公告吗？')
    await row(publisher, title).getByText('已发布', { exact: true }).waitFor()

    const reader = await open('/home', { user: 'cashier' })
    const bell = reader.getByRole('button', { name: `消息，${before + 1}条未读` })
    await bell.click()
    const drawer = reader.getByRole('dialog', { name: '消息' })
    const newest = drawer.getByRole('list', { name: '消息' }).getByRole('listitem').first()
    expect(await newest.innerText()).toContain(`新公告：${title}`)
    await newest.getByRole('link').click()
    await expect.poll(() => route(reader)).toContain('/setting/notice')
    await row(reader, title).waitFor()
    await reader.getByRole('button', { name: before > 0 ? `消息，${before}条未读` : '消息', exact: true }).waitFor()

    await reader.getByRole('tab', { name: '首页', exact: true }).click()
    const notices = reader.getByRole('region', { name: '公告' })
    await notices
      .getByRole('button', { name: `置顶 ${title}` })
      .or(notices.getByRole('button', { name: `置顶${title}` }))
      .click()
    await says(dialog(reader), '请提前保存工作内容')
    const count = async () => (await list('/setting/notice', { search: title })).list[0].readCount
    await expect.poll(count).toBe(1)
    await call(
      'POST',
      '/setting/notice/read',
      { id: (await list('/setting/notice', { search: title })).list[0].id! },
      { user: 'cashier' },
    )
    expect(await count(), 'the same reader again').toBe(1)
  },
)

test.runIf(isLong)('all messages are marked as read at once', async () => {
  const page = await open('/customer', { user: 'support', stays: true })
  await page.getByRole('button', { name: /^消息/ }).click()
  const drawer = page.getByRole('dialog', { name: '消息' })
  await drawer.getByRole('list', { name: '消息' }).waitFor()
  if (await button(drawer, '全部已读').isEnabled()) await button(drawer, '全部已读').click()
  await expect.poll(() => drawer.getByRole('img', { name: '未读' }).count()).toBe(0)
  expect(await unread('support')).toBe(0)
})

test.runIf(isLong)('the banners of the home screen move by keyboard and lead where they say', async () => {
  const page = await open('/home', { user: 'support' })
  const banners = page.getByRole('group', { name: '轮播图', exact: true })
  await banners.getByRole('group', { name: '1 / 3' }).waitFor()
  await button(banners, '下一张').press('Enter')
  await banners.getByRole('group', { name: '2 / 3' }).waitFor()
  await button(banners, '上一张').press('Enter')
  await banners.getByRole('group', { name: '1 / 3' }).getByRole('button').press('Enter')
  await says(dialog(page), '关于年度社会保险缴费基数申报的通知')
  await page.keyboard.press('Escape')
  await button(banners, '下一张').press('Enter')
  await banners.getByRole('group', { name: '2 / 3' }).getByRole('link').press('Enter')
  await expect.poll(() => route(page)).toBe('/customer')
})
