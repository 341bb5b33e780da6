// @vitest-environment jsdom
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { RequestError } from '../../client/index.ts'
import { draw, entity, field, plan } from '../../../tests/fixtures/screen.tsx'
import type { BoardCard } from './board.ts'
import { BoardView } from './board.view.tsx'

afterEach(cleanup)
const of = entity('thing', [field('name', 'text')])
const card = (name: string): BoardCard => ({
  name, label: { cn: `待办${name}`, en: `Work ${name}` }, to: `/thing?tab=${name}`, entity: 'thing', permission: `p:${name}`, path: `/${name}/list`, filters: { status: { equals: 'pending' } },
})
const open = (cards: BoardCard[], answers: Record<string, unknown>, welcome?: { cn: string; en: string }) =>
  draw(BoardView, plan(of, 'board', { cards, blocks: [], ...(welcome && { welcome }) }), [of], { answers })

test('a card counts what waits and leads to it', async () => {
  const { request, frame } = open([card('a')], { '/a/list': { list: [], total: 12, sums: {}, counts: [] } })
  const link = await screen.findByRole('link', { name: /待办a\s*12/ })
  expect(link.getAttribute('href')).toBe('/thing?tab=a')
  expect(request.get).toHaveBeenCalledWith('/a/list', { page: 1, size: 1, filters: { status: { equals: 'pending' } } }, expect.anything())
  fireEvent.click(link)
  expect(frame.navigate).toHaveBeenCalledWith('/thing?tab=a')
  await waitFor(() => expect(frame.setBusy).toHaveBeenLastCalledWith(false))
  expect(screen.getByText('周演，您好')).toBeTruthy()
})

test('what the user may not see is not there; what failed says why and can be tried again', async () => {
  const failure = new RequestError('系统繁忙', { code: 500 })
  const { answers, frame } = open([card('a'), card('b')], { '/a/list': new RequestError('无权查看', { code: 403 }), '/b/list': failure }, { cn: '{name}，今天也请加油', en: 'Hello {name}' })
  await screen.findByText('系统繁忙')
  await waitFor(() => expect(screen.queryByText('待办a')).toBeNull())
  await waitFor(() => expect(frame.setBusy).toHaveBeenLastCalledWith(false))
  expect(screen.getByText('周演，今天也请加油')).toBeTruthy()
  answers['/b/list'] = { list: [], total: 3, sums: {}, counts: [] }
  fireEvent.click(screen.getByRole('button', { name: /重\s*试/ }))
  await screen.findByRole('link', { name: /待办b\s*3/ })
})
