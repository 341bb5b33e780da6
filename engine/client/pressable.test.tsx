// @vitest-environment jsdom
import { cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { bundleOf, openScreen, user } from '../../tests/screen.tsx'
import { fieldOf, stubBrowser } from '../../tests/stage.tsx'
import type { ScreenPlan } from '../model/model.ts'

beforeAll(stubBrowser)
afterEach(cleanup)

const label = (cn: string) => ({ cn, en: cn })

test('a button that leads to the last page keeps the focus there, says so, and does no more', async () => {
  const columns = [{ field: 'name', label: label('name'), width: 100, sum: false, sort: false, hidden: false }]
  const paths = { list: '/thing/list' }
  const body = { columns, filters: [], pageSize: 20, tabs: [], where: {}, marks: [], actions: [], paths }
  const rest = { name: 'thing', kind: 'list', area: '', title: label('thing'), parameters: [], entity: 'thing' }
  const plan: ScreenPlan = { ...rest, permission: '', noCache: false, file: '', body }
  const list = Array.from({ length: 20 }, (_, index) => ({ id: index + 1, name: `名称${index}` }))
  const seen = await openScreen({
    bundle: bundleOf(plan, [fieldOf('text', 'name')]),
    answers: { '/thing/list': { list, total: 40, sums: {}, counts: [] } },
  })
  const pages = () =>
    seen.requests.map(({ payload }) => (payload as { page?: number } | undefined)?.page).filter(Boolean)
  const next = await screen.findByRole('button', { name: '下一页' })
  await user.click(next)
  await waitFor(() => expect(next.getAttribute('aria-disabled')).toBe('true'))
  expect([next.matches(':disabled'), document.activeElement]).toEqual([false, next])
  const before = pages()
  await user.click(next)
  expect([pages(), before.at(-1)]).toEqual([before, 2])
})
