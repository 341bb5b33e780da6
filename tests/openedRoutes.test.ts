/** Opens every screen address of the specification, in every variant, on the demo as the client does. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { selectPlan } from '../engine/client/selectPlan.ts'
import type { ScreenBundle, ScreenPlan } from '../engine/model/model.ts'
import { createSmallDemo } from './smallDemo.ts'
import type { TestServer } from './server.ts'

interface Route {
  path: string
  area: string
  query?: string[]
}
const routes = (JSON.parse(readFileSync('tests/routes.json', 'utf8')) as Route[]).filter(
  ({ area, path }) => area !== 'base' || path === '/home',
)
let house: TestServer
beforeAll(async () => {
  house = await createSmallDemo()
})
afterAll(() => house?.close())

const idOf = async (endpoint: string): Promise<string> => {
  const { result } = await house.admin.get(`${endpoint}/list`, { size: 1 })
  return String(result.list[0]?.id)
}

test.each(routes.flatMap(({ path, query = [''] }) => query.map((each) => [path, each] as const)))(
  '%s?%s',
  async (path, query) => {
    const { code, result: bundle } = await house.admin.get<ScreenBundle>('/plans/screen', { route: path })
    expect(code).toBe(1)
    const endpoint = bundle.plan.entity === undefined ? undefined : bundle.entities[bundle.plan.entity].endpoint
    const id = endpoint === undefined ? '1' : await idOf(endpoint)
    const { parameters: all, variants } = bundle.plan
    const selected = selectPlan(bundle.plan, {
      ...Object.fromEntries(all.filter(({ required }) => required).map(({ name }) => [name, id])),
      ...(variants && { [variants.parameter]: Object.keys(variants.plans)[0] }),
      ...Object.fromEntries(new URLSearchParams(query.replace('<id>', id))),
    })
    expect(selected).toHaveProperty('plan')
    const { parameters } = (selected as { plan: ScreenPlan }).plan
    if (endpoint === undefined) return
    if (parameters.some(({ name, required }) => name === 'id' && required)) {
      expect(await house.admin.get(`${endpoint}/detail`, { id })).toMatchObject({ code: 1, result: { id: Number(id) } })
    } else expect(await house.admin.get(`${endpoint}/list`, { size: 1 })).toMatchObject({ code: 1 })
  },
)
