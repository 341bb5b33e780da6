import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RecordData } from '../../engine/schema/model.ts'
import { createTestServer, type Client, type TestServer } from '../server.ts'
import { act, approve, linesOf, paid, payroll, payrollLines } from './salary.ts'

let house: TestServer
let clerk: Client
let manager: Client
beforeAll(async () => {
  house = await createTestServer()
  ;[clerk, manager] = [await house.user('paying', ['payrollClerk']), await house.user('deciding', ['financeManager'])]
})
afterAll(() => house?.close())

const pagesOf = (pdf: Buffer) => [...pdf.toString('latin1').matchAll(/\/Type \/Page\b(?!s)/g)].length
const fetched = async (url: string): Promise<Buffer> =>
  ((await house.admin.get(url.replace(/^\/api/, ''))) as unknown as { raw: Buffer }).raw

test('payslips of an approved batch are printed a page each, kept with it, told in the journal, and handed out singly again', async () => {
  const { payroll: id } = await paid(house)
  expect(await act(house, id, 'payslip', undefined, clerk)).toMatchObject({ code: 409 })
  await approve(house, id, { clerk, manager })
  expect(await act(house, id, 'payslip', undefined, manager)).toMatchObject({ code: 403 })
  const { code, result } = await act(house, id, 'payslip', undefined, clerk)
  expect({ code, files: result.files }).toMatchObject({
    code: 1,
    files: [{ name: '二月工资工资条.pdf', url: expect.stringMatching(/\.pdf$/) }],
  })
  expect(pagesOf(await fetched(result.files[0].url))).toBe(2)
  expect(await payroll(house, id)).toMatchObject({
    payslipFile: [expect.objectContaining({ url: result.files[0].url })],
    payslipAt: expect.stringMatching(/^2026-03-15/),
  })
  const [line, other] = await linesOf(house, id)
  expect([line.payslipAt, other.payslipAt]).toEqual([
    expect.stringMatching(/^2026-03-15/),
    expect.stringMatching(/^2026-03-15/),
  ])
  const journal = (
    await house.admin.get('/salary/salaryJournal/list', { filters: { payroll: { equals: id } }, size: 100 })
  ).result.list as RecordData[]
  expect(journal.filter(({ action }) => action === 'payslip')).toMatchObject([
    { subject: 'payroll', statusAfter: 'approved', operator: { name: expect.any(String) } },
  ])

  const single = await clerk.post(`${payrollLines}/payslip`, { id: line.id })
  expect(single).toMatchObject({
    code: 1,
    result: { files: [{ name: `2026-02工资条-${String(line.personName)}.pdf` }] },
  })
  expect(pagesOf(await fetched(single.result.files[0].url))).toBe(1)
})
