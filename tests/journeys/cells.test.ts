/** A column edited in place: new bases are typed down the list, as in a spreadsheet. */
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { RecordData } from '../../engine/model/model.ts'
import { call, detail, dialog, list, open, useDemo } from './app.ts'
import { tab } from './frame.ts'
import { expectFocus } from './keyboard.ts'
import { button } from './parts.ts'
import { violations } from './violations.ts'
import { isLong } from '../long.ts'

useDemo({ isShared: true })

const endpoint = '/welfare/socialsecurityBaseChange'
const route = '/welfare/socialsecurity/fm/changebase'
const label = '新申报基数'
const clerk = { user: 'welfareClerk', stays: true }
const status = (...states: string[]) => `f.status=${encodeURIComponent(JSON.stringify({ in: states }))}`
const rowOf = (page: Page, { id }: RecordData): Locator => page.locator(`tr[data-record="${id}"]`)
const cellOf = (page: Page, record: RecordData): Locator =>
  rowOf(page, record).getByRole('button', { name: new RegExp(`^编辑${label}`) })
const controlOf = (page: Page, record: RecordData): Locator =>
  rowOf(page, record).getByRole('textbox', { name: label, exact: true })
const money = (value: unknown) => `￥${Number(value).toLocaleString('en', { minimumFractionDigits: 2 })}`
const shown = async (states: string[]) =>
  (await list(endpoint, { filters: { status: { in: states } }, sort: 'customer', size: 20 })).list

test.runIf(isLong)('bases are typed row by row, and each row and the total show what the server computes', async () => {
  const rows = await shown(['collecting', 'declared', 'confirmed'])
  const [first, second, third] = rows.filter((row) => row.status !== 'confirmed')
  const page = await open(`${route}?${status('collecting', 'declared', 'confirmed')}`, clerk)
  await cellOf(page, first).click()
  await expectFocus(controlOf(page, first))
  await page.keyboard.type('98765.4')
  await page.keyboard.press('Enter')
  await expectFocus(controlOf(page, second))
  await expect.poll(() => rowOf(page, first).textContent()).toContain('￥98,765.40')
  const saved = await detail(endpoint, first.id!)
  expect(saved).toMatchObject({ newBase: '98765.40', clamp: 'above', status: 'declared' })
  expect(await rowOf(page, first).textContent()).toContain('高于上限')
  expect(await rowOf(page, first).textContent()).toContain(`${Number(saved.changePercent)}`)
  const { sums } = await list(endpoint, {
    filters: { status: { in: ['collecting', 'declared', 'confirmed'] } },
    sums: ['newBase'],
  })
  expect(await page.locator('tfoot').textContent()).toContain(money(sums!.newBase))

  await page.keyboard.type('0')
  await page.keyboard.press('Enter')
  await expect.poll(() => rowOf(page, second).getByRole('alert').textContent()).toBe('新申报基数不能小于0.01')
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expectFocus(cellOf(page, second))
  expect((await detail(endpoint, second.id!)).revision).toBe(second.revision)

  await page.keyboard.press('F2')
  await page.keyboard.type('6000')
  await page.keyboard.press('Tab')
  await expectFocus(controlOf(page, third))
  await expect.poll(() => cellOf(page, second).textContent()).toBe('￥6,000.00')
  await page.keyboard.press('Shift+Enter')
  await expectFocus(controlOf(page, second))
})

// The tests of the component offer the other value, and keep what was typed in a row that leaves for a while.
test.runIf(isLong)('a value that another user typed meanwhile prompts a choice, and nothing is lost', async () => {
  const [first] = await shown(['collecting', 'declared'])
  const page = await open(`${route}?${status('collecting', 'declared')}`, clerk)
  await cellOf(page, first).click()
  await page.keyboard.type('7000')
  await call('POST', `${endpoint}/update`, { id: first.id, revision: first.revision, values: { newBase: '7111.00' } })
  await page.keyboard.press('Control+Enter')
  await dialog(page).getByText('￥7,111.00').waitFor()
  await dialog(page)
    .getByRole('radio', { name: `保留我的${label}` })
    .check()
  await button(dialog(page), '按所选内容保存').click()
  await expect.poll(() => cellOf(page, first).textContent()).toBe('￥7,000.00')
  expect((await detail(endpoint, first.id!)).newBase).toBe('7000.00')
})

test.runIf(isLong)('typed text survives while its row is scrolled out of sight, and leaving asks first', async () => {
  const page = await open(`${route}?q=&size=100`, clerk)
  const cell = page.getByRole('button', { name: new RegExp(`^编辑${label}`) }).first()
  await cell.waitFor()
  const id = Number(await cell.locator('xpath=ancestor::tr').getAttribute('data-record'))
  await cell.click()
  await page.keyboard.type('0')
  const scroll = (top: number) =>
    page.locator('.grid').evaluate((grid, to) => {
      grid.scrollTop = to
    }, top)
  await scroll(100_000)
  await expect.poll(() => rowOf(page, { id }).count()).toBe(0)
  await scroll(0)
  await expect.poll(() => controlOf(page, { id }).inputValue()).toBe('0')
  await tab(page, '社会保险年度基数申报').press('Delete')
  await dialog(page).getByText('内容尚未保存，确定离开吗？').waitFor()
})

test.runIf(isLong)(
  'the column is plain text without permission, in a final state, and on a narrow screen',
  async () => {
    const [confirmed] = await shown(['confirmed'])
    const desk = await open(`${route}?${status('confirmed')}`, clerk)
    expect(await rowOf(desk, confirmed).textContent()).toContain(money(confirmed.newBase))
    expect(await cellOf(desk, confirmed).count()).toBe(0)
    for (const options of [
      { user: 'auditor', stays: true },
      { ...clerk, width: 390, height: 844 },
    ]) {
      const page = await open(`${route}?${status('collecting')}`, options)
      await page.locator('[data-record]').first().waitFor()
      await page.waitForLoadState('networkidle')
      expect(
        await page.getByRole('button', { name: new RegExp(`^编辑${label}`) }).count(),
        JSON.stringify(options),
      ).toBe(0)
    }
  },
)
