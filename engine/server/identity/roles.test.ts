import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestServer, type Client, type TestServer } from '../../../tests/server.ts'
import type { AppBundle, MenuItem } from '../../model/model.ts'

const denied = '您没有操作权限，请向上级获取权限后再试！'
const narrow = {
  'customer.list': [['support', 'sales']],
  'customer.form': [['support', 'sales']],
  'customer.detail': [['sales'], ['support', 'sales']],
}

let house: TestServer
beforeAll(async () => {
  house = await createTestServer({
    change(catalog) {
      for (const [name, roles] of Object.entries(narrow)) catalog.screens[name].roles = roles
      return catalog
    },
  })
})
afterAll(() => house?.close())

const routesIn = (items: MenuItem[]): string[] =>
  items.flatMap((item) => [item.front_route, ...routesIn(item.sub_menus)])
async function seenBy(client: Client) {
  const menu = (await client.get<MenuItem[]>('/partner-menu/get-user-nav-menu')).result
  const { screens } = (await client.get<AppBundle>('/plans/app')).result
  const opened = await Promise.all(
    Object.keys(narrow).map(async (name) => (await client.get('/plans/screen', { name })).code),
  )
  return {
    inMenu: routesIn(menu).includes('/customer'),
    known: Object.keys(narrow).filter((name) => screens.some((screen) => screen.name === name)),
    opened,
  }
}
const all = { inMenu: true, known: Object.keys(narrow), opened: [1, 1, 1] }

it('a screen is open to the roles that it lists and to no others, whatever their permissions', async () => {
  expect(await seenBy(await house.user('sales01', ['sales']))).toEqual(all)
  expect(await seenBy(await house.user('manager01', ['customerManager']))).toEqual({
    inMenu: false,
    known: [],
    opened: [403, 403, 403],
  })
})

it('a child screen needs its own roles and those of its parent', async () => {
  const support = await house.user('support01', ['support'])
  expect(await seenBy(support)).toEqual({
    inMenu: true,
    known: ['customer.list', 'customer.form'],
    opened: [1, 1, 403],
  })
  expect(await support.get('/plans/screen', { route: '/customer/detail' })).toMatchObject({
    status: 403,
    message: denied,
  })
})

it('an administrator sees all screens, and so does a user whose roles suffice together', async () => {
  expect(await seenBy(house.admin)).toEqual(all)
  expect(await seenBy(await house.user('both01', ['customerManager', 'sales']))).toEqual(all)
})

it('a role opens no screen without its permission', async () => {
  await house.create('/setting/role', {
    code: 'homeOnly',
    name: '只看首页',
    functionPermissions: ['home:dashboard:view'],
    dataScope: 'self',
  })
  const client = await house.user('home01', ['homeOnly'])
  house.runtime.derived.catalog.screens['customer.list'].roles = [['homeOnly']]
  expect((await client.get('/plans/screen', { name: 'customer.list' })).code).toBe(403)
  house.runtime.derived.catalog.screens['customer.list'].roles = narrow['customer.list']
})
