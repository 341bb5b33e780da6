/**
 * A call accepts nothing that it does not declare: every operation that writes is sent every field that it does not
 * prompt for, and the fields that the system sets, by a user who holds every permission.
 */
import { writeXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isWritable } from '../../engine/expression/verdict.ts'
import type { Entity, EntityAction, Field, ImportPlan, Transition, Value } from '../../engine/model/model.ts'
import { isLong } from '../long.ts'
import { createTestServer, type Answer, type TestServer } from '../server.ts'
import { beginImport, readImports } from './imported.ts'
import { plant, plantedEntities, type Planted } from './plant.ts'

/** Fields of every record that only the system sets, and some that applications elsewhere have. */
const system = {
  createdBy: 987_654,
  createdAt: '2701-02-03 04:05:06',
  updatedBy: 987_654,
  updatedAt: '2701-02-03 04:05:06',
  deletedAt: '2701-02-03 04:05:06',
  searchText: 'UNDECLARED',
  tenant: 987_654,
  tenantId: 987_654,
}
const text = 'UNDECLARED7531'

/** The same outside `values`, where no body declares such a key. */
const beside = { ...system, status: 'approved', stage: 'confirmed', values: {} }

let server: TestServer
let owner: number
let sets: Planted[]
beforeAll(async () => {
  server = await createTestServer()
  const department = await server.findId('/setting/department', '总部')
  owner = (await server.admin.get('/setting/user/options', { search: 'admin' })).result.list[0].id
  sets = []
  for (const place of [1, 2]) sets.push(await plant(server, { place, owner, department }))
})
afterAll(() => server.close())

const derived = () => server.runtime.derived
/** The families of a template have the same operations, so the short run leaves some of them out. */
const testedEntities = () => plantedEntities(server).filter(({ name }) => isLong || !/^(social|medical)/.test(name))
const tableOf = ({ name }: Entity) => `"${derived().catalog.tables[name].name}"`
const stored = async (entity: Entity, id: number): Promise<Record<string, unknown>> =>
  (await server.database.pool.query(`select * from ${tableOf(entity)} where id = $1`, [id])).rows[0]
const countOf = async (entity: Entity): Promise<number> =>
  Number((await server.database.pool.query(`select count(*) as n from ${tableOf(entity)}`)).rows[0].n)

/** A value that nothing else gives the field, different from its current one. */
function otherValue(entity: Entity, field: Field, now: unknown, isFirst = false): Value {
  const { columns, catalog } = derived()
  const widget = derived().widget(field)
  const target = derived().target(field)
  const type = columns[entity.name][field.name] ?? (target?.rows ? 'rows' : 'text')
  if (target?.rows) return [{ id: 987_654 }]
  if (target) return target.many ? [987_654] : 987_654
  const dictionary = widget.dictionary?.(field.options)
  if (dictionary !== undefined && catalog.dictionaries[dictionary].choices.length > 0) {
    const { choices } = catalog.dictionaries[dictionary]
    const value = ((isFirst ? choices : choices.toReversed()).find((each) => each.value !== now) ?? choices[0]).value
    return type.endsWith('[]') ? [value] : value
  }
  if (widget.files) return [{ url: `/api/files/${text}/a.png`, name: 'a.png', size: 1, status: 'success' }]
  if (type.endsWith('[]')) return [text]
  if (type.startsWith('timestamp')) return '2702-03-04 05:06:07'
  if (type === 'date') return '2702-03-04'
  if (type === 'boolean') return now !== true
  if (type.startsWith('char(7)')) return '2702-03'
  if (type.startsWith('numeric')) return '7531.42'
  if (/^(bigint|integer|smallint)$/.test(type)) return 7531
  return text
}

/** The fields that an answer refuses because no form may write them. */
const refusedIn = ({ errors = [] }: Answer): Set<string> =>
  new Set(
    errors
      .filter(({ code }) => ['read-only', 'unknown-field'].includes(code))
      .map(({ field }) => field.split(/[.[]/)[0]),
  )

/** The fields that no form of the entity may write, each with a value other than its current one. */
const readOnlyOf = (entity: Entity, now: Record<string, unknown>, isFirst = false): [string, Value][] =>
  Object.values(entity.fields)
    .filter((field) => !isWritable(field, derived().widgets))
    .map((field) => [field.name, otherValue(entity, field, now[field.name], isFirst)])

type Save = 'create' | 'update'
const isOpen = (entity: Entity, how: Save) =>
  derived().operations.has(`POST ${entity.endpoint}/${how}`) && entity.allow[how] !== false

test('a form refuses every field that it may not write, by name', async () => {
  const taken: string[] = []
  let fieldsSent = 0
  let saves = 0
  const trySave = async (entity: Entity, how: Save, ids: ReadonlyMap<string, number>): Promise<boolean> => {
    const id = ids.get(entity.name)!
    const read = () => (how === 'update' ? stored(entity, id) : countOf(entity))
    const now = await read()
    const row = typeof now === 'number' ? {} : now
    const unknown = Object.entries(system).filter(([name]) => !Object.hasOwn(entity.fields, name))
    const send = (fields: [string, Value][]) =>
      server.admin.post(`${entity.endpoint}/${how}`, {
        ...beside,
        ...(how === 'update' && { id, revision: row.revision }),
        values: Object.fromEntries(fields),
      })
    const fields = [...readOnlyOf(entity, row), ...unknown]
    const answer = await send(fields)
    if (JSON.stringify(await read()) !== JSON.stringify(now)) taken.push(`${entity.endpoint}/${how}: it was written`)
    if ([403, 409].includes(answer.code)) return false
    const named = refusedIn(answer)
    const left = fields.filter(([name]) => !named.has(name)).map(([name]) => name)
    // The value may happen to be what the record has or looks up, so another one is tried.
    const others = readOnlyOf(entity, row, true).filter(([name]) => left.includes(name))
    const again = others.length > 0 ? refusedIn(await send([...others, ['unknown', 1]])) : named
    taken.push(...left.filter((name) => !again.has(name)).map((name) => `${entity.endpoint}/${how}: ${name}`))
    fieldsSent += fields.length
    saves += 1
    return true
  }
  for (const entity of testedEntities())
    for (const how of ['create', 'update'] as const) {
      if (!isOpen(entity, how)) continue
      // If the state of one record does not allow it, that of another may.
      for (const { ids } of sets) if (await trySave(entity, how, ids)) break
    }
  expect(taken).toEqual([])
  expect(saves).toBeGreaterThan(60)
  expect(fieldsSent).toBeGreaterThan(isLong ? 3000 : 2000)
}, 60_000)

test('a form accepts a field that it may write, so the check can fail', async () => {
  const entity = derived().catalog.entities.bank
  const id = sets[0].ids.get('bank')!
  const { revision } = await stored(entity, id)
  const answer = await server.admin.post(`${entity.endpoint}/update`, { id, revision, values: { remark: text } })
  expect(refusedIn(answer)).toEqual(new Set())
})

/** The fields that the call itself declares: its form, its state, and what it sets. */
function declaredBy(entity: Entity, called: Transition | EntityAction): Set<string> {
  const set = [called.set ?? {}, ...entity.saves.map((save) => save.set ?? {})]
  return new Set([
    ...called.form.map(({ field }) => field),
    ...('to' in called ? [called.field] : (called.update ?? [])),
    ...set.flatMap((each) => Object.keys(each)),
  ])
}

test('a transition or an action takes nothing that its form does not prompt for', async () => {
  const taken: string[] = []
  let done = 0
  let called = 0
  /** The fields that have the sent values afterwards. */
  const call = async (entity: Entity, action: Transition | EntityAction, place: number): Promise<string[]> => {
    const id = sets[place].ids.get(entity.name)!
    const inState = `update ${tableOf(entity)} set "${'to' in action ? action.field : 'id'}" = $1 where id = $2`
    if ('to' in action) await server.database.pool.query(inState, [action.from[0], id])
    const before = await stored(entity, id)
    const declared = declaredBy(entity, action)
    const fields = Object.values(entity.fields).filter(
      ({ name, computed }) => !declared.has(name) && computed === undefined && name in before,
    )
    const values = Object.fromEntries(
      fields.map((field) => [field.name, otherValue(entity, field, before[field.name], place > 0)]),
    )
    const which = place === 0 ? { id } : { ids: [id] }
    const sent = { ...beside, ...which, values: { ...values, ...system, id: 987_654, revision: 7531 } }
    const answer = await server.admin.post(`${entity.endpoint}/${action.name}`, sent)
    called += 1
    if (answer.status >= 500) taken.push(`${entity.endpoint}/${action.name}: ${answer.status}`)
    if (answer.code === 1 && !answer.result?.failed?.length) done += 1
    const after = await stored(entity, id)
    return Object.entries({ ...values, ...system })
      .filter(([name, value]) => isSame(after[name], value) && !isSame(before[name], value))
      .map(([name]) => name)
  }
  for (const entity of testedEntities()) {
    const transitions = entity.states.flatMap((machine) => Object.values(machine.transitions))
    for (const each of [...transitions, ...Object.values(entity.actions)]) {
      if (!derived().operations.has(`POST ${entity.endpoint}/${each.name}`)) continue
      const found: string[][] = []
      const first = await call(entity, each, 0)
      // A call may give a field that value by itself, but not also the other value that is sent next.
      if (first.length > 0) found.push(await call(entity, each, 1))
      for (const name of first.filter((name) => found.every((again) => again.includes(name))))
        taken.push(`${entity.endpoint}/${each.name}: ${name}`)
    }
  }
  expect(taken).toEqual([])
  expect(called).toBeGreaterThan(isLong ? 400 : 200)
  expect(done).toBeGreaterThan(30)
}, 60_000)

const isSame = (value: unknown, other: unknown) =>
  value !== null &&
  value !== undefined &&
  JSON.stringify(value).replaceAll('"', '') === JSON.stringify(other).replaceAll('"', '')

test('an import reads no column outside its template, neither from a file nor from a correction', async () => {
  const begun: { plan: ImportPlan; id: number }[] = []
  const { catalog, imports } = derived()
  const names = new Set(testedEntities().map(({ name }) => name))
  const othersOf = ({ into, columns }: ImportPlan) =>
    Object.values(catalog.entities[into].fields).filter(({ name }) => !columns.some(({ field }) => field === name))
  for (const [index, plan] of [...imports.values()].filter(({ batches }) => names.has(batches)).entries()) {
    const own = plan.columns.map(({ label }) => label.cn)
    const labels = [...othersOf(plan).map(({ label }) => label.cn), 'ID', 'createdBy', '创建人']
    const others = [...new Set(labels)].filter((label) => !own.includes(label))
    const rows = [
      [...own, ...others],
      [...own.map(() => '1'), ...others.map(() => text)],
    ]
    const file = await writeXlsx({ sheets: [{ name: 'Data', rows }] })
    begun.push({ plan, id: await beginImport(server, plan, { index, planted: sets[0], operator: owner, file }) })
    await readImports(server)
  }
  let wereRead = 0
  const taken: string[] = []
  for (const { plan, id } of begun) {
    const rows = catalog.entities[plan.rows]
    const read = async () =>
      (await server.database.pool.query(`select id, t::text as cells from ${tableOf(rows)} t where batch = $1`, [id]))
        .rows[0] as { id: string; cells: string } | undefined
    const row = await read()
    // A file that has a column of the template twice is refused.
    if (row) {
      wereRead += 1
      if (row.cells.includes(text)) taken.push(`${plan.batches}: a cell`)
      const values = Object.fromEntries(othersOf(plan).map(({ name }) => [name, text]))
      await server.admin.post(`${rows.endpoint}/fix`, {
        id: Number(row.id),
        ...beside,
        values: { ...values, ...system },
      })
      if ((await read())!.cells.includes(text)) taken.push(`${plan.batches}: a correction`)
    }
  }
  expect(taken).toEqual([])
  expect(wereRead).toBeGreaterThan(20)
}, 60_000)
