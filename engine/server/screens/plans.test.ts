import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { customerValues } from '../../../tests/customer.ts'
import { type Client, createTestServer, type TestServer } from '../../../tests/server.ts'
import type { AppBundle, MenuItem, ScreenBundle } from '../../model/model.ts'

let house: TestServer
beforeAll(async () => {
  house = await createTestServer()
})
afterAll(() => house?.close())

describe('plans', () => {
  it('contain the frame of every screen, and answer 304 to a browser that has them', async () => {
    const answer = await house.admin.get<AppBundle>('/plans/app')
    const { hash, screens, app } = answer.result
    expect({ hash, home: app.home }).toEqual({ hash: house.runtime.derived.catalog.hash, home: '/home' })
    expect(screens.find(({ name }) => name === 'customer.form')).toMatchObject({
      route: '/customer/addcustomer',
      parent: 'customer.list',
      variants: { parameter: 'type', titles: { edit: { cn: '编辑企业客户' } } },
      permission: 'customer:customer:add',
    })
    const etag = String(answer.headers.etag)
    expect((await house.admin.get('/plans/app', {}, { 'if-none-match': etag })).status).toBe(304)
    expect((await house.admin.get('/plans/app', {}, { 'if-none-match': '"other"' })).status).toBe(200)
  })

  it('include the screen being opened, as a separate request would answer it', async () => {
    const first = async (as: Client, route: string) => (await as.get<AppBundle>('/plans/app', { route })).result.first
    const clerk = await house.user('firstplan', ['payrollClerk'])
    for (const as of [house.admin, clerk])
      expect(await first(as, '/salary/payroll')).toEqual(
        (await as.get<ScreenBundle>('/plans/screen', { route: '/salary/payroll' })).result,
      )
    expect((await first(house.admin, '/'))?.plan.route).toBe('/home')
    expect(await first(house.admin, '/nowhere')).toBeUndefined()
    const route = '/setting/user'
    expect((await clerk.get('/plans/screen', { route })).code).toBe(403)
    expect(await first(clerk, route)).toBeUndefined()
  })

  it('offer no filter and no sum of a field masked for the user', async () => {
    const offered = async (as: Client) => {
      const { plan } = (await as.get<ScreenBundle>('/plans/screen', { name: 'payrollLine.list' })).result
      const { filters, columns } = plan.body as {
        filters: { field: string }[]
        columns: { field: string; sum: boolean }[]
      }
      return [filters.map(({ field }) => field), columns.filter(({ sum }) => sum).map(({ field }) => field)].flat()
    }
    const [all, some] = [await offered(house.admin), await offered(await house.user('maskedplan', ['auditor']))]
    expect(all).toEqual(expect.arrayContaining(['baseSalary', 'netPay']))
    expect(all.filter((field) => !some.includes(field))).toContain('baseSalary')
    expect(some).toContain('netPay')
  })

  it('name the roles with the missing permissions, and administrators only if no other role has them', async () => {
    const clerk = await house.user('refusedplan', ['payrollClerk'])
    const holders = async (as: Client) =>
      (await as.get<ScreenBundle>('/plans/screen', { route: '/salary/payroll' })).result.holders
    expect(await holders(clerk)).toMatchObject({ 'salary:payroll:approve': ['系统管理员'] })
    await house.user('refusedplanholder', ['financeManager'])
    expect(await holders(clerk)).toMatchObject({ 'salary:payroll:approve': ['财务主管'] })
    expect(await holders(house.admin)).toBeUndefined()
  })

  it('deliver a screen with everything that it refers to', async () => {
    const { plan, entities, dictionaries, granted } = (
      await house.admin.get<ScreenBundle>('/plans/screen', { route: '/customer' })
    ).result
    expect(plan.name).toBe('customer.list')
    expect(Object.keys(entities).sort()).toEqual([
      'agency',
      'customer',
      'customerClassification',
      'customerContact',
      'parameter',
      'region',
      'user',
    ])
    expect(Object.keys(entities.user.fields).sort()).toEqual(['loginName', 'realName'])
    expect(Object.keys(entities.customerContact.fields)).toContain('mobile')
    expect(dictionaries.contactKind.choices.length).toBe(6)
    expect(Object.values(granted)).not.toContain(false)
    expect((await house.admin.get('/plans/screen', { name: 'agency.form' })).result.plan.name).toBe('agency.form')
  })

  it('mark denied permissions, and refuse a screen without its permission', async () => {
    const sales = await house.user('sales01', ['sales'])
    const { granted } = (await sales.get<ScreenBundle>('/plans/screen', { route: '/customer' })).result
    expect(granted).toMatchObject({
      'customer:customer:view': true,
      'customer:customer:add': true,
      'customer:customer:approve': false,
      'setting:agency:view': false,
    })
    expect(await sales.get('/plans/screen', { name: 'agency.list' })).toMatchObject({
      status: 403,
      message: '您没有操作权限，请向上级获取权限后再试！',
    })
    for (const query of [{ route: '/nowhere' }, { name: 'nothing' }, { name: 'constructor' }, {}]) {
      expect(await house.admin.get('/plans/screen', query)).toMatchObject({ status: 404, message: '页面不存在' })
    }
  })
})

describe('the menu', () => {
  const menu = async (as = house.admin, language = 'zh-CN') =>
    (await as.get<MenuItem[]>('/partner-menu/get-user-nav-menu', {}, { language })).result
  const names = (items: MenuItem[]): unknown[] =>
    items.map(({ name, sub_menus }) => (sub_menus.length > 0 ? [name, names(sub_menus)] : name))

  it('has home first, then the areas, in the requested language', async () => {
    const [home, ...areas] = await menu()
    expect(home).toMatchObject({ name: '首页', front_route: '/home', affix: true, sub_menus: [] })
    expect(areas[0]).toMatchObject({ name: '客户管理', front_route: '', icon: 'team' })
    expect(areas[0].sub_menus[0]).toMatchObject({ name: '企业客户', front_route: '/customer', sub_menus: [] })
    expect((await menu(house.admin, 'en-US'))[1].name).toBe('Customers')
    const ids = (items: MenuItem[]): number[] => items.flatMap((item) => [item.id, ...ids(item.sub_menus)])
    expect(new Set(ids([home, ...areas])).size).toBe(ids([home, ...areas]).length)
  })

  it('counts what waits for the user, among the records that they may see', async () => {
    const manager = await house.user('manager01', ['admin'])
    const support = await house.user('support01', ['support'])
    for (let count = 0; count < 2; count++) await house.create('/customer', await customerValues(house))
    const badge = async (as: typeof manager) => (await menu(as)).find(({ name }) => name === '客户管理')!.corner_num
    expect([await badge(manager), await badge(support)]).toEqual([2, 0])
    const uncounted = (await manager.get<MenuItem[]>('/partner-menu/get-user-nav-menu', { badges: 'later' })).result
    const withoutBadges = (items: MenuItem[]): MenuItem[] =>
      items.map((item) => ({ ...item, corner_num: 0, sub_menus: withoutBadges(item.sub_menus) }))
    expect(uncounted).toEqual(withoutBadges(await menu(manager)))
  })

  it('leaves out screens that the user may not open, and empty directories', async () => {
    const role = await house.create('/setting/role', {
      code: 'nothing',
      name: '无权限',
      functionPermissions: ['home:dashboard:view'],
      dataScope: 'self',
    })
    expect(role).toBeGreaterThan(0)
    const client = await house.user('nothing01', ['nothing'])
    expect(names(await menu(client))).toEqual(['首页'])
    expect((await client.get('/partner-menu/get-user-menus')).result).toEqual(['home:dashboard:view'])
    expect((await house.admin.get('/partner-menu/get-user-menus')).result).toContain('customer:customer:approve')
  })

  it('offers a screen made of others to users who may open one of them, limited to that one', async () => {
    await house.create('/setting/role', {
      code: 'rolesOnly',
      name: '只看角色',
      functionPermissions: ['setting:role:view'],
      dataScope: 'self',
    })
    const client = await house.user('roles01', ['rolesOnly'])
    expect(names(await menu(client))).toEqual([['系统设置', ['用户设置']]])
    const { code, result } = await client.get('/plans/screen', { route: '/setting/user' })
    expect({ code, granted: result.granted }).toEqual({
      code: 1,
      granted: expect.objectContaining({ 'setting:role:view': true, 'setting:user:view': false }),
    })
    expect(await client.get('/plans/screen', { name: 'role.list' })).toMatchObject({ code: 1 })
    expect(await client.get('/plans/screen', { name: 'user.list' })).toMatchObject({ code: 403 })
    expect(
      await (await house.user('auditor01', ['sales'])).get('/plans/screen', { route: '/setting/user' }),
    ).toMatchObject({ code: 403 })
  })
})
