/**
 * A violated condition of a family (`checks`) is reported with its message at the field, however the values are sent.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compile } from '../../engine/schema/compile.ts'
import type { ImportProblem, RecordData, Value } from '../../engine/model/model.ts'
import { readSchemas } from '../../engine/server/catalog/sources.ts'
import { lists } from '../../src/lists.ts'
import { schemeFiles, schemeHouse, type SchemeHouse } from './schemeHouse.ts'

const check = { check: 'size(registerNo) >= 4', cn: '备案号至少四位', en: 'At least four characters of register no.' }
const over = {
  check: "memberGroup == 'sea'",
  when: "additionType == 'return'",
  cn: '重新入会者只能参加海上小组',
  en: 'Whoever returns may only be in the group at sea',
}
const leaving = { check: "newGuild != '旧互助会'", cn: '该互助会已撤销', en: 'This guild exists no longer' }
const withChecks = (text: string): string =>
  text
    .replace('"key": "registerNo",', `"key": "registerNo", "checks": [${JSON.stringify(check)}],`)
    .replace('"key": "formerNo",', `"key": "formerNo", "checks": [${JSON.stringify(over)}],`)
    .replace('"minServiceMonths": 3', '"minServiceDays": 45')
    .replace('"key": "newGuild",', `"key": "newGuild", "checks": [${JSON.stringify(leaving)}],`)

let at: SchemeHouse
beforeAll(async () => {
  const files = schemeFiles.map(({ path, text }) => ({ path, text: withChecks(text) }))
  const { catalog, issues } = compile([...readSchemas('schemas'), ...files], lists)
  expect(issues).toEqual([])
  at = await schemeHouse(() => catalog!)
  await at.policy('guild', { cutoffDay: 20, payDay: 25 })
})
afterAll(() => at?.house.close())

const entryFields = { guildcareEntryMemberGroup: 'sea', guildcareEntryConsent: true }
const outside = () => at.joins({ guildcareNeeded: false })
const ticketOf = async (person: number) => (await at.ticketsOf('guildcareAddition', person))[0].id!

test('the form of a ticket is checked', async () => {
  const { id } = await outside()
  const add = (values: Record<string, Value>) =>
    at.house.admin.post('/welfare/guildcareAddition/create', {
      values: {
        person: id,
        city: at.city,
        additionType: 'join',
        startMonth: '2026-04',
        memberGroup: 'shore',
        consent: true,
        ...values,
      },
    })
  expect((await add({ registerNo: 'B1' })).errors).toMatchObject([{ field: 'registerNo', message: '备案号至少四位' }])
  const returning = { additionType: 'return', formerNo: 'M123456' }
  expect((await add(returning)).errors).toMatchObject([{ field: 'formerNo', message: '重新入会者只能参加海上小组' }])
  expect(await add({ ...returning, memberGroup: 'sea', registerNo: 'B123' })).toMatchObject({ code: 1 })
})

test('a change and the values at success are checked', async () => {
  const { id } = await at.joins(entryFields)
  const ticket = await ticketOf(id)
  const wrong = { errors: [{ field: 'registerNo', message: '备案号至少四位' }] }
  expect(await at.change('/welfare/guildcareAddition', ticket, { registerNo: 'B1' })).toMatchObject(wrong)
  const done = { handleMonth: '2026-04', registerNo: 'B1' }
  expect(await at.call('guildcareAddition', 'succeed', ticket, done)).toMatchObject(wrong)
  expect(await at.detail('guildcareAddition', ticket)).toMatchObject({ status: 'pending', registerNo: null })
})

test('the entry and the leave of a person are checked', async () => {
  await expect(at.joins({ ...entryFields, guildcareEntryRegisterNo: 'B1' })).rejects.toThrow('备案号至少四位')
  const { id } = await at.joins({ ...entryFields, guildcareEntryRegisterNo: 'B123' })
  await at.call('guildcareAddition', 'succeed', await ticketOf(id), { handleMonth: '2026-03', registerNo: 'B123' })
  const leave = { leaveDate: '2026-03-20', leaveReason: 'customerEnd', guildcareLeaveReturnedCard: true }
  expect((await at.leave(id, { ...leave, guildcareLeaveNewGuild: '旧互助会' })).errors).toMatchObject([
    { field: 'guildcareLeaveNewGuild', message: expect.stringContaining('该互助会已撤销') },
  ])
})

test('imports of tickets and of their results are checked', async () => {
  const people = [await outside(), await outside()]
  const customer = (await at.house.admin.get('/customer/detail', { id: at.customer })).result.name as string
  const messagesOf = ({ errors }: RecordData) =>
    ((errors ?? []) as unknown as ImportProblem[]).map(({ message }) => [message.cn, message.en])
  const { checked, written } = await at.imported(
    'guildcareAdditionImport',
    people.map(({ idNumber }, index) => ({
      personCustomer: customer,
      personName: '林晓演',
      person: idNumber,
      city: '北京',
      additionType: '入会',
      startMonth: '2026-04',
      memberGroup: '海上',
      consent: '是',
      registerNo: ['B123', 'B1'][index],
    })),
  )
  expect(checked.map(messagesOf)).toEqual([[], [[check.cn, `Register no.: ${check.en}`]]])
  expect(written).toHaveLength(2)
  const made = await Promise.all(people.map(({ id }) => at.ticketsOf('guildcareAddition', id)))
  expect(made.map((tickets) => tickets.length)).toEqual([1, 0])

  const waiting = [await at.joins(entryFields), await at.joins(entryFields)]
  const results = await at.imported(
    'guildcareAdditionHandleImport',
    waiting.map(({ idNumber }, index) => ({
      personName: '林晓演',
      person: idNumber,
      result: '办理成功',
      handleMonth: '2026-04',
      registerNo: ['B1', 'B124'][index],
    })),
  )
  expect(results.checked.map(messagesOf)).toEqual([[[check.cn, `Register no.: ${check.en}`]], []])
})

test('a batch of tickets is checked', async () => {
  const tickets = await Promise.all([1, 2].map(async () => ticketOf((await at.joins(entryFields)).id)))
  const answer = await at.house.admin.post('/welfare/guildcareAddition/succeed', {
    ids: tickets,
    values: { handleMonth: '2026-04', registerNo: 'B1' },
  })
  expect(JSON.stringify(answer)).toContain('备案号至少四位')
  for (const ticket of tickets)
    expect(await at.detail('guildcareAddition', ticket)).toMatchObject({ status: 'pending' })
})

test('a waiting time in days moves the first month, and is reported if the entry asks for an earlier one', async () => {
  const items = at.house.runtime.derived.catalog.entities.policy.fields.berthreserveItems.default as RecordData[]
  const limits = { baseFloor: '2000', baseCeiling: '30000' }
  await at.policy('berth', {
    city: at.city,
    avgMonthlyWage: '9000',
    cutoffDay: 20,
    payDay: 25,
    baseAdjustMonth: 7,
    supplementAllowed: true,
    supplementMaxMonths: 6,
    lateFeeDailyRate: '0.05',
    berthreserveItems: items.map((row) => (row.amountMode === 'fixed' ? row : { ...row, ...limits })) as Value,
  })
  const begins = async (entryDate: string) => {
    const { id } = await at.joins({ ...entryFields, entryDate })
    return (await at.ticketsOf('berthreserveAddition', id)).map(({ startMonth }) => startMonth)
  }
  expect(await begins('2026-02-14')).toEqual(['2026-03'])
  expect(await begins('2026-02-15')).toEqual(['2026-04'])
  const early = { berthreserveNeeded: true, berthreserveStartMonth: '2026-03', entryDate: '2026-02-15' }
  const { id } = await at.joins({ ...entryFields, ...early }, '等待者')
  expect(await at.ticketsOf('berthreserveAddition', id)).toEqual([])
  expect(await at.messages('ticketMissing')).toContainEqual(
    expect.objectContaining({ content: expect.objectContaining({ cn: expect.stringContaining('入职未满45天') }) }),
  )
})
