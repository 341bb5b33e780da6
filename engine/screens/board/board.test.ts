import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { compile } from '../../schema/compile.ts'
import { widgets } from '../../widgets/index.ts'
import { kinds } from '../index.ts'
import type { BoardPlan } from './board.ts'

const folder = join(import.meta.dirname, '../../../tests/mistakes/sound')
const sound = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.json'))
  .map((path) => ({ path: path.replaceAll('\\', '/'), text: readFileSync(join(folder, path), 'utf8') }))

test('a card counts only records that its list shows', () => {
  const card = { name: 'open', label: { cn: '未付', en: 'Open' }, screen: 'order.list', filter: { status: 'open' } }
  const board = { route: '/desk', title: card.label, permission: 'shop:order:view', cards: [card] }
  const sources = sound.map(({ path, text }) => ({
    path,
    text: path.endsWith('order.list.json') ? text.replace('{', '{ "where": { "status": ["open", "paid"] },') : text,
  }))
  const { catalog, issues } = compile(
    [...sources, { path: 'schemas/shop/desk.board.json', text: JSON.stringify(board) }],
    { widgets, kinds, procedures: [] },
  )
  expect(issues).toEqual([])
  const { waiting } = catalog!.screens['desk.board'].body as BoardPlan
  expect(waiting.map(({ filters }) => filters)).toEqual([
    { status: { and: [{ in: ['open', 'paid'] }, { equals: 'open' }] } },
  ])
})
