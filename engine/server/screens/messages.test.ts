import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from 'kysely'
import { customerValues } from '../../../tests/customer.ts'
import { check, customerImport, customerRow, worker } from '../../../tests/importing.ts'
import { createTestServer, type Client, defaultPassword, type TestServer } from '../../../tests/server.ts'
import type { MessageList } from '../../model/model.ts'

type User = Client & { id: number }
let house: TestServer
let [own, other, manager, elsewhere, left] = [] as unknown as [User, User, User, User, User]
const department = async (name: string, parent: string) =>
  house.create('/setting/department', { name, parent: await house.findId('/setting/department', parent) })

beforeAll(async () => {
  house = await createTestServer()
  const east = await department('华东分公司', '总部')
  const group = await department('华东客服组', '华东分公司')
  const north = await department('华北分公司', '总部')
  own = await house.user('support01', ['support'], group)
  other = await house.user('support02', ['support'], group)
  manager = await house.user('managerEast', ['customerManager'], east)
  elsewhere = await house.user('managerNorth', ['customerManager'], north)
  left = await house.user('managerLeft', ['customerManager'], east)
  await house.admin.post('/setting/user/disable', { id: left.id })
})
afterAll(() => house?.close())

const inbox = async (as: Client): Promise<MessageList> => (await as.get('/messages')).result
const titles = async (as: Client) => (await inbox(as)).list.map(({ title }) => title)
const clear = () => sql`delete from message`.execute(house.database.kysely)
const submit = async (name: string, values = {}) => {
  await clear()
  return house.create('/customer', await customerValues(house, { name, supportStaff: own.id, ...values }), own)
}

describe('a message', () => {
  it('goes to enabled users whose roles receive its type and whose data scope covers the record', async () => {
    const id = await submit('启澜物流甲')
    const [message] = (await inbox(manager)).list
    expect(message).toMatchObject({
      type: '客户待审核',
      title: '客户待审核：启澜物流甲',
      link: `/customer/detail?id=${id}`,
      at: expect.stringMatching(/^2026-03-15 /),
      read: false,
    })
    expect(message.content).toMatch(/^用户support01于2026-03-15 .*提交了启澜物流甲（演示）有限公司\d+（C\d{6}）$/)
    expect(await titles(house.admin)).toEqual(['客户待审核：启澜物流甲'])
    // Another department, a role without the type, a disabled user.
    expect([await titles(elsewhere), await titles(own), await titles(other)]).toEqual([[], [], []])
    const { rows } = await sql`select 1 from message where receiver = ${left.id}`.execute(house.database.kysely)
    expect(rows).toEqual([])
  })

  it('follows roles and departments as they are when it is sent', async () => {
    const role = (await house.admin.get('/setting/role/list', { search: 'customerManager' })).result.list[0]
    const authorize = async (types: string[], revision: number) =>
      house.admin.post('/setting/role/update', { id: role.id, revision, values: { messageAuthorization: types } })
    await authorize(['noticeReleased'], role.revision)
    await submit('启澜物流乙')
    expect(await titles(manager)).toEqual([])
    await authorize(role.messageAuthorization, role.revision + 1)
    await submit('启澜物流丙')
    expect(await titles(manager)).toEqual(['客户待审核：启澜物流丙'])
  })

  it('informs the owners of a review with its reasons, and the reviewers of the next attempt', async () => {
    const id = await submit('启澜物流丁')
    await clear()
    await manager.post('/customer/reject', { id, values: { rejectReason: '营业执照照片不清晰' } })
    const [message] = (await inbox(own)).list
    expect(message).toMatchObject({
      type: '客户被驳回',
      title: '客户被驳回：启澜物流丁',
      content: '用户managerEast：营业执照照片不清晰',
    })
    expect(await titles(other)).toEqual([])
    const { revision } = (await own.get('/customer/detail', { id })).result
    expect(await own.post('/customer/update', { id, revision, values: { address: '演示路300号' } })).toMatchObject({
      code: 1,
    })
    expect((await titles(manager))[0]).toBe('客户待审核：启澜物流丁')
    expect(await manager.post('/customer/agree', { id })).toMatchObject({ code: 1 })
    expect((await titles(own))[0]).toBe('客户审核通过：启澜物流丁')
  })

  it('is read in the language of its reader', async () => {
    await submit('启澜物流戊')
    const english = await house.signIn('managerEast', defaultPassword, 'en-US')
    expect((await inbox(english)).list[0]).toMatchObject({
      type: 'Customer to approve',
      title: 'Customer to approve: 启澜物流戊',
      content: expect.stringMatching(/^用户support01 submitted /),
    })
  })

  it('summarises the rows of an import, counting for each receiver what that receiver may see', async () => {
    const imported = async (...rows: Parameters<typeof customerRow>[]) => {
      await clear()
      const id = await check(
        house,
        rows.map((row) => customerRow(...row)),
      )
      await house.admin.post(`${customerImport}/write`, { id })
      // Written in two steps, but sent once.
      await worker(house, 2).drain()
    }
    await imported([401, { supportStaff: 'support01' }], [402, { supportStaff: 'support01' }], [403])
    expect((await inbox(manager)).list).toMatchObject([
      { type: '客户待审核', title: '客户待审核：2条', content: '来自导入文件：客户.xlsx', link: '/customer' },
    ])
    // Besides the messages of the import itself.
    expect((await titles(house.admin)).filter((title) => title.startsWith('客户'))).toEqual(['客户待审核：3条'])
    expect(await titles(await house.signIn('managerEast', defaultPassword, 'en-US'))).toEqual([
      'Customer to approve (2)',
    ])
    expect([await titles(elsewhere), await titles(own)]).toEqual([[], []])

    await imported([404, { supportStaff: 'support01' }])
    expect(await titles(manager)).toEqual(['客户待审核：进口客户404'])
  })

  it('is sent with the write or not at all', async () => {
    await clear()
    const values = await customerValues(house, { name: '启澜物流己', supportStaff: own.id })
    await sql`alter table message rename column content to gone`.execute(house.database.kysely)
    expect(await own.post('/customer/create', { values })).toMatchObject({ code: 500 })
    await sql`alter table message rename column gone to content`.execute(house.database.kysely)
    expect((await house.admin.get('/customer/list', { search: '启澜物流己' })).result.total).toBe(0)
    await house.create('/customer', values, own)
    expect(await titles(manager)).toEqual(['客户待审核：启澜物流己'])
  })
})

describe('the messages of a user', () => {
  it('are for that user alone, even if an administrator asks', async () => {
    await submit('启澜物流庚')
    const [message] = (await inbox(manager)).list
    expect((await own.get('/messages/unread')).result).toEqual({ unread: 0 })
    for (const stranger of [own, house.admin]) {
      await stranger.post('/messages/read', { id: message.id })
      expect(
        (await stranger.get('/setting/message/list', { filters: { receiver: { equals: manager.id } } })).result.list,
      ).toEqual([])
      expect(await stranger.get('/setting/message/detail', { id: message.id })).toMatchObject({ code: 403 })
      expect(
        (await stranger.get('/setting/message/options')).result.list.map(({ id }: { id: number }) => id),
      ).not.toContain(message.id)
    }
    expect((await inbox(manager)).list[0]).toMatchObject({ id: message.id, read: false })
    expect((await manager.get('/setting/message/list')).result.total).toBe(1)
    expect(
      await own.post('/setting/message/update', { id: message.id, revision: 1, values: { title: {} } }),
    ).toMatchObject({ code: 403 })
    expect(await house.client('').get('/messages')).toMatchObject({ code: 401 })
  })

  it('are marked as read one by one, or all at once', async () => {
    await clear()
    for (const name of ['甲一', '甲二', '甲三'])
      await house.create('/customer', await customerValues(house, { name: `启澜${name}`, supportStaff: own.id }), own)
    const [newest] = (await inbox(manager)).list
    expect((await manager.post('/messages/read', { id: newest.id })).result).toEqual({ unread: 2 })
    expect((await inbox(manager)).list.map(({ read }) => read)).toEqual([true, false, false])
    expect((await manager.post('/messages/read-all')).result).toEqual({ unread: 0 })
    expect((await inbox(house.admin)).unread).toBe(3)
  })

  it('come newest first, in pages that new messages do not shift', async () => {
    await clear()
    await sql`insert into message (type, title, receiver, "createdAt") select 'importFinished', json_build_object('cn', '第' || n, 'en', 'No. ' || n), ${manager.id}, '2026-03-01' from generate_series(1, 120) as n`.execute(
      house.database.kysely,
    )
    const first = (await manager.get('/messages', { size: 50 })).result as MessageList
    expect([first.list[0].title, first.list.length, first.more, first.unread]).toEqual(['第120', 50, true, 100])
    await sql`insert into message (type, title, receiver, "createdAt") values ('importFinished', '{"cn":"新","en":"New"}', ${manager.id}, '2026-03-02')`.execute(
      house.database.kysely,
    )
    const second = (await manager.get('/messages', { size: 50, before: first.list.at(-1)!.id })).result as MessageList
    expect(second.list[0].title).toBe('第70')
    const last = (await manager.get('/messages', { size: 50, before: second.list.at(-1)!.id })).result as MessageList
    expect([last.list.length, last.more]).toEqual([20, false])
    expect(await manager.get('/messages', { size: 'x' })).toMatchObject({ code: 422 })
  })
})
