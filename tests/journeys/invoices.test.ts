/**
 * From two statements to an invoice and back: support staff apply, and the invoice clerk issues the invoice and
 * reverses it.
 */
import { expect, test } from 'vitest'
import type { RecordData } from '../../engine/model/model.ts'
import { Random } from '../../src/demo/random.ts'
import { detail, dialog, list, open, useDemo } from './app.ts'
import { fill } from './controls.ts'
import { fileOnDisk } from './customer.ts'
import { act, agreeing, button, row, says } from './parts.ts'
import { isLong } from '../long.ts'

useDemo({ isShared: true })

const invoices = '/settlement/invoice'
const statements = '/settlement/statement'
const random = new Random(74)
const newNumber = () => `9${random.digits(19)}`
const idOf = (value: RecordData[string]) => (value as { id: number }).id

/** Two statements of one customer of which nothing is invoiced. */
async function openPair(user: string): Promise<RecordData[]> {
  const { list: found } = await list(
    statements,
    { filters: { stage: { equals: 'confirmed' }, uninvoicedAmount: { between: ['0.01', null] } }, sort: 'billMonth' },
    user,
  )
  const pair = found
    .map(({ contract }) => found.filter((each) => idOf(each.contract) === idOf(contract)))
    .find((some) => some.length >= 2)
  expect(pair, 'two statements of one contract').toBeDefined()
  return pair!.slice(0, 2)
}
const statuses = async (pair: RecordData[]) =>
  (await Promise.all(pair.map(({ id }) => detail(statements, id!)))).map(({ invoiceProgress }) => invoiceProgress)

test.runIf(isLong)('two statements become one invoice, and are open again after a red invoice', async () => {
  const pair = await openPair('support')
  const total = pair.reduce((sum, { uninvoicedAmount }) => sum + Number(uninvoicedAmount) * 100, 0) / 100
  const shown = `￥${total.toLocaleString('en-US', { minimumFractionDigits: 2 })}`

  const page = await open('/settlement/invoicing?part=uninvoiced', { user: 'support', stays: true })
  for (const { statementNo } of pair) await row(page, String(statementNo)).getByRole('checkbox').check()
  await button(page.getByRole('main'), '申请开票（2）').click()
  const drawer = page.getByRole('dialog')
  await drawer.getByRole('form').waitFor()
  await expect
    .poll(() => drawer.getByRole('group', { name: '对账单分配', exact: true }).getByRole('row').count(), {
      message: 'both statements and the head',
    })
    .toBe(3)
  await says(drawer, shown)
  await fill(drawer, '发票类型', '数电普通发票')
  await fill(drawer, '交付方式', '客户端下载')
  if ((await drawer.getByRole('combobox', { name: '差额开票方式', exact: true }).count()) > 0)
    await fill(drawer, '差额开票方式', '一张差额发票')
  await button(drawer, '提交申请').click()
  await drawer.waitFor({ state: 'hidden' })
  const {
    list: [made],
  } = await list(invoices, {
    filters: { statements: { overlaps: pair.map(({ id }) => id) }, status: { in: ['applied'] } },
  })
  expect(Number(made.amount)).toBeCloseTo(total, 2)
  expect(await statuses(pair)).toEqual(pair.map(({ invoiceProgress }) => invoiceProgress))

  const desk = await open(`/settlement/invoicing?part=applied&q=${String(made.applyNo)}`, {
    user: 'invoiceClerk',
    stays: true,
  })
  await act(desk, row(desk, String(made.applyNo)).first(), '开票')
  await fill(dialog(desk), '发票号码', newNumber())
  await fill(dialog(desk), '开票日期', today())
  await fill(dialog(desk), '发票文件', fileOnDisk('文件.pdf'))
  await dialog(desk).getByRole('link', { name: '文件.pdf' }).waitFor()
  await agreeing(dialog(desk)).click()
  await expect.poll(async () => (await detail(invoices, made.id!)).status).toBe('issued')
  expect(await statuses(pair)).toEqual(['full', 'full'])

  await desk.getByRole('main').getByRole('tab', { name: '已开票', exact: true }).click()
  const search = desk.getByRole('main').getByPlaceholder('申请编号/发票号码/抬头').filter({ visible: true })
  await search.fill(String(made.applyNo))
  await search.press('Enter')
  await act(desk, row(desk, String(made.applyNo)).first(), '红冲')
  await fill(dialog(desk), '作废或红冲原因', '金额有误')
  await fill(dialog(desk), '红字发票号码', newNumber())
  await fill(dialog(desk), '红字发票文件', fileOnDisk('文件.pdf'))
  await dialog(desk).getByRole('link', { name: '文件.pdf' }).waitFor()
  await agreeing(dialog(desk)).click()
  await expect.poll(async () => (await detail(invoices, made.id!)).status).toBe('redFlushed')
  expect(await statuses(pair)).toEqual(pair.map(({ invoiceProgress }) => invoiceProgress))

  await desk.getByRole('main').getByRole('tab', { name: '已红冲/作废', exact: true }).click()
  await act(desk, row(desk, String(made.applyNo)).first(), '详情')
  await says(dialog(desk), '已红冲')
  await dialog(desk).getByRole('tab', { name: '开票日志', exact: true }).click()
  await says(dialog(desk), '红冲')
})

test.runIf(isLong)(
  'another customer in the form brings its own statements, and an item follows the typed amount',
  async () => {
    const {
      list: [{ customer }],
    } = await list(
      statements,
      { filters: { stage: { equals: 'confirmed' }, uninvoicedAmount: { between: ['200', null] } } },
      'support',
    )
    const page = await open('/settlement/invoicing', { user: 'support', stays: true })
    await button(page.getByRole('main'), '申请开票').click()
    const drawer = page.getByRole('dialog')
    await fill(drawer, '客户', (customer as { name: string }).name)
    const allocations = drawer.getByRole('group', { name: '对账单分配', exact: true })
    await expect
      .poll(() => allocations.getByRole('row').count(), { message: 'what is open of the customer' })
      .toBeGreaterThan(1)
    await allocations.getByRole('textbox', { name: '第1行 本次开票金额', exact: true }).fill('100')
    const items = drawer.getByRole('group', { name: '发票明细', exact: true })
    await expect
      .poll(() => items.getByRole('textbox', { name: '第1行 价税合计', exact: true }).inputValue())
      .not.toBe('')
    for (
      let count = await button(allocations, '删除 第2行').count();
      count > 0;
      count = await button(allocations, '删除 第2行').count()
    )
      await button(allocations, '删除 第2行').click()
    await says(drawer, '￥100.00')
  },
)

const today = () => new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai' }).format(new Date())
