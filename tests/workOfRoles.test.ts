/** The home page and the menu show each preset role what waits for it, and show it to no other role. */
import { expect, test } from 'vitest'
import { grants } from '../engine/model/model.ts'
import type { BoardPlan } from '../engine/screens/board/board.ts'
import { productCatalog } from './compiledOnce.ts'

const { presets, screens } = productCatalog()
const roles = presets.find(({ entity }) => entity === 'role')!.rows as { code: string; functionPermissions: string[] }[]
const { cards, blocks } = screens['home.board'].body as BoardPlan
const may = (code: string, permission: string) =>
  roles.find((role) => role.code === code)!.functionPermissions.some((pattern) => grants(pattern, permission))
// The administrator and the auditor have no work of their own.
const working = roles.map(({ code }) => code).filter((code) => code !== 'admin' && code !== 'auditor')

test.each(working)('%s has work of their own on the home page', (code) => {
  expect(cards.filter((card) => card.roles.includes(code)).map(({ name }) => name)).not.toEqual([])
})

test.each(['cashier', 'invoiceClerk', 'contractClerk', 'support', 'payrollClerk', 'settlementClerk', 'welfareClerk'])(
  '%s has figures of their own, which they may see',
  (code) => {
    const own = blocks.filter((block) => block.kind === 'figures' && block.roles?.includes(code))
    expect(own.filter(({ permission }) => may(code, permission)).map(({ name }) => name)).not.toEqual([])
  },
)

test('each card says how old the work is, or when it is due', () =>
  expect(cards.filter(({ dated }) => !dated).map(({ name }) => name)).toEqual([]))

test('a card comes first only for roles that may open its list', () => {
  const closed = cards.flatMap(({ name, permission, roles: own }) =>
    own.filter((code) => !may(code, permission)).map((code) => `${name}: ${code}`),
  )
  expect(closed).toEqual([])
})

test('a badge counts for those who may do the work, not for all who may look', () => {
  const idle = Object.values(screens).flatMap(({ name, menu }) =>
    [menu?.badge ?? []].flat().flatMap(({ permission }) => (!permission || permission.endsWith(':view') ? [name] : [])),
  )
  expect(idle).toEqual([])
})
