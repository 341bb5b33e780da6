/** The welfare clerk adjusts a base, from the enrolment on: what is proposed, what is handled, what comes of it. */
import { expect, test } from 'vitest'
import type { RecordData } from '../../engine/schema/model.ts'
import { detail, dialog, list, open, useDemo } from './app.ts'
import { fill } from './controls.ts'
import { act, button, row, says } from './parts.ts'

useDemo()

const family = '/welfare/socialsecurity'
const user = 'welfareClerk'
const month = () => new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai', year: 'numeric', month: '2-digit' }).format(new Date()).slice(0, 7)
const idOf = (value: unknown) => (value as { id: number }).id

/** Somebody who is enrolled in Beijing and was not adjusted but once a year. */
async function enrolled(): Promise<RecordData> {
  const { list: open } = await list(`${family}Adjustment`, { filters: { status: { in: ['pending', 'processing', 'returned', 'failed', 'success'] }, source: { in: ['manual', 'import', 'addition'] } } })
  const taken = new Set(open.map(({ person }) => idOf(person)))
  const { list: found } = await list(`${family}Enrolment`, { filters: { status: { equals: 'enrolled' }, city: { equals: '110100' } } })
  return detail(`${family}Enrolment`, found.find(({ person, personalAccountNo }) => !taken.has(idOf(person)) && personalAccountNo !== null)!.id!)
}

test('a base is adjusted from the enrolment on, handled, and in force', async () => {
  const enrolment = await enrolled()
  const newBase = (Number(enrolment.declaredBase) + 1000).toFixed(2)
  const page = await open(`${family}?q=${String(enrolment.personalAccountNo)}`, { user })
  await act(page, row(page, String(enrolment.personName)), '基数调整')
  const form = page.getByRole('form', { name: '新增社会保险基数调整', exact: true })
  await expect.poll(() => form.locator('[data-field=oldBase]').innerText(), { message: 'the base of the enrolment' }).toContain(Number(enrolment.declaredBase).toLocaleString('en', { minimumFractionDigits: 2 }))
  await fill(form, '调整类型', '中途调基')
  await fill(form, '新申报基数', newBase)
  await expect.poll(() => form.locator('[data-field=companyDiff]').innerText(), { message: 'what it changes a month' }).toMatch(/[1-9]/)
  await button(form, '保存').click()
  await says(page, '保存成功')
  const { list: [ticket] } = await list(`${family}Adjustment`, { filters: { person: { equals: idOf(enrolment.person) }, status: { equals: 'pending' } } })
  expect(ticket).toMatchObject({ oldBase: enrolment.declaredBase, newBase, adjustType: 'midyear' })

  const desk = await open(`${family}/fm?q=${String(ticket.ticketNo)}`, { user })
  await act(desk, row(desk, String(ticket.ticketNo)), '办理成功')
  await fill(dialog(desk), '办理月份', month())
  await button(dialog(desk), '确定').click()
  await expect.poll(async () => (await detail(`${family}Adjustment`, ticket.id!)).status).toBe('success')
  expect(await detail(`${family}Enrolment`, enrolment.id!)).toMatchObject({ declaredBase: newBase, lastAdjustMonth: ticket.effectiveMonth, companyTotal: (await detail(`${family}Adjustment`, ticket.id!)).companyTotal })
})
