import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { kinds } from '../../screens/index.ts'
import { widgets } from '../../widgets/index.ts'
import { compile } from '../compile.ts'

const folder = (name: string) => join(import.meta.dirname, '../../../tests/mistakes', name)
const textsOf = (name: string) =>
  readdirSync(folder(name), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.json'))
    .map((path): [string, string] => [path.replaceAll('\\', '/'), readFileSync(join(folder(name), path), 'utf8')])

/** The sound tree with two roles, and more keys for some of its files. */
function compiled(keys: Record<string, object>) {
  const files = new Map([...textsOf('sound'), ...textsOf('unknown-role').filter(([path]) => path.includes('/role.'))])
  for (const [path, more] of Object.entries(keys))
    files.set(path, JSON.stringify({ ...JSON.parse(files.get(path)!), ...more }))
  return compile(
    [...files].map(([path, text]) => ({ path, text })),
    { widgets, kinds, procedures: [] },
  )
}
const list = 'schemas/shop/order.list.json'
const form = 'schemas/shop/order.form.json'
const detail = 'schemas/shop/order.detail.json'
const codes = (keys: Record<string, object>) =>
  compiled(keys).issues.map(({ code, file, message }) => [code, file, message])

test('a screen has its own list of roles and those of its parents', () => {
  const { catalog, issues } = compiled({
    [list]: { roles: ['cashier'] },
    [form]: { parent: 'order.list' },
    [detail]: { parent: 'order.form', roles: ['admin', 'cashier'] },
  })
  expect(issues).toEqual([])
  const rolesOf = (name: string) => catalog!.screens[name].roles
  expect([rolesOf('order.list'), rolesOf('order.form'), rolesOf('order.detail'), rolesOf('customer.list')]).toEqual([
    [['cashier']],
    [['cashier']],
    [['admin', 'cashier'], ['cashier']],
    undefined,
  ])
})

test('only a screen with a route can have roles, and a variant cannot', () => {
  const varied = { parameters: ['type'], variants: { type: { add: { roles: ['cashier'] } } } }
  expect(codes({ [form]: varied })).toMatchObject([
    ['unknown-key', form, expect.stringContaining('There is no key "roles" here.')],
  ])
  expect(
    codes({ 'schemas/shop/customer.list.json': { route: undefined, menu: undefined, roles: ['cashier'] } }),
  ).toContainEqual(['missing-route', 'schemas/shop/customer.list.json', 'A screen with roles needs a route.'])
  expect(codes({ [list]: { roles: [] } })).toMatchObject([['too-short', list, expect.anything()]])
})

test("reports screens that are each other's parents, with roles or without", () => {
  expect(
    codes({ [list]: { parent: 'order.form', roles: ['cashier'] }, [form]: { parent: 'order.list' } }).map(
      ([code]) => code,
    ),
  ).toEqual(['parent-cycle'])
})
