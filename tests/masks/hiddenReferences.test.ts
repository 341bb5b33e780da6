/**
 * A reference to a record outside the user's scope is answered exactly like a reference to no record, whatever is
 * looked up through it or stored beside it: for all reference fields of all entities.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Entity, Field, RecordData, Value } from '../../engine/model/model.ts'
import { isWritable } from '../../engine/expression/verdict.ts'
import { differentEntities } from '../alike.ts'
import { isLong } from '../long.ts'
import { createTestServer, type Client, type TestServer } from '../server.ts'
import { plant, plantedEntities, type Planted } from './plant.ts'

let server: TestServer
let narrow: Client & { id: number }
let own: Planted
/** One set of records in each state. */
let hidden: Planted[]
const nobody = 987_654_321

beforeAll(async () => {
  server = await createTestServer()
  const permissions = server.runtime.derived.catalog.permissions.map(({ value }) => value)
  await server.create('/setting/role', {
    code: 'narrowone',
    name: '只见本人',
    functionPermissions: permissions,
    dataScope: 'self',
  })
  narrow = await server.user('narrowuser', ['narrowone'])
  const department = await server.findId('/setting/department', '总部')
  const other = await server.user('ownerofall', ['narrowone'])
  own = await plant(server, { place: 2, owner: narrow.id, department })
  hidden = []
  for (const place of isLong ? [3, 4, 5, 6] : [3])
    hidden.push(await plant(server, { place, owner: other.id, department }))
})
afterAll(() => server.close())

const widgets = () => server.runtime.derived.widgets

/** What a form would send of the record: writable fields except rows. */
const sent = (entity: Entity, record: RecordData): Record<string, Value> =>
  Object.fromEntries(
    Object.values(entity.fields)
      .filter((field) => isWritable(field, widgets()) && record[field.name] !== undefined)
      .map((field) => [field.name, record[field.name] as Value]),
  )

const referring = (entity: Entity): { field: Field; target: Entity; many: boolean }[] =>
  Object.values(entity.fields).flatMap((field) => {
    const target = server.runtime.derived.target(field)
    return target && !target.rows && !field.computed ? [{ field, target: target.entity, many: target.many }] : []
  })

/** Whether the record is invisible to the user; otherwise there is nothing to hide. */
async function isHidden(entity: Entity, id: number): Promise<boolean> {
  const { result } = await narrow.get(`${entity.endpoint}/options`, { id })
  return result?.list?.length === 0
}

/** The record's row in the database. */
async function stored({ name }: Entity, id: number): Promise<Record<string, unknown>> {
  const { rows } = await server.database.pool.query(`select * from "${name}" where id = $1`, [id])
  return rows[0]
}

/** The calls in which a user can name a record in this field. */
function callsOf(entity: Entity, field: Field): { path: string; body(value: Value, base: RecordData): object }[] {
  const { operations } = server.runtime.derived
  const id = own.ids.get(entity.name)
  const has = (name: string) => operations.has(`POST ${entity.endpoint}/${name}`)
  const transitions = entity.states.flatMap(({ transitions: all }) => Object.values(all))
  const namingActions = [...transitions, ...Object.values(entity.actions)].filter((each) =>
    [...each.form.map(({ field: name }) => name), ...('update' in each ? (each.update ?? []) : [])].includes(
      field.name,
    ),
  )
  const writable = isWritable(field, widgets())
  return [
    ...(writable && has('create')
      ? [
          {
            path: `${entity.endpoint}/create`,
            body: (value: Value, base: RecordData) => ({ values: { ...sent(entity, base), [field.name]: value } }),
          },
        ]
      : []),
    ...(writable && has('update')
      ? [
          {
            path: `${entity.endpoint}/update`,
            body: (value: Value) => ({ id, revision: 1, values: { [field.name]: value } }),
          },
        ]
      : []),
    ...namingActions.map(({ name }) => ({
      path: `${entity.endpoint}/${name}`,
      body: (value: Value) => ({ id, values: { [field.name]: value } }),
    })),
  ]
}

test('every call answers a hidden record in any field like a missing one', async () => {
  const differing: string[] = []
  let compared = 0
  const different = new Set(differentEntities(server.runtime.derived.catalog))
  for (const entity of plantedEntities(server).filter((each) => different.has(each))) {
    for (const { field, target, many } of referring(entity)) {
      const calls = callsOf(entity, field)
      const ids = hidden.flatMap(({ ids: all }) => all.get(target.name) ?? [])
      if (calls.length === 0 || ids.length === 0 || !(await isHidden(target, ids[0]))) continue
      const mine = own.records.get(entity.name)!
      // Beside the user's own records, and beside others' records with the same reference.
      const bases = [
        mine,
        ...hidden.map(({ records }) => {
          const theirs = records.get(entity.name)!
          return Object.fromEntries(
            Object.keys({ ...mine, ...theirs }).map((name) => [
              name,
              server.runtime.derived.target(entity.fields[name] ?? field) ? mine[name] : theirs[name],
            ]),
          ) as RecordData
        }),
      ]
      for (const { path, body } of calls) {
        for (const [place, base] of bases.entries()) {
          const callWith = async (id: number) => {
            const { headers: _, ...answer } = await narrow.post(path, body(many ? [id] : id, base))
            // A field that is not visible is left out, and the record is created without it.
            if (answer.code === 1 && path.endsWith('/create')) {
              const made = await stored(entity, answer.result.id)
              expect(made[field.name] ?? null, `${path} ${field.name}`).toBeNull()
              answer.result = { ...answer.result, id: '#' }
            }
            return JSON.stringify(answer).replaceAll(String(id), '#')
          }
          const none = await callWith(nobody)
          for (const id of place === 0 ? ids : [ids[place - 1]]) {
            compared += 1
            const reply = await callWith(id)
            if (reply !== none) differing.push(`${path} ${field.name}: ${reply} instead of ${none}`)
          }
          // Only a new record sends more than this field.
          if (!path.endsWith('/create')) break
        }
      }
    }
  }
  expect(differing.map((each) => each.slice(0, 600))).toEqual([])
  expect(compared).toBeGreaterThan(isLong ? 200 : 50)
}, 240_000)
