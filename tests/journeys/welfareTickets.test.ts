/**
 * The welfare clerk adjusts a base and enters a back-payment, from the enrolment to the expense lines: the proposal,
 * its handling, and the outcome.
 */
import { expect, test } from 'vitest'
import { addMonths } from '../../engine/expression/index.ts'
import type { FilterValue, RecordData } from '../../engine/model/model.ts'
import { call, detail, dialog, list, open, useDemo } from './app.ts'
import { fill } from './controls.ts'
import { act, agreeing, button, row, says } from './parts.ts'
import { isLong } from '../long.ts'

useDemo({ isShared: true })

const family = '/welfare/socialsecurity'
const clerk = { user: 'welfareClerk', stays: true }
const month = () =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai', year: 'numeric', month: '2-digit' })
    .format(new Date())
    .slice(0, 7)
const idOf = (value: unknown) => (value as { id: number }).id

/** An enrolment in Beijing without an open ticket of that kind. */
async function enrolledWithout(ticket: string, filters: Record<string, FilterValue> = {}): Promise<RecordData> {
  const { list: open } = await list(`${family}${ticket}`, {
    filters: {
      status: { in: ['pending', 'processing', 'returned', 'failed', 'success'] },
      source: { in: ['manual', 'import', 'addition'] },
    },
  })
  const taken = new Set(open.map(({ person }) => idOf(person)))
  const { list: enrolled } = await list(`${family}Enrolment`, {
    filters: { status: { equals: 'enrolled' }, city: { equals: '110100' }, ...filters },
  })
  return detail(
    `${family}Enrolment`,
    enrolled.find(({ person, personalAccountNo }) => !taken.has(idOf(person)) && personalAccountNo !== null)!.id!,
  )
}

test.runIf(isLong)('a base is adjusted from the enrolment, handled, and takes effect', async () => {
  const enrolment = await enrolledWithout('Adjustment')
  const newBase = (Number(enrolment.declaredBase) + 1000).toFixed(2)
  const page = await open(`${family}?q=${String(enrolment.personalAccountNo)}`, clerk)
  await act(page, row(page, String(enrolment.personName)), '基数调整')
  const form = page.getByRole('form', { name: '新增社会保险基数调整', exact: true })
  await expect
    .poll(() => form.locator('[data-field=oldBase]').innerText(), { message: 'the base of the enrolment' })
    .toContain(Number(enrolment.declaredBase).toLocaleString('en', { minimumFractionDigits: 2 }))
  await fill(form, '调整类型', '中途调基')
  await fill(form, '新申报基数', newBase)
  await expect
    .poll(() => form.locator('[data-field=companyDiff]').innerText(), { message: 'what it changes a month' })
    .toMatch(/[1-9]/)
  await button(form, '保存').click()
  await says(page, '保存成功')
  const {
    list: [ticket],
  } = await list(`${family}Adjustment`, {
    filters: { person: { equals: idOf(enrolment.person) }, status: { equals: 'pending' } },
  })
  expect(ticket).toMatchObject({ oldBase: enrolment.declaredBase, newBase, adjustType: 'midyear' })

  const desk = await open(`${family}/fm?q=${String(ticket.ticketNo)}`, clerk)
  await act(desk, row(desk, String(ticket.ticketNo)), '办理成功')
  await fill(dialog(desk), '办理月份', month())
  await agreeing(dialog(desk)).click()
  await expect.poll(async () => (await detail(`${family}Adjustment`, ticket.id!)).status).toBe('success')
  expect(await detail(`${family}Enrolment`, enrolment.id!)).toMatchObject({
    declaredBase: newBase,
    lastAdjustMonth: ticket.effectiveMonth,
    companyTotal: (await detail(`${family}Adjustment`, ticket.id!)).companyTotal,
  })
})

test.runIf(isLong)(
  'months are paid back with a late fee that the provider bears, and become lines of the month',
  async () => {
    const enrolment = await enrolledWithout('Supplement', {
      startMonth: { between: [`${month().slice(0, 4)}-02`, month()] } as unknown as FilterValue,
    })
    const [from, to] = [addMonths(String(enrolment.startMonth), -2)!, addMonths(String(enrolment.startMonth), -1)!]
    // Moves the hire date back, because months before an employment cannot be paid back.
    const person = idOf(enrolment.person)
    const { revision } = await detail('/staff/person', person)
    await call('POST', '/staff/person/update', { id: person, revision, values: { entryDate: `${from}-01` } })
    const page = await open(`${family}?q=${String(enrolment.personalAccountNo)}`, clerk)
    await act(page, row(page, String(enrolment.personName)), '补缴')
    const form = page.getByRole('form', { name: '新增社会保险补缴', exact: true })
    await expect
      .poll(() => form.getByRole('textbox', { name: '补缴基数', exact: true }).inputValue(), {
        message: 'the base of the enrolment',
      })
      .toMatch(/[1-9]/)
    await fill(form, '补缴开始月', from)
    await fill(form, '补缴结束月', to)
    await fill(form, '补缴原因', '入职后漏报')
    await fill(form, '滞纳金承担方', '我司')
    await expect
      .poll(() => form.locator('[data-field=months]').innerText(), { message: 'how many months' })
      .toContain('2')
    const months = form.locator('[data-field=monthly]')
    await expect.poll(() => months.innerText(), { message: 'each month' }).toContain(from)
    expect(await months.innerText()).toContain(to)
    await expect
      .poll(() => form.getByRole('textbox', { name: '滞纳金', exact: true }).inputValue(), {
        message: 'the late fee of these months',
      })
      .toMatch(/[1-9]/)
    await button(form, '保存').click()
    await says(page, '保存成功')
    const {
      list: [ticket],
    } = await list(`${family}Supplement`, {
      filters: { person: { equals: idOf(enrolment.person) }, status: { equals: 'pending' } },
    })
    expect(ticket).toMatchObject({ fromMonth: from, toMonth: to, months: 2, lateFeeBearer: 'provider' })

    const desk = await open(`${family}/supplement?q=${String(ticket.ticketNo)}`, clerk)
    await act(desk, row(desk, String(ticket.ticketNo)), '办理成功')
    await fill(dialog(desk), '办理月份', month())
    await fill(dialog(desk), '滞纳金', '88.80')
    await agreeing(dialog(desk)).click()
    await expect.poll(async () => (await detail(`${family}Supplement`, ticket.id!)).status).toBe('success')
    const { list: lines } = await list(`${family}ExpenseLine`, {
      filters: { person: { equals: idOf(enrolment.person) }, expenseType: { equals: 'supplement' } },
      sort: 'belongMonth',
    })
    expect(lines).toMatchObject([
      { belongMonth: from, feeMonth: month(), lateFee: '88.80', lateFeeBearer: 'provider', sourceNo: ticket.ticketNo },
      { belongMonth: to, feeMonth: month(), lateFee: '0.00' },
    ])
  },
)
