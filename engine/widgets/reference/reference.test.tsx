// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { EngineContext } from '../../client/view.ts'
import type { OptionsResult } from '../../model/model.ts'
import { referencesView } from '../references/references.view.tsx'
import { fieldOf, stage, stubBrowser } from '../../../tests/stage.tsx'
import { treeView } from '../tree/tree.view.tsx'
import { referenceView } from './reference.view.tsx'

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

test('a late answer does not replace a newer one', async () => {
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
  const asked: unknown[] = []
  const options = async (_entity: string, { filter }: Query) => {
    asked.push(filter?.parent)
    const list = nodes.filter(({ parent }) =>
      typeof filter?.parent === 'number' ? parent === filter.parent : parent === null,
    )
    return { list, total: list.length }
  }
  const { value } = await stage(treeView.Edit, fieldOf('tree', 'region', { entity: 'region' }), null, { options })
  await open()
  expect(asked).toEqual([{ empty: true }])
  await act(async () => {
    fireEvent.click(document.querySelector('.ant-select-tree-switcher_close')!)
  })
  expect(asked).toEqual([{ empty: true }, 1])
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
