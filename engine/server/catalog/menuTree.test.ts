import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AppBundle, Catalog, MenuItem } from '../../model/model.ts'
import { createTestServer, type Client, type TestServer } from '../../../tests/server.ts'
import { applyAdministered } from './administered.ts'
import { derive } from '../derived.ts'
import { isLong } from '../../../tests/long.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

const menu = async (as: Client = server.admin, language = 'zh-CN') =>
  (await as.get<MenuItem[]>('/partner-menu/get-user-nav-menu', {}, { language })).result
const names = (items: MenuItem[]): unknown[] =>
  items.map(({ name, sub_menus: below }) => (below.length > 0 ? [name, names(below)] : name))
const entry = async (code: string) =>
  (await server.admin.get('/setting/menu/list', { size: 100, sort: 'sort' })).result.list.find(
    (each: { code: string }) => each.code === code,
  )
const save = async (code: string, values: object) => {
  const { id, revision } = await entry(code)
  return server.admin.post('/setting/menu/update', { id, revision, values })
}
const below = async (name: string, as?: Client) =>
  (await menu(as)).find((item) => item.name === name)?.sub_menus.map((item) => item.name)
const restart = async (change: (catalog: Catalog) => void) => {
  const catalog = structuredClone({ ...server.runtime.derived.catalog, dictionaries: server.runtime.derived.declared })
  change(catalog)
  server.runtime.derived = derive(catalog, server.runtime.widgets)
  await applyAdministered(server.runtime)
}

describe('the menu', () => {
  test('shows what the files declare, and lists it', async () => {
    expect((await menu())[0]).toMatchObject({ name: '首页', front_route: '/home', affix: true })
    expect(await below('系统设置')).toEqual(['菜单设置', '用户设置', '系统参数配置', '公告管理', '轮播图管理'])
    expect(await entry('customer.list')).toMatchObject({
      kind: 'page',
      frontRoute: '/customer',
      parent: { code: null, name: '客户管理' },
      hasBadge: true,
      isDeclared: true,
    })
    expect(await entry('setting')).toMatchObject({ kind: 'directory', parent: null })
  })

  test.skipIf(!isLong)('shows the non-empty directories of an area between the area and its pages', async () => {
    const before = server.runtime.derived
    await restart(({ app, screens }) => {
      app.areas.find(({ name }) => name === 'setting')!.directories = [
        { name: 'news', label: { cn: '资讯', en: 'News' }, icon: 'bell', order: 35 },
        { name: 'empty', label: { cn: '空', en: 'Empty' }, order: 1 },
      ]
      for (const name of ['notice.list', 'banner.list']) screens[name].menu!.directory = 'news'
    })
    expect(names((await menu()).find(({ name }) => name === '系统设置')!.sub_menus)).toEqual([
      '菜单设置',
      '用户设置',
      '系统参数配置',
      ['资讯', ['公告管理', '轮播图管理']],
    ])
    expect(await entry('setting/news')).toMatchObject({
      kind: 'directory',
      icon: 'bell',
      parent: { code: null, name: '系统设置' },
    })
    server.runtime.derived = before
    await applyAdministered(server.runtime)
    expect(await below('系统设置')).toEqual(['菜单设置', '用户设置', '系统参数配置', '公告管理', '轮播图管理'])
  })

  test('changes name, icon and badge for all users at once', async () => {
    const clerk = await server.user('clerkone', ['publisher'])
    expect(await save('notice.list', { name: '通知', nameEn: 'News', icon: 'bell' })).toMatchObject({ code: 1 })
    expect(await below('系统设置', clerk)).toEqual(['通知', '轮播图管理'])
    expect(
      (await menu(server.admin, 'en-US'))
        .at(-1)!
        .sub_menus.find(({ front_route: route }) => route === '/setting/notice'),
    ).toMatchObject({ name: 'News', icon: 'bell' })
  })

  test.skipIf(!isLong)('reports which tabs are pinned, and which are not cached', async () => {
    const tabOf = async (name: string) =>
      (await server.admin.get<AppBundle>('/plans/app')).result.screens.find((screen) => screen.name === name)
    expect(await entry('customer.list')).toMatchObject({ noCache: false, affix: false })
    expect(await save('customer.list', { noCache: true, affix: true })).toMatchObject({ code: 1 })
    expect(await tabOf('customer.list')).toMatchObject({ noCache: true, affix: true })
    expect((await menu()).find(({ name }) => name === '客户管理')!.sub_menus[0]).toMatchObject({
      front_route: '/customer',
      noCache: true,
      affix: true,
    })
    await save('customer.list', { noCache: false, affix: false })
    expect(await tabOf('customer.list')).toMatchObject({ noCache: false, affix: false })
  })

  test('reorders entries, within a parent or under another one', async () => {
    const order = async (code: string, parent: string, before: string | null) =>
      server.admin.post('/setting/menu/order', {
        id: (await entry(code)).id,
        parent: (await entry(parent)).id,
        before: before && (await entry(before)).id,
      })
    expect(await order('banner.list', 'setting', 'menu.list')).toMatchObject({ code: 1 })
    expect(await below('系统设置')).toEqual(['轮播图管理', '菜单设置', '用户设置', '系统参数配置', '通知'])
    expect(await order('banner.list', 'setting', null)).toMatchObject({ code: 1 })
    expect((await below('系统设置'))!.at(-1)).toBe('轮播图管理')
    expect(await order('banner.list', 'customer', null)).toMatchObject({ code: 1 })
    expect(await below('客户管理')).toEqual(['企业客户', '轮播图管理'])
    expect(
      (await server.admin.get('/setting/menu/history', { id: (await entry('banner.list')).id })).result.list.length,
    ).toBeGreaterThan(1)
    expect(await order('banner.list', 'banner.list', null)).toMatchObject({ code: 422 })
    expect((await order('setting', 'customer', null)).message).toBe('领域和首页只能在第一级')
    const clerk = await server.user('clerktwo', ['publisher'])
    expect(await clerk.post('/setting/menu/order', { id: 1, parent: null, before: null })).toMatchObject({ code: 403 })
    await order('banner.list', 'setting', null)
  })

  test('hides a disabled entry with everything below it, but never the menu settings', async () => {
    const call = async (code: string, action: string) =>
      server.admin.post(`/setting/menu/${action}`, { id: (await entry(code)).id })
    expect(await call('customer', 'disable')).toMatchObject({ code: 1 })
    expect(names(await menu()).flat()).not.toContain('客户管理')
    await call('customer', 'enable')
    expect(await below('客户管理')).toEqual(['企业客户'])
    for (const code of ['menu.list', 'home.board']) expect(await call(code, 'disable')).toMatchObject({ code: 409 })
    expect(
      await server.admin.post('/setting/menu/delete', { id: (await entry('customer.list')).id }),
      'what the files declare stays',
    ).toMatchObject({ code: 409 })
  })

  test('hides a hidden entry with everything below it, while its screens still open', async () => {
    expect(await save('customer.list', { hidden: true })).toMatchObject({ code: 1 })
    expect(names(await menu()).flat(2)).not.toContain('企业客户')
    const bundle = (await server.admin.get<AppBundle>('/plans/app')).result
    expect(bundle.screens.map(({ name }) => name)).toContain('customer.list')
    expect(await save('customer.list', { hidden: false })).toMatchObject({ code: 1 })
    expect(await save('customer', { hidden: true })).toMatchObject({ code: 1 })
    expect(names(await menu()).flat(2)).not.toContain('客户管理')
    await save('customer', { hidden: false })
    expect(await below('客户管理')).toEqual(['企业客户'])
    for (const code of ['menu.list', 'home.board'])
      expect((await save(code, { hidden: true })).errors).toMatchObject([{ field: 'hidden' }])
  })

  test('shows added directories and added links to existing pages to users who may open them', async () => {
    const add = (values: object) => server.admin.post('/setting/menu/create', { values })
    const {
      result: { id: directory },
    } = await add({ name: '我的工作', nameEn: 'My work', icon: 'home', sort: 5 })
    expect(names(await menu()).flat(), 'an empty one is not shown').not.toContain('我的工作')
    const page = { kind: 'page', parent: directory, name: '待审核', nameEn: 'To approve' }
    for (const frontRoute of ['/nowhere', '/customer/detail', 'customer']) {
      expect(
        (await add({ ...page, frontRoute })).errors?.map(({ field }) => field),
        frontRoute,
      ).toEqual(['frontRoute'])
    }
    expect(
      (await add({ ...page, parent: null, frontRoute: '/customer?tab=approved' })).errors?.map(({ field }) => field),
    ).toEqual(['parent'])
    const {
      result: { id },
    } = await add({ ...page, frontRoute: '/customer?tab=pending' })
    expect((await menu())[1]).toMatchObject({
      name: '我的工作',
      icon: 'home',
      sub_menus: [{ name: '待审核', front_route: '/customer?tab=pending', corner_num: 0 }],
    })
    expect((await server.admin.get('/setting/menu/detail', { id })).result).toMatchObject({
      permission: 'customer:customer:view',
      isDeclared: false,
    })
    expect(
      names(await menu(await server.user('clerkthree', ['publisher']))).flat(),
      'whoever may not open it',
    ).not.toContain('我的工作')

    await applyAdministered(server.runtime)
    expect(names(await menu()).flat()).toContain('我的工作')
    expect(await server.admin.post('/setting/menu/delete', { id: directory }), 'with something below it').toMatchObject(
      { status: 409 },
    )
    for (const each of [id, directory])
      expect(await server.admin.post('/setting/menu/delete', { id: each })).toMatchObject({ code: 1 })
    expect(names(await menu()).flat()).not.toContain('我的工作')
  })
})

test('keeps what administrators changed, follows the files otherwise, and marks undeclared entries', async () => {
  await restart((catalog) => {
    catalog.screens['notice.list'].title = { cn: '新公告', en: 'Notices' }
    catalog.screens['banner.list'].title = { cn: '图片', en: 'Pictures' }
    delete catalog.screens['settingUser.tabs']
  })
  expect(await below('系统设置')).toEqual(['菜单设置', '系统参数配置', '通知', '图片'])
  expect(await entry('settingUser.tabs')).toMatchObject({ isDeclared: false, name: '用户设置' })
})
