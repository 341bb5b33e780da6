/**
 * Masked values stay masked wherever they travel: each sensitive field of each entity gets a unique value, and every
 * answer to a user who may not see it is searched for that value. The long run (`npm run masks`) also sends requests as
 * every preset role.
 */
import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { grants } from '../../engine/model/model.ts'
import type { Entity, Field, RecordsBlock, ReportPlan } from '../../engine/model/model.ts'
import { createCallWorker } from '../../engine/server/jobs/callWorker.ts'
import { differentEntities } from '../alike.ts'
import { isLong } from '../long.ts'
import { createTestServer, type Client, type TestServer } from '../server.ts'
import { importMarked, type Imported } from './imported.ts'
import { plant, type Mark, type Planted } from './plant.ts'
import { withoutPermission, withoutSession } from './refusals.ts'
import { following, probing, reading, type AnswerText, textOf, writing } from './surfaces.ts'

interface Role {
  code: string
  client: Client
  may(permission: string): boolean
}

/** Sets of records besides the first; the long run plants some three thousand values. */
const moreSets = isLong ? 15 : 1

let server: TestServer
let planted: Planted
/** The unique values of all sets of records; answers about several records also contain those outside `planted`. */
let marks: Mark[]
let imported: Imported[]
let everything: string[]
let nobody: Role
const entities = () => Object.values(server.runtime.derived.catalog.entities)
const entityOf = (name: string) => server.runtime.derived.catalog.entities[name]

beforeAll(async () => {
  server = await createTestServer()
  const department = await server.findId('/setting/department', '总部')
  const [{ id: owner }] = (await server.admin.get('/setting/user/options', { search: 'admin' })).result.list
  planted = await plant(server, { place: 1, owner, department })
  marks = [...planted.marks]
  // These places give ids beyond those of imports.
  for (let place = 10; place < 10 + moreSets; place++)
    marks.push(...(await plant(server, { place, owner, department })).marks)
  imported = await importMarked(server, planted, owner)
  everything = server.runtime.derived.catalog.permissions.map(({ value }) => value)
  nobody = await roleOf(
    'blindone',
    everything.filter((permission) => !permission.endsWith(':viewSensitive')),
  )
})
afterAll(() => server.close())

async function roleOf(code: string, functionPermissions: string[]): Promise<Role> {
  await server.create('/setting/role', { code, name: `角色${code}`, functionPermissions, dataScope: 'all' })
  return {
    code,
    client: await server.user(`user${code}`, [code]),
    may: (permission) => functionPermissions.some((pattern) => grants(pattern, permission)),
  }
}

/** A look-up shows its source's value, with the source's permission if that is sensitive too. */
function seenWith(entity: string, field: string, known = new Set<string>()): Set<string> {
  const key = `${entity}.${field}`
  if (known.has(key)) return new Set()
  known.add(key)
  const permissions = new Set([entityOf(entity).permissions.viewSensitive])
  for (const other of entities())
    for (const { name, computed, sensitive } of Object.values(other.fields)) {
      if (!sensitive || computed?.kind !== 'lookup' || computed.field !== field) continue
      if (server.runtime.derived.target(other.fields[computed.by])?.entity.name !== entity) continue
      for (const permission of seenWith(other.name, name, known)) permissions.add(permission)
    }
  return permissions
}

/** All marks, with the permissions that allow seeing each. */
function secrets(role: Role): Map<string, string> {
  const hidden = new Map<string, string>()
  for (const { entity, field, texts } of marks) {
    if ([...seenWith(entity, field)].some(role.may)) continue
    for (const text of texts) hidden.set(text, `${entity}.${field}`)
  }
  for (const { plan, texts } of imported) {
    if (role.may(entityOf(plan.rows).permissions.viewSensitive)) continue
    for (const text of texts) hidden.set(text, plan.batches)
  }
  return hidden
}

/** Values copied for users who may see the copy whole, but only when they are about to create it. */
const copied: { from: string[]; at: string; permission: string }[] = [
  {
    from: ['customer.bankAccount', 'customer.consigneeMobile'],
    at: 'POST /settlement/invoice/suggest ',
    permission: 'settlement:invoice:viewSensitive',
  },
]
const isCopy = ({ may }: Role, at: string, secret: string) =>
  copied.some(({ from, at: begin, permission }) => from.includes(secret) && at.startsWith(begin) && may(permission))

const shape = /MK\d{6}PLANTEDVALUE\d{4}|73\d{5}\.\d{2}|7,3\d{2},\d{3}\.\d{2}|27\d{2}-\d{2}-\d{2}/g
const leaksIn = ({ at, text }: AnswerText, hidden: ReadonlyMap<string, string>): string[] => [
  ...new Set(
    (text.match(shape) ?? []).flatMap((found) => (hidden.has(found) ? [`${at} tells ${hidden.get(found)}`] : [])),
  ),
]

const allOf = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

async function leaks(answers: AsyncIterable<AnswerText>, hidden: ReadonlyMap<string, string>): Promise<string[]> {
  return (await allOf(answers)).flatMap((each) => leaksIn(each, hidden))
}

/** The short form tries two fields of each kind. */
function isProbed({ search }: Entity, { name, type, computed }: Field, met: Map<string, number>): boolean {
  const kind = `${type} ${computed?.kind} ${search.includes(name)}`
  met.set(kind, (met.get(kind) ?? 0) + 1)
  return isLong || met.get(kind)! <= 2
}

/** The requests by a masked value that were answered. */
async function answeredTo(role: Role): Promise<string[]> {
  const answered = []
  const met = new Map<string, number>()
  for (const entity of owned()) {
    const own = planted.marks.filter(
      (mark) => mark.entity === entity.name && ![...seenWith(entity.name, mark.field)].some(role.may),
    )
    const whole = role.may(entity.permissions.viewSensitive)
    for await (const { at, answer } of probing(server, role.client, entity, own, (field) =>
      isProbed(entity, field, met),
    )) {
      const isSearch = at.includes('"search"')
      const isAnswered = isSearch ? answer.code === 1 && answer.result.total !== 0 : answer.status === 200
      if ((isAnswered && !whole) || answer.status >= 500) answered.push(`${at} ${answer.status}`)
    }
  }
  return answered
}

async function* importsOf(role: Role): AsyncGenerator<AnswerText> {
  const names = new Set(owned().map(({ name }) => name))
  // Every import answers alike, so the short form tries every other one.
  for (const { plan, id } of imported.filter((_, place) => isLong || place % 2 === 0)) {
    if (!names.has(plan.batches)) continue
    const [batches, rows] = [entityOf(plan.batches), entityOf(plan.rows)]
    for (const [path, query] of [
      [`${batches.endpoint}/detail`, { id }],
      [`${batches.endpoint}/problems`, { id }],
      [`${batches.endpoint}/failures`, { id }],
      [`${batches.endpoint}/original`, { id }],
      [`${batches.endpoint}/list`, { size: 100 }],
      [`${rows.endpoint}/list`, { size: 100, filters: { batch: { equals: id } } }],
      [`${rows.endpoint}/export`, { filters: { batch: { equals: id } } }],
    ] as const)
      yield { at: `GET ${path}`, text: await textOf(await role.client.get(path, query)) }
    const list =
      (await role.client.get(`${rows.endpoint}/list`, { filters: { batch: { equals: id } } })).result?.list ?? []
    for (const row of list as { id: number }[]) {
      yield {
        at: `GET ${rows.endpoint}/detail`,
        text: await textOf(await role.client.get(`${rows.endpoint}/detail`, { id: row.id })),
      }
      yield {
        at: `POST ${rows.endpoint}/fix`,
        text: await textOf(await role.client.post(`${rows.endpoint}/fix`, { id: row.id, values: {} })),
      }
    }
    for (const field of [
      'rowKey',
      ...plan.columns.map(({ field: name }) => `cell${name[0].toUpperCase()}${name.slice(1)}`),
    ]) {
      const { sensitive } = rows.fields[field]
      const answer = await role.client.get(`${rows.endpoint}/list`, { sort: field, size: 1 })
      if (answer.code === 1 && sensitive && !role.may(rows.permissions.viewSensitive))
        yield { at: `${rows.endpoint} sorted by ${field}`, text: [...secrets(role).keys()][0] }
    }
  }
}

interface ScreenParts {
  blocks?: RecordsBlock[]
  tabs?: { name: string; grouped?: object }[]
}

async function* screensOf(role: Role): AsyncGenerator<AnswerText> {
  const { screens } = server.runtime.derived.catalog
  const read = async (path: string, query: Record<string, unknown> = {}): Promise<AnswerText> => {
    const answer = await role.client.get(path, query)
    if (answer.status >= 500) throw new Error(`${path} ${JSON.stringify(query)}: ${answer.message}`)
    return { at: `GET ${path} ${JSON.stringify(query)}`, text: await textOf(answer) }
  }
  for (const { name, kind, entity, body } of Object.values(screens)) {
    const { blocks = [], tabs = [], groups = [], charts = [] } = body as Partial<ReportPlan> & ScreenParts
    if (kind === 'board') yield read('/plans/waiting', { screen: name })
    for (const block of blocks) yield read('/plans/block', { screen: name, name: block.name })
    for (const tab of tabs) {
      if (tab.grouped)
        yield read('/plans/grouped', { screen: name, tab: tab.name, id: planted.ids.get(entity ?? '') ?? 1 })
      // The short form combines the first tab with all groups, and the first group with all tabs.
      for (const group of groups.filter(
        (each) => kind === 'report' && (isLong || each === groups[0] || tab === tabs[0]),
      ))
        for (const path of [
          '/plans/report',
          ...(isLong || (group === groups[0] && tab === tabs[0]) ? ['/plans/report/export'] : []),
        ])
          yield read(path, { screen: name, group: group.name, tab: tab.name })
    }
    for (const chart of kind === 'report' ? charts : [])
      yield read('/plans/report', { screen: name, group: groups[0]?.name, chart: chart.name })
  }
  for (const work of planted.works) yield read(`/works/${work}`)
  yield read('/messages')
  yield { at: 'the log', text: await textOf(await role.client.get('/setting/operationLog/list', { size: 1000 })) }
  yield { at: 'the log, exported', text: await textOf(await role.client.get('/setting/operationLog/export')) }
}

const presets = JSON.parse(readFileSync('schemas/setting/role.records.json', 'utf8')) as { rows: { code: string }[] }
const codes = presets.rows.map(({ code }) => code).filter((code) => code !== 'admin')

/** Of what families have alike, that of one family; the long form tries all. */
const owned = (): Entity[] => differentEntities(server.runtime.derived.catalog)

const roles = new Map<string, Role>()

/** A role that comes with the product, and sees all records here. */
async function presetRole(code: string): Promise<Role> {
  const known = roles.get(code)
  if (known) return known
  await sql`update role set "dataScope" = 'all' where code = ${code}`.execute(server.database.kysely)
  const [row] = (
    await server.database.pool.query('select "functionPermissions" as granted from role where code = $1', [code])
  ).rows
  const role: Role = {
    code,
    client: await server.user(`all${code}`.slice(0, 20), [code]),
    may: (permission) => (row.granted as string[]).some((pattern) => grants(pattern, permission)),
  }
  roles.set(code, role)
  return role
}

test('nothing is done without a session or without its permission', async () => {
  const { called, done } = await withoutSession(server)
  expect(done).toEqual([])
  expect(called).toBeGreaterThan(400)
  const { client, may } = await presetRole('publisher')
  const refused = await withoutPermission(server, client, may)
  expect(refused.done).toEqual([])
  expect(refused.called).toBeGreaterThan(400)
}, 120_000)

test('every sensitive field that records store has a mark, and a user who may see it whole receives it', async () => {
  const unmarked = owned().flatMap((entity) =>
    Object.values(entity.fields)
      .filter(({ name, sensitive }) => sensitive && server.runtime.derived.columns[entity.name][name] !== undefined)
      .filter(
        ({ computed, name }) =>
          computed === undefined &&
          planted.ids.has(entity.name) &&
          !planted.marks.some((mark) => mark.entity === entity.name && mark.field === name),
      )
      .map(({ name }) => `${entity.name}.${name}`),
  )
  expect(unmarked).toEqual([])
  expect(marks.length).toBeGreaterThan(isLong ? 3000 : 300)
  if (isLong)
    console.log(`${marks.length} values of records, ${imported.flatMap(({ texts }) => texts).length} cells of imports`)
  const lists = await Promise.all(
    owned()
      .filter(
        ({ name, endpoint }) => planted.ids.has(name) && server.runtime.derived.operations.has(`GET ${endpoint}/list`),
      )
      .map(
        async ({ name, endpoint }) =>
          [name, await textOf(await server.admin.get(`${endpoint}/list`, { size: 500 }))] as const,
      ),
  )
  const missed = lists.flatMap(([name, text]) =>
    marks.filter((mark) => mark.entity === name && !mark.texts.some((each) => text.includes(each))),
  )
  expect(missed.map(({ entity, field }) => `${entity}.${field}`)).toEqual([])
})

test('every import has read its rows', async () => {
  const empty = []
  for (const { plan, id } of imported) {
    const { result } = await server.admin.get(`${entityOf(plan.batches).endpoint}/detail`, { id })
    if (result.totalCount !== 2) empty.push([plan.batches, result.status, result.failReason])
  }
  expect(empty).toEqual([])
})

test('every role of the product is tested, except the one that sees everything', () => {
  expect(codes).toHaveLength(13)
})

describe('a user who may do everything but see sensitive values', () => {
  test('receives none of them by reading', async () => {
    const hidden = secrets(nobody)
    const found = []
    for (const entity of owned()) found.push(...(await leaks(reading(server, nobody.client, entity, planted), hidden)))
    found.push(...(await leaks(screensOf(nobody), hidden)))
    expect(found).toEqual([])
  }, 240_000)

  test('receives none of them by imports', async () => {
    expect([...new Set(await leaks(importsOf(nobody), secrets(nobody)))]).toEqual([])
  }, 240_000)

  test('can neither filter, sort, search nor sum by them', async () => {
    expect(await answeredTo(nobody)).toEqual([])
  }, 240_000)

  test('receives none of them by writing', async () => {
    const hidden = secrets(nobody)
    const found = []
    for (const entity of owned()) found.push(...(await leaks(writing(server, nobody.client, entity, planted), hidden)))
    expect([...new Set(found)]).toEqual([])
  }, 240_000)
})

describe.runIf(isLong)('each preset role', () => {
  // The records of the test server itself stay as they are for the next role.
  const written = () => owned().filter(({ name }) => planted.ids.has(name))

  test.each(codes)(
    '%s receives no hidden value by reading',
    async (code) => {
      const role = await presetRole(code)
      expect((await withoutPermission(server, role.client, role.may)).done).toEqual([])
      const hidden = secrets(role)
      const found = []
      for (const entity of owned()) found.push(...(await leaks(reading(server, role.client, entity, planted), hidden)))
      found.push(...(await leaks(screensOf(role), hidden)), ...(await leaks(importsOf(role), hidden)))
      found.push(...(await answeredTo(role)))
      expect([...new Set(found)]).toEqual([])
    },
    600_000,
  )

  test.each(codes)(
    '%s receives no hidden value by writing',
    async (code) => {
      const working = createCallWorker(server.runtime, { log: console.error })
      working.start()
      const role = await presetRole(code)
      const hidden = secrets(role)
      const found = []
      for (const entity of written())
        for (const answers of [following, writing])
          for (const answer of await allOf(answers(server, role.client, entity, planted))) {
            const others = [...hidden].filter(([, secret]) => !isCopy(role, answer.at, secret))
            found.push(...leaksIn(answer, new Map(others)))
          }
      found.push(...(await leaks(screensOf(role), hidden)))
      await working.stop()
      expect([...new Set(found)]).toEqual([])
    },
    600_000,
  )
})
