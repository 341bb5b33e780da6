// @vitest-environment jsdom
import { cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { bundleOf, openScreen, user } from '../../../tests/screen.tsx'
import { fieldOf, stubBrowser } from '../../../tests/stage.tsx'
import type { ActionPlan, ScreenPlan } from '../../model/model.ts'
import type { ListPlan } from './list.ts'

beforeAll(stubBrowser)
afterEach(cleanup)

const label = (cn: string) => ({ cn, en: cn })
const approve: ActionPlan = {
  name: 'approve',
  label: label('通过'),
  on: 'row',
  permission: 'x',
  danger: false,
  primary: false,
  do: { kind: 'call', path: '/thing/approve', form: [], keepEmpty: true },
}
const plan: ScreenPlan<ListPlan> = {
  name: 'thing',
  kind: 'list',
  area: '',
  route: '/thing',
  title: label('客户'),
  parameters: [],
  entity: 'thing',
  permission: '',
  noCache: false,
  file: '',
  body: {
    filters: [],
    columns: [{ field: 'name', label: label('名称'), width: 120, sum: false, sort: false, hidden: false }],
    pageSize: 20,
    where: {},
    actions: [approve],
    paths: { list: '/thing/list' },
    tabs: [{ name: 'pending', label: label('待审核'), filter: {} }],
    marks: [],
  },
}

test('when the focused row leaves the list, the same button of the next row has the focus', async () => {
  let names = ['甲', '乙', '丙']
  await openScreen({
    bundle: bundleOf(plan, [fieldOf('text', 'name', { maxLength: 60 })]),
    answers: {
      '/thing/list': () => ({
        list: names.map((name) => ({ id: '甲乙丙'.indexOf(name) + 1, revision: 1, name })),
        total: names.length,
        sums: {},
        counts: [names.length],
      }),
      '/thing/approve': (body: unknown) => {
        names = names.filter((name) => '甲乙丙'.indexOf(name) + 1 !== (body as { id: number }).id)
        return { succeeded: 1, failed: [] }
      },
    },
  })
  const place = () => {
    const { activeElement } = document
    return [activeElement?.closest('[data-record]')?.getAttribute('data-record'), activeElement?.textContent]
  }
  await screen.findByText('甲')
  await user.click(screen.getAllByRole('button', { name: /^通过/ })[1])
  await waitFor(() => expect(screen.queryByText('乙')).toBeNull())
  await waitFor(() => expect(place()).toEqual(['3', '通过']))
  await user.click(document.activeElement!)
  await waitFor(() => expect(place()).toEqual(['1', '通过']))
  await user.click(document.activeElement!)
  await waitFor(() => expect(document.activeElement?.getAttribute('role')).toBe('tab'))
})
