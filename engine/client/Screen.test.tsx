// @vitest-environment jsdom
import { cleanup, screen, within } from '@testing-library/react'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { bundleOf, openScreen, user } from '../../tests/screen.tsx'
import { fieldOf, stubBrowser } from '../../tests/stage.tsx'
import type { AppBundle, ScreenPlan } from '../model/model.ts'
import { RequestError } from './RequestError.ts'
import { selectPlan } from './selectPlan.ts'

beforeAll(stubBrowser)
afterEach(cleanup)

const label = (cn: string) => ({ cn, en: cn })
const plan = (rest: Partial<ScreenPlan> = {}): ScreenPlan => ({
  name: 'thing',
  kind: 'list',
  area: '',
  title: label('客户'),
  parameters: [],
  entity: 'thing',
  permission: '',
  noCache: false,
  file: '',
  body: {
    columns: [{ field: 'name', label: label('name'), width: 100, sum: false, sort: false, hidden: false }],
    filters: [],
    pageSize: 20,
    tabs: [],
    where: {},
    marks: [],
    actions: [],
    paths: { list: '/thing/list' },
  },
  ...rest,
})
const answers = { '/thing/list': { list: [{ id: 1, name: '启澜' }], total: 1, sums: {}, counts: [] } }
const app: Partial<AppBundle> = {
  screens: [
    {
      name: 'customer.list',
      kind: 'list',
      area: '',
      route: '/customer',
      title: label('企业客户'),
      parameters: [],
      noCache: false,
      affix: false,
      permission: '',
      keywords: '',
    },
  ],
}

test('a query parameter selects the variant, with its own parameters', () => {
  const edit = plan({ name: 'edit', parameters: [{ name: 'id', required: true }] })
  const both = plan({ variants: { parameter: 'type', plans: { add: plan({ name: 'add' }), edit } } })
  expect(selectPlan(both, { type: 'add' })).toMatchObject({ plan: { name: 'add' } })
  expect(selectPlan(both, { type: 'edit', id: '7' })).toMatchObject({ plan: { name: 'edit' } })
  expect(selectPlan(both, { type: 'edit' })).toEqual({ problem: 'parameterMissing' })
  expect(selectPlan(both, {})).toEqual({ problem: 'parameterMissing' })
  expect(selectPlan(both, { type: 'constructor' })).toEqual({ problem: 'parameterUnknown', value: 'constructor' })
})

test('a screen without its record reports that and offers the list', async () => {
  const detail = plan({ parent: 'customer.list', parameters: [{ name: 'id', required: true }] })
  const seen = await openScreen({ bundle: bundleOf(detail, []), answers, app })
  const alertBox = await screen.findByRole('alert')
  expect([...alertBox.children].slice(1).map((line) => line.textContent)).toEqual([
    '请从列表进入',
    '前往列表：企业客户',
  ])
  expect(within(alertBox).getByRole('heading', { level: 1 })).toBeTruthy()
  await user.click(screen.getByRole('link', { name: '企业客户' }))
  expect(seen.navigate.mock.calls).toEqual([['/customer']])
  expect(seen.busy.at(-1)).toBe(false)
})

test('a screen that failed to load is loaded again on demand', async () => {
  const fields = [fieldOf('text', 'name')]
  let failing = true
  const seen = await openScreen({
    bundle: bundleOf(plan(), fields),
    answers: {
      ...answers,
      '/plans/screen': () => {
        if (failing) throw new RequestError('页面不存在', { code: 404 })
        return bundleOf(plan(), fields)
      },
    },
  })
  expect((await screen.findByRole('alert')).textContent).toContain('页面不存在')
  expect(seen.busy.at(-1)).toBe(false)
  failing = false
  await user.click(screen.getByRole('button', { name: '重试' }))
  expect(await screen.findByText('启澜')).toBeTruthy()
})
