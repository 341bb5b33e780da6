import { expect, test } from 'vitest'
import type { MenuItem } from '../../model/model.ts'
import { chosenPages, foundPages, pagesOf } from './links.ts'

const item = (name: string, route: string, below: MenuItem[] = [], waiting = 0): MenuItem => ({
  id: 1,
  name,
  front_route: route,
  sub_menus: below,
  corner_num: waiting,
  corner_max: 99,
  icon: '',
  noCache: false,
  affix: false,
})
const menu = [
  item('首页', '/home'),
  item('客户管理', '', [item('企业客户', '/customer', [item('导入记录', '/customer/importrecords', [], 2)], 5)]),
  item('福利管理', '', [item('社会保险', '', [item('增员', '/welfare/social/add', [], 7)])]),
]
const pages = pagesOf(menu, '/home')

test('lists all pages of a menu, at any level, except the board', () => {
  expect(pages).toEqual([
    { route: '/customer', name: '企业客户', above: ['客户管理'], waiting: 0 },
    { route: '/customer/importrecords', name: '导入记录', above: ['客户管理', '企业客户'], waiting: 2 },
    { route: '/welfare/social/add', name: '增员', above: ['福利管理', '社会保险'], waiting: 7 },
  ])
})

test('chosen pages keep their order, without pages that left the menu, up to a maximum', () => {
  const routes = (chosen: unknown, max = 8) => chosenPages(pages, chosen, max).map(({ route }) => route)
  expect(routes(['/welfare/social/add', '/gone', '/customer', '/customer'])).toEqual([
    '/welfare/social/add',
    '/customer',
  ])
  expect(routes(['/welfare/social/add', '/gone', '/customer'], 1)).toEqual(['/welfare/social/add'])
  expect([routes(undefined), routes('customer'), routes([7, null])]).toEqual([[], [], []])
})

test('finds pages by all words of their names and of the entries above', () => {
  const names = (text: string) => foundPages(pages, text).map(({ name }) => name)
  expect([names('社会 增'), names('客户'), names(' '), names('增 客户')]).toEqual([
    ['增员'],
    ['企业客户', '导入记录'],
    ['企业客户', '导入记录', '增员'],
    [],
  ])
})
