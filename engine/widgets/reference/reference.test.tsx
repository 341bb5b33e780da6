// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { EngineContext } from '../../client/view.ts'
import type { OptionsResult } from '../../model/model.ts'
import { referencesView } from '../references/references.view.tsx'
import { fieldOf, stage, stubBrowser } from '../../../tests/stage.tsx'
import { treeView } from '../tree/tree.view.tsx'
import { referenceView } from './reference.view.tsx'
import { isLong } from '../../../tests/long.ts'

beforeAll(stubBrowser)
beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

type Query = Parameters<EngineContext['options']>[1]
/** 45 customers, twenty a page. */
const customers = Array.from({ length: 45 }, (_, index) => ({
  id: index + 1,
  code: `C${index + 1}`,
  name: `客户${index + 1}`,
}))
function server() {
  const queries: Query[] = []
  const options = async (_entity: string, query: Query): Promise<OptionsResult> => {
    queries.push(query)
    if (query.ids) return { list: customers.filter(({ id }) => query.ids!.includes(id)), total: query.ids.length }
    const found = customers.filter(({ name }) => name.includes(query.search ?? ''))
    const page = query.page ?? 1
    return { list: found.slice((page - 1) * 20, page * 20), total: found.length }
  }
  return { queries, options }
}
const field = fieldOf('reference', 'customer', { entity: 'customer', filter: { accountStatus: 'enabled' } })
const box = () => screen.getByRole('combobox')
const open = () =>
  act(async () => {
    fireEvent.mouseDown(box())
  })
const type = (text: string) =>
  act(async () => {
    fireEvent.change(box(), { target: { value: text } })
  })
const pause = (milliseconds: number) =>
  act(async () => {
    await vi.advanceTimersByTimeAsync(milliseconds)
  })
const pick = (name: string) =>
  act(async () => {
    fireEvent.click(screen.getByTitle(name))
  })

test('a chosen record keeps its name even if it is not offered', async () => {
  const { queries, options } = server()
  await stage(referenceView.Edit, field, { id: 900, code: 'C900', name: '停用客户' }, { options })
  expect(screen.getByTitle('停用客户')).toBeTruthy()
  await open()
  expect(screen.getByTitle('停用客户')).toBeTruthy()
  expect(queries).toEqual([{ search: undefined, page: 1, filter: { accountStatus: 'enabled' } }])
})

test('typing searches after a pause, and the chosen value is the whole reference', async () => {
  const { queries, options } = server()
  const { value } = await stage(referenceView.Edit, field, null, { options })
  await open()
  await type('客户4')
  await pause(200)
  await type('客户44')
  await pause(299)
  expect(queries).toHaveLength(1)
  await pause(1)
  expect(queries.slice(1)).toEqual([{ search: '客户44', page: 1, filter: { accountStatus: 'enabled' } }])
  await pick('客户44')
  expect(value()).toEqual({ id: 44, code: 'C44', name: '客户44' })
})

test.skipIf(!isLong)('a late answer does not replace a newer one', async () => {
  const answers: Record<string, (result: OptionsResult) => void> = {}
  await stage(referenceView.Edit, field, null, {
    options: (_entity, { search = '' }) =>
      new Promise((resolve) => {
        answers[search] = resolve
      }),
  })
  await open()
  await type('新')
  await pause(300)
  await act(async () => answers['新']({ list: [{ id: 2, code: null, name: '新客户' }], total: 1 }))
  await act(async () => answers['']({ list: [{ id: 1, code: null, name: '旧客户' }], total: 1 }))
  expect(screen.queryByTitle('旧客户')).toBeNull()
  expect(screen.getByTitle('新客户')).toBeTruthy()
})

test('the next page is loaded when the end of the list becomes visible', async () => {
  const { queries, options } = server()
  await stage(referenceView.Edit, field, null, { options })
  await open()
  const list = document.querySelector('.rc-virtual-list-holder')!
  await act(async () => {
    fireEvent.scroll(list)
  })
  expect(queries.map(({ page }) => page)).toEqual([1, 2])
})

test('a bare id gets its name', async () => {
  const { queries, options } = server()
  const many = fieldOf('references', 'customers', { entity: 'customer' })
  await stage(referencesView.Edit, many, [{ id: 3 }, { id: 5, name: '客户5' }], { options })
  expect(queries).toEqual([{ ids: [3] }])
  expect(screen.getByTitle('客户3')).toBeTruthy()
  expect(screen.getByTitle('客户5')).toBeTruthy()
})

test('a tree fetches a level when it is opened, and the choice includes its path', async () => {
  const nodes = [
    { id: 1, code: null, name: '江苏省', parent: null },
    { id: 2, code: null, name: '浙江省', parent: null },
    { id: 11, code: null, name: '苏州市', parent: 1 },
  ]
  const parents: unknown[] = []
  const options = async (_entity: string, { filter }: Query) => {
    parents.push(filter?.parent)
    const list = nodes.filter(({ parent }) =>
      typeof filter?.parent === 'number' ? parent === filter.parent : parent === null,
    )
    return { list, total: list.length }
  }
  const { value } = await stage(treeView.Edit, fieldOf('tree', 'region', { entity: 'region' }), null, { options })
  await open()
  expect(parents).toEqual([{ empty: true }])
  await act(async () => {
    fireEvent.click(document.querySelector('.ant-select-tree-switcher_close')!)
  })
  expect(parents).toEqual([{ empty: true }, 1])
  await pick('苏州市')
  expect(value()).toEqual({ id: 11, code: null, name: '苏州市', path: ['江苏省', '苏州市'] })
  expect(screen.getByTitle('江苏省 / 苏州市')).toBeTruthy()
})

test('preferred options are listed until the user types, or all options if there are none', async () => {
  const { queries, options } = server()
  const offersFirst = { roles: { where: { code: 'sales' } } }
  const narrowed = fieldOf('reference', 'salesman', { entity: 'user', filter: { status: 'enabled' }, offersFirst })
  await stage(referenceView.Edit, narrowed, null, { options })
  await open()
  expect(screen.getByText('其他请输入名称搜索')).toBeTruthy()
  await type('客户44')
  await pause(300)
  expect(queries.map(({ filter }) => filter)).toEqual([{ status: 'enabled', ...offersFirst }, { status: 'enabled' }])
  expect(screen.queryByText('其他请输入名称搜索')).toBeNull()
  cleanup()

  queries.splice(0)
  const none = async (entity: string, query: Query): Promise<OptionsResult> => {
    const answer = await options(entity, query)
    return query.filter && 'roles' in query.filter ? { list: [], total: 0 } : answer
  }
  await stage(referenceView.Edit, narrowed, null, { options: none })
  await open()
  expect(queries).toHaveLength(2)
  expect(screen.getByTitle('客户1')).toBeTruthy()
  expect(screen.queryByText('其他请输入名称搜索')).toBeNull()
})

/** Answers to searches that the test sends when it likes. */
function slow() {
  const answers: Record<string, (name: string) => void> = {}
  const options = (_entity: string, { search = '' }: Query) =>
    new Promise<OptionsResult>((resolve) => {
      answers[search] = (name) => resolve({ list: [{ id: name.length, code: null, name, parent: null }], total: 1 })
    })
  const answer = (search: string, name: string) => act(async () => answers[search](name))
  return { options, answer }
}
const enter = () =>
  act(async () => {
    fireEvent.keyDown(box(), { key: 'Enter', keyCode: 13, which: 13 })
    fireEvent.keyUp(box(), { key: 'Enter', keyCode: 13, which: 13 })
  })

test.each([
  ['reference', referenceView],
  ['references', referencesView],
])('Enter in a %s chooses nothing until the options answer what is typed', async (kind, { Edit }) => {
  const { options, answer } = slow()
  const { value } = await stage(Edit, fieldOf(kind, 'customer', { entity: 'customer' }), null, { options })
  await open()
  await answer('', '甲')
  expect(screen.getByTitle('甲')).toBeTruthy()
  await type('丙')
  await enter()
  await type('乙乙')
  await pause(300)
  expect(value()).toBeNull()
  await answer('乙乙', '乙乙')
  expect(value()).toBeNull()
  await enter()
  expect([value()].flat()).toMatchObject([{ id: 2, name: '乙乙' }])
})

test.each([
  ['before the search begins', 'reference', referenceView],
  ['while it is under way', 'reference', referenceView],
  ['while it is under way', 'references', referencesView],
  ['before the search begins', 'tree', treeView],
  ['while it is under way', 'tree', treeView],
])('Enter %s in a %s chooses once the answer to what is typed has come', async (when, kind, { Edit }) => {
  const { options, answer } = slow()
  const { value } = await stage(Edit, fieldOf(kind, 'customer', { entity: 'customer' }), null, { options })
  await open()
  await answer('', '甲')
  await type('乙乙')
  if (when.startsWith('while')) await pause(300)
  await enter()
  expect(value()).toBeNull()
  await pause(300)
  await answer('乙乙', '乙乙')
  expect([value()].flat()).toMatchObject([{ id: 2, name: '乙乙' }])
  expect((box() as HTMLInputElement).value).toBe('')
})

test.each([
  ['reference', referenceView],
  ['tree', treeView],
])(
  'Enter in a %s for what is not found chooses nothing, and the list stays open and says so',
  async (kind, { Edit }) => {
    const { options } = server()
    const { value } = await stage(Edit, { ...field, type: kind }, null, { options })
    await open()
    await type('没有')
    await enter()
    await pause(300)
    await enter()
    expect(value()).toBeNull()
    expect([screen.getByRole('status').textContent, box().getAttribute('aria-expanded')]).toEqual([
      '没有匹配的数据',
      'true',
    ])
    await type('客户44')
    await enter()
    await pause(300)
    expect(value()).toMatchObject({ id: 44 })
  },
)

test('Enter in a tree chooses the first node found, and none of the levels while the search is under way', async () => {
  const { options, answer } = slow()
  const { value } = await stage(treeView.Edit, fieldOf('tree', 'region', { entity: 'region' }), null, { options })
  await open()
  await answer('', '甲')
  // The control prefers a node whose id contains what is typed.
  await type('1')
  expect(screen.getByText('加载中…')).toBeTruthy()
  await enter()
  expect(value()).toBeNull()
  await pause(300)
  await answer('1', '1号')
  expect(value()).toMatchObject({ id: 2, name: '1号' })
})

test.each([
  ['reference', referenceView],
  ['references', referencesView],
  ['tree', treeView],
])('typing opens a closed %s, which lists what is typed', async (kind, { Edit }) => {
  const { options, answer } = slow()
  await stage(Edit, fieldOf(kind, 'customer', { entity: 'customer' }), null, { options })
  await type('乙乙')
  await pause(300)
  await answer('乙乙', '乙乙')
  await answer('', '甲')
  expect(screen.getByTitle('乙乙')).toBeTruthy()
  expect(screen.queryByTitle('甲')).toBeNull()
})

test.each([
  ['reference', referenceView],
  ['tree', treeView],
])('a %s says that a search failed, and finds something else afterwards', async (kind, { Edit }) => {
  const options = async (_entity: string, { search = '' }: Query): Promise<OptionsResult> => {
    if (search === '甲') throw new Error('offline')
    return { list: [{ id: 1, code: null, name: search || '全部', parent: null }], total: 1 }
  }
  await stage(Edit, fieldOf(kind, 'customer', { entity: 'customer' }), null, { options })
  await open()
  await type('甲')
  await pause(300)
  expect(screen.getByText('加载失败，请重新打开')).toBeTruthy()
  await type('乙')
  expect(screen.getByText('加载中…')).toBeTruthy()
  await pause(300)
  expect(screen.getByTitle('乙')).toBeTruthy()
  await type('')
  await pause(300)
  expect(screen.getByTitle('全部')).toBeTruthy()
})

test.skipIf(!isLong)(
  'what was left unfinished in a box for several is no longer searched for when it opens again',
  async () => {
    const { queries, options } = server()
    await stage(referencesView.Edit, fieldOf('references', 'customers', { entity: 'customer' }), null, { options })
    await open()
    await type('客户44')
    await pause(300)
    const leave = () =>
      act(async () => {
        fireEvent.blur(box())
      })
    await leave()
    await pause(300)
    await open()
    expect(queries.map(({ search }) => search)).toEqual([undefined, '客户44', undefined])
    expect(screen.getByTitle('客户1')).toBeTruthy()
    await type('客户44')
    await leave()
    await open()
    await pause(300)
    expect(screen.getByTitle('客户1')).toBeTruthy()
  },
)
