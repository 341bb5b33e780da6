import { beforeEach, expect, test, vi } from 'vitest'
import type { Request } from '../../engine/client/index.ts'
import { renameTabs } from './renameTabs.ts'
import { useTabs } from './tabs.ts'

const { visit, setRecord, reset } = useTabs.getState()
const open = (entity: string, id: number, name: string) => {
  const key = `/${entity}/detail?id=${id}`
  visit({ route: `/${entity}/detail`, parameters: { id: String(id) }, state: {} }, { pinned: false, noCache: true })
  setRecord({ entity, endpoint: `/area/${entity}`, id, name }, key)
}
const names = () => useTabs.getState().tabs.map(({ record }) => record?.name)
const requestWith = (get: (path: string, query: object) => Promise<unknown>) =>
  ({ get: vi.fn(get) }) as unknown as Request & { get: ReturnType<typeof vi.fn> }

beforeEach(() => {
  reset()
  open('customer', 7, '启澜机械')
  open('customer', 8, '云起科技')
  open('agency', 7, '东区分部')
})

test('tabs of changed records get the current names, sleeping tabs too', async () => {
  const request = requestWith(async () => ({ list: [{ id: 7, code: null, name: '启澜重工' }], total: 1 }))
  await renameTabs(request, 'customer')
  expect(request.get.mock.calls).toEqual([['/area/customer/options', { id: '7,8', size: 2 }]])
  expect(names()).toEqual(['启澜重工', '云起科技', '东区分部'])
})

test('requests nothing if no tab shows such a record, and keeps the names after a refusal', async () => {
  const request = requestWith(async () => {
    throw new Error('refused')
  })
  await renameTabs(request, 'bank')
  expect(request.get).not.toHaveBeenCalled()
  await renameTabs(request, 'agency')
  expect(names()).toEqual(['启澜机械', '云起科技', '东区分部'])
})
