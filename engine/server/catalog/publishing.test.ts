import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from 'kysely'
import { picture, upload } from '../../../tests/customer.ts'
import { createTestServer, type Client, type TestServer } from '../../../tests/server.ts'
import type { RecordData, Value } from '../../model/model.ts'

/**
 * Announcements and banners as the schema language describes them: limits, counted readers, saves that need a
 * permission, time, blocks of a board.
 */
let house: TestServer
let [publisher, editor, clerk, away] = [] as unknown as [Client, Client, Client & { id: number }, Client]

beforeAll(async () => {
  house = await createTestServer()
  const head = await house.findId('/setting/department', '总部')
  const east = await house.create('/setting/department', { name: '华东分公司', parent: head })
  const group = await house.create('/setting/department', { name: '华东客服组', parent: east })
  await house.create('/setting/role', {
    code: 'editor',
    name: '公告编辑',
    functionPermissions: ['setting:notice:view', 'setting:notice:edit', 'setting:notice:delete'],
  })
  publisher = await house.user('publisher01', ['publisher'], head)
  editor = await house.user('editor01', ['editor'], head)
  clerk = await house.user('clerk01', ['contractClerk'], group)
  away = await house.user('cashier01', ['cashier'], head)
})
afterAll(() => house?.close())

const notice = (title: string, values: Record<string, Value> = {}) => ({
  title,
  category: 'company',
  content: '<p>内容</p>',
  ...values,
})
const publish = (title: string, values: Record<string, Value> = {}) =>
  house.create('/setting/notice', notice(title, { release: true, ...values }), publisher)
const read = async (id: number): Promise<RecordData> => (await house.admin.get('/setting/notice/detail', { id })).result
const block = async (as: Client, name: string) =>
  (await as.get('/plans/block', { screen: 'home.board', name })).result as RecordData[]
const clearNotices = () => sql`delete from notice`.execute(house.database.kysely)

describe('an announcement', () => {
  it('is locked while it is released, and can be deleted once the release is cancelled', async () => {
    const id = await house.create('/setting/notice', notice('公告一'), publisher)
    expect(await read(id)).toMatchObject({ status: 'unreleased', release: false, audience: 'staff', releasedAt: null })
    expect(await publisher.post('/setting/notice/release', { id })).toMatchObject({ code: 1 })
    expect(await read(id)).toMatchObject({
      status: 'released',
      release: true,
      releasedAt: expect.stringMatching(/^2026-03-15 /),
    })
    const { revision } = await read(id)
    expect(
      await publisher.post('/setting/notice/update', { id, revision: revision!, values: { title: '改' } }),
    ).toMatchObject({ code: 409 })
    expect(await publisher.post('/setting/notice/delete', { id })).toMatchObject({ code: 409 })
    expect(await publisher.post('/setting/notice/cancelRelease', { id })).toMatchObject({ code: 1 })
    expect(await read(id)).toMatchObject({ status: 'cancelled', release: false })
    expect(await publisher.post('/setting/notice/delete', { id })).toMatchObject({ code: 1 })
  })

  it('is released by saving it, only by users who may release', async () => {
    expect(await editor.post('/setting/notice/create', { values: notice('公告二', { release: true }) })).toMatchObject({
      code: 403,
    })
    const id = await house.create('/setting/notice', notice('公告二'), editor)
    const save = async (as: Client) =>
      as.post('/setting/notice/update', { id, revision: (await read(id)).revision!, values: { release: true } })
    expect(await save(editor)).toMatchObject({ code: 403, message: '您没有操作权限，请向上级获取权限后再试！' })
    expect(await read(id)).toMatchObject({ status: 'unreleased', release: false })
    expect(await save(publisher)).toMatchObject({ code: 1 })
    expect(await read(id)).toMatchObject({ status: 'released' })
  })

  it('notifies its departments and those below, and nobody if it is for customers', async () => {
    const east = await house.findId('/setting/department', '华东分公司')
    const titlesFor = async (as: Client) =>
      (await as.get('/messages')).result.list.map(({ title }: { title: string }) => title)
    await sql`delete from message`.execute(house.database.kysely)
    await publish('只给华东', { departments: [east] })
    expect(await titlesFor(clerk)).toEqual(['新公告：只给华东'])
    expect(await titlesFor(away)).toEqual([])
    await publish('只给客户', { audience: 'customer' })
    await publish('给所有人', { audience: 'all' })
    expect(await titlesFor(away)).toEqual(['新公告：给所有人'])
    expect((await clerk.get('/messages')).result.list[0]).toMatchObject({
      content: '内容',
      link: `/setting/notice?q=${encodeURIComponent('给所有人')}`,
    })
  })

  it('allows at most three pinned at a time, however many are released at once', async () => {
    await clearNotices()
    const ids = await Promise.all(
      ['甲', '乙', '丙', '丁', '戊'].map((name) =>
        house.create('/setting/notice', notice(`置顶${name}`, { top: true }), publisher),
      ),
    )
    const answers = await Promise.all(ids.map((id) => publisher.post('/setting/notice/release', { id })))
    expect(answers.filter(({ code }) => code === 1)).toHaveLength(3)
    expect(answers.find(({ code }) => code !== 1)).toMatchObject({
      code: 422,
      message: expect.stringMatching(/^最多置顶3条已发布的公告，请先取消其他公告的置顶：(置顶.、){2}置顶.$/),
      errors: [{ field: 'top', code: 'limit' }],
    })
    expect(
      await publisher.post('/setting/notice/create', { values: notice('再来一条', { top: true, release: true }) }),
    ).toMatchObject({ errors: [{ field: 'top' }] })
    await publish('不置顶')
    const released = ids[answers.findIndex(({ code }) => code === 1)]
    await publisher.post('/setting/notice/cancelRelease', { id: released })
    await publish('补上一条', { top: true })
  })

  it('counts its distinct readers while it is released, without changing its revision', async () => {
    const id = await house.create('/setting/notice', notice('计数'), publisher)
    const open = async (as: Client) => (await as.post('/setting/notice/read', { id })).result
    expect(await open(clerk)).toEqual({ counted: false })
    await publisher.post('/setting/notice/release', { id })
    const { revision } = await read(id)
    expect([await open(clerk), await open(clerk), await open(away)]).toEqual([
      { counted: true },
      { counted: false },
      { counted: true },
    ])
    expect(await read(id)).toMatchObject({ readCount: 2, revision })
    expect(await house.admin.get('/setting/notice/list', { sort: '-readCount', size: 1 })).toMatchObject({
      result: { list: [{ id }] },
    })
    expect(await publisher.post('/setting/notice/read', { id: 999_999 })).toMatchObject({ code: 404 })
    expect(await publisher.post('/setting/banner/read', { id: 1 })).toMatchObject({ code: 404 })
  })
})

describe('a banner', () => {
  const banner = async (title: string, start: string, end: string, values: Record<string, Value> = {}) => {
    const { result } = await upload(house, publisher, 'banner.png', picture)
    return {
      title,
      image: [{ ...result, status: 'success' }],
      type: 'home',
      periodStart: start,
      periodEnd: end,
      linkKind: 'none',
      ...values,
    } as Record<string, Value>
  }
  const make = async (...given: Parameters<typeof banner>) =>
    house.create('/setting/banner', await banner(...given), publisher)
  let [past, current, coming, today] = [0, 0, 0, 0]
  beforeAll(async () => {
    past = await make('已结束', '2026-02-01 00:00:00', '2026-03-14 23:59:59', { sort: 4 })
    current = await make('使用中', '2026-03-01 00:00:00', '2026-03-31 23:59:59', { sort: 3 })
    coming = await make('未开始', '2026-03-16 00:00:00', '2026-03-31 23:59:59', { sort: 2 })
    today = await make('最后一天', '2026-03-15 00:00:00', '2026-03-15 23:59:59', { sort: 1 })
  })

  it('has the status of its period, which lists show, filter and sort by', async () => {
    const list = async (query: object) =>
      (await publisher.get('/setting/banner/list', { sort: 'sort', ...query })).result.list
    expect((await list({})).map(({ id, periodStatus }: RecordData) => [id, periodStatus])).toEqual([
      [today, 'inUse'],
      [coming, 'notStarted'],
      [current, 'inUse'],
      [past, 'ended'],
    ])
    const ids = async (query: object) => (await list(query)).map(({ id }: RecordData) => id)
    expect(await ids({ filters: { periodStatus: { in: ['inUse'] } } })).toEqual([today, current])
    expect(await ids({ filters: { periodStatus: { equals: 'ended' } } })).toEqual([past])
    expect(await ids({ filters: { periodStatus: { empty: true } } })).toEqual([])
    expect(await ids({ sort: '-periodStatus,-sort' })).toEqual([past, current, today, coming])
    const counted = await publisher.get('/setting/banner/list', {
      counts: [{}, { periodStatus: { equals: 'notStarted' } }],
    })
    expect(counted.result.counts).toEqual([4, 1])
  })

  it('checks its period, picture and link', async () => {
    const save = async (values: Record<string, Value>) =>
      (
        await publisher.post('/setting/banner/create', {
          values: await banner('检查', '2026-03-01 00:00:00', '2026-03-02 00:00:00', values),
        })
      ).errors
    expect(await save({ periodEnd: '2026-03-01 00:00:00' })).toMatchObject([
      { field: 'periodEnd', message: '使用结束须晚于使用开始' },
    ])
    expect(await save({ image: [] })).toMatchObject([{ field: 'image', code: 'required' }])
    expect(await save({ linkKind: 'url' })).toMatchObject([{ field: 'link', code: 'required' }])
    expect(await save({ linkKind: 'url', link: 'http://example.com' })).toMatchObject([
      { field: 'link', message: '外部链接应以 https:// 开头' },
    ])
    expect(await save({ linkKind: 'route', link: 'customer' })).toMatchObject([{ field: 'link' }])
    expect(await save({ linkKind: 'notice' })).toMatchObject([{ field: 'notice', code: 'required' }])
  })

  it('keeps most of its fields unchanged while it is in use', async () => {
    const save = async (id: number, values: Record<string, Value>) => {
      const { revision } = (await publisher.get('/setting/banner/detail', { id })).result
      return publisher.post('/setting/banner/update', { id, revision, values })
    }
    expect(await save(current, { title: '别的' })).toMatchObject({ errors: [{ field: 'title', code: 'read-only' }] })
    expect(await save(current, { periodStart: '2026-03-02 00:00:00' })).toMatchObject({
      errors: [{ field: 'periodStart' }],
    })
    expect(await save(current, { sort: 30, periodEnd: '2026-04-30 23:59:59' })).toMatchObject({ code: 1 })
    expect(await save(coming, { title: '别的' })).toMatchObject({ code: 1 })
  })

  it('is enabled and disabled until its period has ended, and deleted only when it is not visible', async () => {
    expect(await publisher.post('/setting/banner/disable', { id: past })).toMatchObject({ code: 409 })
    expect(await publisher.post('/setting/banner/delete', { id: current })).toMatchObject({ code: 409 })
    expect(await publisher.post('/setting/banner/disable', { id: coming })).toMatchObject({ code: 1 })
    expect(await publisher.post('/setting/banner/delete', { id: coming })).toMatchObject({ code: 1 })
    expect(await publisher.post('/setting/banner/delete', { id: past })).toMatchObject({ code: 1 })
  })

  it("is on everyone's board while it is in use and enabled, though few may open the list", async () => {
    await make('客户端', '2026-03-01 00:00:00', '2026-03-31 23:59:59', { type: 'portal' })
    expect(await clerk.get('/setting/banner/list')).toMatchObject({ code: 403 })
    expect((await block(clerk, 'banners')).map(({ title }) => title)).toEqual(['最后一天', '使用中'])
    expect(Object.keys((await block(clerk, 'banners'))[0]).sort()).toEqual([
      'id',
      'image',
      'link',
      'linkKind',
      'notice',
      'revision',
      'title',
    ])
    await publisher.post('/setting/banner/disable', { id: today })
    expect((await block(clerk, 'banners')).map(({ title }) => title)).toEqual(['使用中'])
  })
})

describe('the announcements of the board', () => {
  it("are the newest five for staff and the user's department, pinned ones first", async () => {
    await clearNotices()
    const east = await house.findId('/setting/department', '华东分公司')
    await publish('公告甲')
    await publish('给华东', { departments: [east] })
    await publish('给客户', { audience: 'customer' })
    await house.create('/setting/notice', notice('草稿'), publisher)
    await publish('置顶', { top: true })
    await publish('公告乙', { audience: 'all' })
    await sql`update notice set "releasedAt" = '2026-03-01'::timestamp + make_interval(hours => id::int) where status = 'released'`.execute(
      house.database.kysely,
    )
    const shown = async (as: Client) => (await block(as, 'notices')).map(({ title }) => title)
    expect(await shown(clerk)).toEqual(['置顶', '公告乙', '给华东', '公告甲'])
    expect(await shown(away)).toEqual(['置顶', '公告乙', '公告甲'])
    for (const name of ['公告丙', '公告丁', '公告戊']) await publish(name)
    expect(await shown(clerk)).toHaveLength(5)
  })

  it('need the permission of the board and that of the block', async () => {
    const auditor = await house.user('auditor01', ['auditor'])
    expect(await auditor.get('/plans/block', { screen: 'home.board', name: 'notices' })).toMatchObject({ code: 403 })
    expect(await auditor.get('/plans/block', { screen: 'home.board', name: 'banners' })).toMatchObject({ code: 1 })
    expect(await editor.get('/plans/block', { screen: 'home.board', name: 'banners' })).toMatchObject({ code: 403 })
    for (const query of [
      { screen: 'home.board', name: 'x' },
      { screen: 'x', name: 'banners' },
      { screen: 'customer.list', name: 'banners' },
      {},
    ]) {
      expect(await clerk.get('/plans/block', query)).toMatchObject({ code: 404 })
    }
  })
})
