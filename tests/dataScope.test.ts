/**
 * A user with a limited data scope sees only the records in it, by any call. The expected records are recomputed here
 * from what the files declare about owners and departments.
 */
import { readXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { grants } from '../engine/model/model.ts'
import type { Entity, RecordData } from '../engine/model/model.ts'
import { type OperationKind, parametersOf } from '../engine/model/operations.ts'
import { endpointsOf } from '../engine/model/operationsOf.ts'
import { differentEntities } from './alike.ts'
import { createSmallDemo } from './smallDemo.ts'
import { isLong } from './long.ts'
import { productCatalog } from './compiledOnce.ts'
import { administratorPassword, type Client, type TestServer } from './server.ts'

interface Viewer {
  id: number
  dataScope: string
  departments: Set<number>
  may(permission: string): boolean
  client: Client
}

const catalog = productCatalog()
const roles = catalog.presets.find(({ entity }) => entity === 'role')!.rows as {
  code: string
  dataScope: string
  functionPermissions: string[]
}[]
const narrow = roles.filter(({ dataScope }) => dataScope !== 'all').map(({ code }) => code)
const entities = differentEntities(catalog).filter((entity) => !entity.rowOf && !entity.engine && !entity.single)

let house: TestServer
beforeAll(async () => {
  house = await createSmallDemo()
  // As if all users had changed their passwords to the same ones.
  await house.database.pool.query('update system_credential set must_change = false, changed_at = now()')
})
afterAll(() => house?.close())

const rowsOf = new Map<string, RecordData[]>()
const byId = new WeakMap<RecordData[], Map<number, RecordData>>()
function indexed(all: RecordData[]): Map<number, RecordData> {
  const known = byId.get(all) ?? new Map<number, RecordData>(all.map((each) => [each.id!, each]))
  byId.set(all, known)
  return known
}
/** The table's records as stored, without deleted ones. */
async function rows(name: string): Promise<RecordData[]> {
  if (!rowsOf.has(name))
    rowsOf.set(
      name,
      (await house.database.pool.query(`select * from "${name}" where "deletedAt" is null`)).rows.map(
        (row: RecordData) => ({ ...row, id: Number(row.id) }),
      ),
    )
  return rowsOf.get(name)!
}
const targetOf = (entity: Entity, field: string) =>
  catalog.entities[String(entity.fields[field]?.options.entity ?? 'user')]
const idsIn = (value: unknown): number[] =>
  value === null || value === undefined ? [] : (Array.isArray(value) ? value : [value]).map(Number)

/** The ids of the users or departments at the end of the path from a record. */
async function ends(entity: Entity, record: RecordData, [field, ...rest]: string[]): Promise<number[]> {
  const ids = idsIn(record[field])
  if (rest.length === 0) return ids
  const target = targetOf(entity, field)
  const all = indexed(await rows(target.name))
  const found = ids.map((id) => all.get(id)).filter((each) => each !== undefined)
  return (await Promise.all(found.map((each) => ends(target, each, rest)))).flat()
}

const known = new Map<string, Set<number>>()
/** The ids of the records that this user may see. */
async function visible(entity: Entity, viewer: Viewer): Promise<Set<number>> {
  const key = `${viewer.id} ${entity.name}`
  if (!known.has(key)) {
    const ids = new Set<number>()
    for (const record of await rows(entity.name)) if (await covers(entity, record, viewer)) ids.add(record.id!)
    known.set(key, ids)
  }
  return known.get(key)!
}

async function covers(entity: Entity, record: RecordData, viewer: Viewer): Promise<boolean> {
  const { scope } = entity
  if (!scope) return true
  const owned = async (paths: string[], among: (id: number) => boolean) =>
    (await Promise.all(paths.map((path) => ends(entity, record, path.split('.'))))).flat().some(among)
  if ('only' in scope) return owned(scope.only, (id) => id === viewer.id)
  if ('via' in scope) {
    const via = scope.via.find((field) => record[field] !== null)
    if (via === undefined) return true
    const seen = await visible(targetOf(entity, via), viewer)
    return idsIn(record[via]).every((above) => seen.has(above))
  }
  return (
    (await owned(scope.owners, (id) => id === viewer.id)) ||
    (viewer.dataScope !== 'self' && owned(scope.departments, (id) => viewer.departments.has(id)))
  )
}

async function viewerOf(code: string): Promise<Viewer> {
  const role = roles.find((each) => each.code === code)!
  const user = (await rows('user')).find(({ loginName }) => loginName === code)!
  const departments = new Set<number>(idsIn(user.department))
  for (let grown = true; grown && role.dataScope === 'departmentAndBelow';) {
    grown = false
    for (const { id, parent } of await rows('department'))
      if (parent !== null && departments.has(Number(parent)) && !departments.has(id!))
        grown = Boolean(departments.add(id!))
  }
  return {
    id: user.id!,
    dataScope: role.dataScope,
    departments,
    client: await house.signIn(code, administratorPassword),
    may: (permission) => role.functionPermissions.some((pattern) => grants(pattern, permission)),
  }
}
const allIds = async (client: Client, entity: Entity): Promise<number[]> => {
  const ids: number[] = []
  for (let page = 1; ; page++) {
    const answer = await client.get(`${entity.endpoint}/list`, { page, size: 1000, sort: 'id', fields: entity.display })
    expect(answer.code, `${entity.endpoint}/list ${answer.message}`).toBe(1)
    const { result } = answer
    ids.push(...(result.list as RecordData[]).map(({ id }) => id!))
    if (ids.length >= result.total || result.list.length === 0) return ids
  }
}
/** The parameters that the operation accepts. */
const knownOf = (kind: OperationKind, query: object) =>
  Object.fromEntries(Object.entries(query).filter(([name]) => name in parametersOf(kind)))
/** The content of a file; of a workbook its rows, because its length depends on the second in which it is written. */
const contentOf = async (raw: Buffer) =>
  raw.includes('xl/workbook.xml') ? (await readXlsx(raw)).sheets.map(({ rows: sheetRows }) => sheetRows) : raw.length

/** Role → the entities of which its user was seen to get some records and not others. */
const divided = new Map(narrow.map((code) => [code, new Set<string>()]))
/** Scope and entity of each record outside a scope that was asked for by every call. */
const tried = new Set<string>()

describe.each(narrow)('%s', (code) => {
  let viewer: Viewer
  beforeAll(async () => {
    viewer = await viewerOf(code)
  })

  test.each(entities.map((entity) => ({ name: entity.name, entity })))(
    'sees only the records of $name in its scope, by every call',
    async ({ entity }) => {
      if (entity.parts || !viewer.may(entity.permissions.view)) return
      // Read again, because messages may have arrived meanwhile.
      rowsOf.delete(entity.name)
      const allowed = await visible(entity, viewer)
      expect((await allIds(viewer.client, entity)).sort((a, b) => a - b)).toEqual([...allowed].sort((a, b) => a - b))
      const outsider = (await rows(entity.name)).find(({ id }) => !allowed.has(id!))
      if (!outsider) return
      if (allowed.size > 0) divided.get(code)!.add(entity.name)
      // The long form repeats the calls for each role, the short form for each kind of scope.
      const kind = `${viewer.dataScope} ${entity.name}`
      if (!isLong && tried.has(kind)) return
      tried.add(kind)
      const { id, revision } = outsider
      const list = async (query: object) =>
        (await viewer.client.get(`${entity.endpoint}/list`, { size: 1, ...query })).result
      expect((await list({ counts: [{}] })).counts).toEqual([allowed.size])
      for (const { name, kind, method, path } of endpointsOf(entity)) {
        if (name === 'list' || name === 'create') continue
        const answer =
          method === 'GET'
            ? await viewer.client.get(path, knownOf(kind, { id, ids: String(id), fields: entity.display }))
            : await viewer.client.post(path, { id, revision, values: {} })
        const { raw } = answer as unknown as { raw?: Buffer }
        if (raw) {
          const nobody = (await viewer.client.get(
            path,
            knownOf(kind, { ids: '999999999', fields: entity.display }),
          )) as unknown as { raw: Buffer }
          expect(await contentOf(raw), `${name}: a file without the record`).toEqual(await contentOf(nobody.raw))
        } else expect(answer.code, `${method} ${path}`).not.toBe(1)
      }
      expect(await viewer.client.get(`${entity.endpoint}/options`, { id }), 'what a reference offers').toMatchObject({
        code: 1,
        result: { list: [] },
      })
      expect(
        await house.database.pool
          .query(`select revision, "deletedAt" from "${entity.name}" where id = $1`, [id])
          .then((found) => found.rows),
        'nothing was changed',
      ).toEqual([{ revision, deletedAt: null }])
    },
  )
})

test('each role sees many entities in part, and some role sees each filled scoped entity but one in part', async () => {
  for (const [code, seen] of divided) expect(seen.size, code).toBeGreaterThan(isLong ? 10 : 5)
  const scoped = entities.filter(({ scope, parts }) => scope && !parts)
  const filled = await Promise.all(scoped.map(async ({ name }) => ((await rows(name)).length > 1 ? [name] : [])))
  // Of the narrow roles, only one may view amounts not deducted, and its scope includes all those of the demo.
  expect(filled.flat().filter((name) => ![...divided.values()].some((seen) => seen.has(name)))).toEqual(['undeducted'])
})
