import { afterAll, beforeAll, expect, test } from 'vitest'
import { isLong } from '../long.ts'
import type { RecordData } from '../../engine/model/model.ts'
import { createTestServer, type Client, type TestServer } from '../server.ts'
import { act, approve, edit, holding, linesOf, paid, payroll, payrollLines, wageUsers } from './salary.ts'

let house: TestServer
let clerk: Client
let manager: Client
beforeAll(async () => {
  house = await createTestServer()
  ;[clerk, manager] = await wageUsers(house)
})
afterAll(() => house?.close())

const pagesOf = (pdf: Buffer) => [...pdf.toString('latin1').matchAll(/\/Type \/Page\b(?!s)/g)].length
const fetched = async (url: string): Promise<Buffer> =>
  ((await house.admin.get(url.replace(/^\/api/, ''))) as unknown as { raw: Buffer }).raw

test('payslips of an approved batch have a page each, are stored and logged, and can be printed singly', async () => {
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
    payslipAt: null,
  })
  const [line] = await linesOf(house, id)
  expect(line.payslipAt).toBeNull()
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

test('payslips are made and viewed only by users who see wages unmasked', async () => {
  const { payroll: id } = await paid(house, {}, { heads: 1 })
  await approve(house, id, { clerk, manager })
  const narrow = await holding(house, 'slips', ['salary:payroll:view', 'salary:payroll:payslip'])
  const [line] = await linesOf(house, id)
  expect(await act(house, id, 'payslip', undefined, narrow)).toMatchObject({ code: 403 })
  expect(await narrow.post(`${payrollLines}/payslip`, { id: line.id })).toMatchObject({ code: 403 })
  expect(await payroll(house, id)).toMatchObject({ payslipFile: null })

  const { result } = await act(house, id, 'payslip', undefined, clerk)
  const { result: seen } = await clerk.get('/salary/payroll/detail', { id })
  expect(seen.payslipFile).toMatchObject([{ url: result.files[0].url }])
})

test.skipIf(!isLong)('handing over payslips records when and how; printing alone records nothing', async () => {
  const { payroll: id } = await paid(house)
  const values = { payslipBy: 'inPerson', payslipAt: '2026-03-15 09:30:00', payslipRemark: '签收表存档' }
  expect(await act(house, id, 'handOverPayslips', values, clerk)).toMatchObject({ code: 409 })
  await approve(house, id, { clerk, manager })
  const given = await act(house, id, 'handOverPayslips', { ...values, payslipAt: '2026-03-16 09:30:00' }, clerk)
  expect(given.errors?.map(({ field }) => field)).toEqual(['payslipAt'])
  const { payslipAt: _at, ...now } = values
  expect(await act(house, id, 'handOverPayslips', { ...now, payslipAt: house.context().now }, clerk)).toMatchObject({
    code: 1,
  })
  expect(await payroll(house, id)).toMatchObject({ ...now, payslipAt: expect.stringMatching(/^2026-03-15/) })
  for (const line of await linesOf(house, id))
    expect(line).toMatchObject({ payslipBy: 'inPerson', payslipAt: expect.stringMatching(/^2026-03-15/) })
})

test.skipIf(!isLong)('undoing an approval removes the payslips, while the journal keeps the handover', async () => {
  const { payroll: id } = await paid(house)
  await approve(house, id, { clerk, manager })
  await act(house, id, 'payslip', undefined, clerk)
  const values = { payslipBy: 'inPerson', payslipAt: house.context().now, payslipRemark: '签收表存档' }
  expect(await act(house, id, 'handOverPayslips', values, clerk)).toMatchObject({ code: 1 })
  expect(await act(house, id, 'unapprove', undefined, manager)).toMatchObject({ code: 1 })
  const [line] = await linesOf(house, id)
  await edit(house, line, { baseSalary: '9000' })
  await approve(house, id, { clerk, manager })
  expect(await payroll(house, id)).toMatchObject({
    payslipFile: null,
    payslipAt: null,
    payslipBy: null,
    payslipRemark: null,
  })
  for (const each of await linesOf(house, id)) expect(each).toMatchObject({ payslipAt: null, payslipBy: null })
  const { list } = (await house.admin.get('/salary/salaryJournal/list', { filters: { payroll: { equals: id } } }))
    .result
  expect(list.filter(({ action }: RecordData) => action === 'handOverPayslips')).toMatchObject([
    { reason: '签收表存档' },
  ])
})

test.skipIf(!isLong)('a payslip handed over later is recorded separately, and the others stay', async () => {
  const { payroll: id } = await paid(house)
  await approve(house, id, { clerk, manager })
  const [, held] = await linesOf(house, id)
  const turn = (action: string) => house.admin.post(`${payrollLines}/${action}`, { id: held.id })
  const give = (payslipBy: string) =>
    act(house, id, 'handOverPayslips', { payslipBy, payslipAt: house.context().now, payslipRemark: '签收表' }, clerk)
  const ways = async () => (await linesOf(house, id)).map(({ payslipBy }) => payslipBy)
  expect(await turn('hold')).toMatchObject({ code: 1 })
  expect(await give('inPerson')).toMatchObject({ code: 1 })
  expect(await ways()).toEqual(['inPerson', null])
  expect(await turn('release')).toMatchObject({ code: 1 })
  expect(await give('email')).toMatchObject({ code: 1 })
  expect(await ways(), 'only who had none').toEqual(['inPerson', 'email'])
  expect(await give('inPerson')).toMatchObject({ code: 1 })
  expect(await ways(), 'all have one: it is corrected').toEqual(['inPerson', 'inPerson'])
})

test('an income letter states earnings without additions after tax', async () => {
  const {
    payroll: id,
    people: [person],
  } = await paid(house, {}, { heads: 1 })
  await edit(house, (await linesOf(house, id))[0], { baseSalary: '9000', afterTaxAdd: '700' })
  await approve(house, id, { clerk, manager })
  const { result } = await house.admin.post('/staff/proof/suggest', {
    values: { person, proofType: 'income', incomeMonths: 12 },
    typed: ['person'],
    parameters: {},
  })
  expect(result.values.averageIncome).toBe('9000.00')
})
