/**
 * Every operation answers the id of a record outside the user's scope exactly like an id that does not exist; the long
 * run (`npm run masks`) asks in all ways, the short run in some.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parametersOf } from '../../engine/model/operations.ts'
import type { Entity } from '../../engine/model/model.ts'
import { differentEntities } from '../alike.ts'
import { isLong } from '../long.ts'
import { createTestServer, type Client, type TestServer } from '../server.ts'
import { plant, plantedEntities, type Planted } from './plant.ts'
import { textOf } from './surfaces.ts'

let server: TestServer
let narrow: Client & { id: number }
let hidden: Planted
const nobody = 987_654_321

beforeAll(async () => {
  server = await createTestServer()
  const permissions = server.runtime.derived.catalog.permissions.map(({ value }) => value)
  const role = { code: 'narrowone', name: '只见本人', functionPermissions: permissions, dataScope: 'self' }
  await server.create('/setting/role', role)
  narrow = await server.user('narrowuser', ['narrowone'])
  const department = await server.findId('/setting/department', '总部')
  const other = await server.user('ownerofall', ['narrowone'])
  hidden = await plant(server, { place: 1, owner: other.id, department })
})
afterAll(() => server.close())

type CallById = (id: number) => ReturnType<Client['get']>

/** Every way in which a call names one record of the entity. */
function callsOf({ endpoint }: Entity): [string, CallById][] {
  return [...server.runtime.derived.operations.values()]
    .filter(({ path }) => path.startsWith(`${endpoint}/`))
    .flatMap(({ method, path, kind }): [string, CallById][] => {
      if (method === 'POST') {
        const bodies: [string, (id: number) => object, Record<string, string>?][] = [
          ['one', (id) => ({ id, revision: 1, values: {} })],
          ['several', (ids) => ({ ids: [ids], values: {} })],
          ['followed', (ids) => ({ ids: [ids], values: {} }), { prefer: 'respond-async' }],
          ['suggested', (id) => ({ id, values: {}, typed: [], parameters: {} })],
          ['ordered', (id) => ({ id, parent: null, before: null })],
        ]
        return bodies.map(([how, body, headers]) => [`${path}, ${how}`, (id) => narrow.post(path, body(id), headers)])
      }
      const parameters = parametersOf(kind)
      return ['id', 'ids', 'within']
        .filter((name) => name in parameters)
        .map((name) => [`${path}?${name}`, (id) => narrow.get(path, { [name]: id })])
    })
}

async function answerText(call: CallById, id: number): Promise<string> {
  const { headers, ...answer } = await call(id)
  const text = await textOf({ ...answer, headers })
  return text.replaceAll(new RegExp(`\\b${id}\\b`, 'g'), '#').replaceAll(/"job":\{[^}]*\}/g, '"job"')
}

test('every operation answers the id of a hidden record like one that does not exist', async () => {
  const differing: string[] = []
  let callCount = 0
  const covered = new Set<string>()
  // The short form asks for one in three of the entities that are not alike, in one of twenty-nine ways: a prime, so that each
  // kind of call gets its turn.
  const different = new Set(differentEntities(server.runtime.derived.catalog))
  const alone = plantedEntities(server).filter((each) => different.has(each))
  const tested = isLong ? alone : alone.filter((_, place) => place % 3 === 0)
  for (const entity of tested) {
    const id = hidden.ids.get(entity.name)!
    const { result } = await narrow.get(`${entity.endpoint}/options`, { id })
    const seen = result?.list?.length > 0 || (await narrow.get(`${entity.endpoint}/detail`, { id })).code === 1
    if (seen) continue
    covered.add(entity.name)
    for (const [at, call] of callsOf(entity)) {
      callCount++
      if (!isLong && callCount % 29 !== 0) continue
      const [answer, otherAnswer] = [await answerText(call, id), await answerText(call, nobody)]
      if (answer !== otherAnswer) differing.push(`${at}: ${answer.slice(0, 300)} — ${otherAnswer.slice(0, 300)}`)
    }
  }
  for (const { name, kind, entity, body } of Object.values(server.runtime.derived.catalog.screens)) {
    const { tabs = [] } = body as { tabs?: { name: string; grouped?: object }[] }
    if (kind !== 'detail' || !entity || !hidden.ids.has(entity)) continue
    for (const tab of tabs.filter(({ grouped }) => grouped)) {
      callCount++
      const call: CallById = (id) => narrow.get('/plans/grouped', { screen: name, tab: tab.name, id })
      if ((await answerText(call, hidden.ids.get(entity)!)) !== (await answerText(call, nobody)))
        differing.push(`${name} ${tab.name}`)
    }
  }
  // A work shows only the changes of records that the user sees.
  for (const work of hidden.works) {
    const { entities } = (await server.admin.get(`/works/${work}`)).result
    expect(entities.length).toBeGreaterThan(0)
    const seen = (await narrow.get(`/works/${work}`)).result?.entities ?? []
    for (const { entity } of seen as { entity: string }[]) if (covered.has(entity)) differing.push(`works ${entity}`)
  }
  expect(differing).toEqual([])
  expect(covered.size).toBeGreaterThan(isLong ? 20 : 5)
  expect(callCount).toBeGreaterThan(isLong ? 1500 : 100)
  if (isLong) console.log(`${callCount} calls about hidden records of ${covered.size} entities`)
}, 600_000)
