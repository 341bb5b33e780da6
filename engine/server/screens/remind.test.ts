import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { customerValues } from '../../../tests/customer.ts'
import { createTestServer, type Client, type TestServer } from '../../../tests/server.ts'
import type { MessageList } from '../../model/model.ts'

type User = Client & { id: number }
let house: TestServer
let [own, other, manager, elsewhere] = [] as unknown as [User, User, User, User]

beforeAll(async () => {
  house = await createTestServer()
  const root = await house.findId('/setting/department', '总部')
  const [east, north] = [
    await house.create('/setting/department', { name: '华东分公司', parent: root }),
    await house.create('/setting/department', { name: '华北分公司', parent: root }),
  ]
  own = await house.user('support01', ['support'], east)
  other = await house.user('support02', ['support'], north)
  manager = await house.user('managerEast', ['customerManager'], east)
  elsewhere = await house.user('managerNorth', ['customerManager'], north)
})
afterAll(() => house?.close())

const reminders = async (as: Client) =>
  ((await as.get('/messages')).result as MessageList).list.filter(({ type }) => type === '催办提醒')
const pending = async (name: string) =>
  house.create('/customer', await customerValues(house, { name, supportStaff: own.id }), own)
const remind = (as: Client, id: number, action = 'approve', rest: { screen?: string; entity?: string } = {}) =>
  as.post('/messages/remind', { screen: 'customer.list', entity: 'customer', action, id, ...rest })

it('reminds the users who may act and see the record, once a day', async () => {
  const id = await pending('启澜物流辛')
  expect(await remind(own, id)).toMatchObject({ code: 1, result: { reminded: 1 } })
  expect(await reminders(manager)).toMatchObject([
    { title: '用户support01提醒您办理：审核，企业客户启澜物流辛', link: `/customer/detail?id=${id}` },
  ])
  // Another department, and an administrator while others may act.
  expect([await reminders(elsewhere), await reminders(house.admin), await reminders(own)]).toEqual([[], [], []])
  expect(await remind(own, id)).toMatchObject({ code: 409, message: '今天已经提醒过' })
  const again = await pending('启澜物流寅')
  const key = { 'idempotency-key': 'remind-once' }
  const body = { screen: 'customer.detail', entity: 'customer', action: 'agree', id: again }
  for (const _ of [1, 2])
    expect(await own.post('/messages/remind', body, key), 'a repeat whose first answer was lost').toMatchObject({
      code: 1,
      result: { reminded: 1 },
    })
  const twice = await pending('启澜物流壬')
  const answers = await Promise.all([remind(own, twice), remind(own, twice)])
  expect(answers.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([1, 409])
  expect(await reminders(manager)).toHaveLength(3)
})

it('tells records of the same name apart', async () => {
  const [first, second] = [await pending('启澜物流同名'), await pending('启澜物流异名')]
  expect((await remind(own, first)).code).toBe(1)
  // As if the first had the name of the second; those of people do repeat.
  await sql`update message set title = replace(title::text, '同名', '异名')::jsonb
    where link = ${`/customer/detail?id=${first}`}`.execute(house.database.kysely)
  expect(await remind(own, second)).toMatchObject({ code: 1, result: { reminded: 1 } })
  expect((await remind(own, second)).code).toBe(409)
})

it('refuses users who may act or do not see the record, and actions that are not open', async () => {
  const id = await pending('启澜物流癸')
  expect(await remind(manager, id)).toMatchObject({ code: 409 })
  expect((await remind(other, id)).code).toBe(403)
  expect((await remind(own, id + 1000)).code).toBe(403)
  expect((await remind(house.admin, id + 1000)).code).toBe(404)
  for (const action of ['view', 'toString', 'export', 'delete'])
    expect(await remind(own, id, action)).toMatchObject({ code: 404, message: '接口不存在' })
  for (const rest of [
    { entity: 'nothing' },
    { entity: 'constructor' },
    { entity: 'contact' },
    { screen: 'nothing' },
    { screen: 'constructor' },
    { screen: 'payroll.list' },
  ])
    expect(await remind(own, id, 'approve', rest)).toMatchObject({ code: 404, message: '接口不存在' })
  expect((await remind(own, id, 'enable')).code).toBe(409)
  // The screen is closed to the user.
  expect((await remind(own, id, 'review', { screen: 'payroll.list', entity: 'payroll' })).code).toBe(403)
  await manager.post('/customer/agree', { id })
  expect((await remind(own, id)).code).toBe(409)
})

it('limits reminders to fifty records a day, and reminds administrators if nobody else may act', async () => {
  await house.admin.post('/setting/user/disable', { id: manager.id })
  await house.admin.post('/setting/user/disable', { id: elsewhere.id })
  const id = await pending('启澜物流子')
  expect(await remind(own, id)).toMatchObject({ code: 1, result: { reminded: 1 } })
  expect(await reminders(house.admin)).toHaveLength(1)
  const { kysely } = house.database
  const { rows } = await sql<{ n: string }>`select count(distinct (title, link)) as n from message
    where type = 'reminder' and "createdBy" = ${own.id}`.execute(kysely)
  await sql`insert into message (type, title, receiver, "createdBy", "createdAt", "updatedAt")
    select 'reminder', jsonb_build_object('cn', n), ${own.id}, ${own.id}, '2026-03-15', '2026-03-15'
    from generate_series(1, ${50 - Number(rows[0].n)}::integer) as n`.execute(kysely)
  expect(await remind(own, await pending('启澜物流丑'))).toMatchObject({ code: 429 })
})

it('reminds of an action that opens another screen, and of none that is not about a record', async () => {
  const auditor = await house.user('auditor01', ['auditor'])
  const values = { name: '在职证明甲', proofType: 'onJob', content: '<p>兹证明</p>' }
  const template = await house.create('/staff/certificate', values)
  const rest = { screen: 'certificate.list', entity: 'certificate' }
  expect(await remind(auditor, template, 'copy', rest)).toMatchObject({
    code: 1,
    result: { reminded: expect.any(Number) },
  })
  const titles = (await reminders(own)).map(({ title }) => title)
  expect(titles).toContain('用户auditor01提醒您办理：复制，证明模板在职证明甲')
  for (const action of ['delete', 'export']) expect((await remind(auditor, template, action, rest)).code).toBe(404)
  const elsewhere = { ...rest, screen: 'customer.list' }
  expect((await remind(auditor, template, 'copy', elsewhere)).code).toBe(404)
})
