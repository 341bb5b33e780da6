/** A product in English and German: no text is empty, and German texts reach a German reader. */
import { readXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AppBundle, ScreenBundle } from '../engine/model/model.ts'
import { importFile, worker, workbook, planOf } from './importing.ts'
import { germanSchemas, vehicle } from './inGerman.ts'
import { compiledOnce } from './compiledOnce.ts'
import { administratorPassword, createTestServer, type Client, type TestServer } from './server.ts'

let house: TestServer
let german: Client
let english: Client

beforeAll(async () => {
  const catalog = compiledOnce('german', germanSchemas)
  house = await createTestServer({ change: () => structuredClone(catalog) })
  german = await house.signIn('admin', administratorPassword, 'de')
  english = await house.signIn('admin', administratorPassword, 'en-US')
})
afterAll(() => house.close())

/** What appears where a text is missing. */
const missing = /\bundefined\b|\bnull\b|\[object|\{\w+\}/
const lines = async ({ raw, ...answer }: { raw?: Uint8Array }): Promise<string[][]> => {
  if (!raw) throw new Error(JSON.stringify(answer))
  return (await readXlsx(new Uint8Array(raw))).sheets.flatMap(({ rows }) => rows.map((row) => row.map(String)))
}

/** Collects the texts of all labels for a German reader: German, or the engine's English. */
function labelsIn(value: unknown, found: string[] = []): string[] {
  if (typeof value !== 'object' || value === null) return found
  const { en, de, cn } = value as Record<string, unknown>
  if (typeof en === 'string') found.push(typeof de === 'string' ? de : typeof cn === 'string' ? en : `only: ${en}`)
  else for (const each of Object.values(value)) labelsIn(each, found)
  return found
}

test('an answer is in the requested language, by code or tag, or else in the first one', async () => {
  const messageIn = async (language: string) => (await house.client(german.token, language).get('/nowhere')).message
  const menuIn = async (language: string) =>
    (await house.client(german.token, language).get('/partner-menu/get-user-nav-menu')).result[1].name
  expect(await menuIn('de')).toBe('Fuhrpark')
  expect(await menuIn('de-AT')).toBe('Fuhrpark')
  expect(await menuIn('DE')).toBe('Fuhrpark')
  expect(await menuIn('en-US')).toBe('Fleet')
  expect(await menuIn('zh-CN')).toBe('Fleet')
  expect(await menuIn('fr')).toBe('Fleet')
  // The engine has no German, so it answers in English.
  expect(await messageIn('de')).toBe(await messageIn('en-US'))
  expect(await messageIn('de')).toMatch(/[a-z]/)
})

test('plans, menus and dictionaries have every text', async () => {
  const { result: app } = await german.get<AppBundle>('/plans/app')
  expect(app.app.languages).toEqual(['en', 'de'])
  expect(app.screens.map(({ title }) => title.de)).toContain('Fahrzeuge')
  for (const { name } of app.screens) {
    const { result } = await german.get<ScreenBundle>('/plans/screen', { name })
    const texts = labelsIn(result)
    expect(texts.length, name).toBeGreaterThan(0)
    expect(
      texts.filter((text) => text === '' || missing.test(text.replaceAll(/\{\w+\}/g, '')) || text.startsWith('only: ')),
      name,
    ).toEqual([])
  }
  const menu = await german.get('/partner-menu/get-user-nav-menu')
  expect(menu.result.map(({ name }: { name: string }) => name)).toEqual(['Fahrzeuge', 'Fuhrpark', 'Einstellungen'])
})

test('refusals name fields in the reader’s language', async () => {
  const answer = await german.post('/fleet/vehicle/create', {
    values: { plate: 'B-2', boughtOn: '2099-01-01', seats: 30 },
  })
  expect(answer.code).toBe(422)
  const messages = answer.errors!.map(({ message }) => message)
  expect(messages).toEqual([
    'Please enter Modell',
    expect.stringMatching(/^Gekauft am .*[a-z]$/),
    expect.stringMatching(/^Sitze .*9/),
  ])
  expect(answer.message).toBe(messages[0])
  const rule = await german.post('/fleet/vehicle/create', {
    values: { ...vehicle, plate: 'B-3', insuredUntil: '2025-01-01' },
  })
  expect(rule.message).toBe('Die Versicherung von B-3 endet zu früh')
})

test('a list is exported in the reader’s language', async () => {
  await house.create('/fleet/vehicle', vehicle, german)
  const [header, row] = await lines((await german.get('/fleet/vehicle/export')) as object)
  expect(header).toEqual(expect.arrayContaining(['Kennzeichen', 'Modell', 'Zustand', 'Gekauft am', 'Elektrisch']))
  expect(row).toEqual(expect.arrayContaining(['B-1', 'Im Einsatz', 'Yes', 'Dachträger、Anhängerkupplung']))
  // The creator has the engine's name for the first user.
  expect(row).toContain('Administrator')
  expect([...header, ...row].filter((cell) => /undefined|\[object/.test(cell))).toEqual([])
  const report = await german.get('/plans/report/export', {
    screen: 'vehicle.report',
    tab: 'all',
    group: 'status',
  })
  const texts = (await lines(report as object)).flat()
  expect(texts).toEqual(expect.arrayContaining(['Zustand', 'Anzahl', 'Im Einsatz', 'Total']))
})

test("an import is in German, with the engine's texts in English", async () => {
  const path = '/fleet/vehicleImport'
  const template = await german.get(`${path}/template`)
  expect(decodeURIComponent(String(template.headers['content-disposition']))).toContain('Fahrzeugimport')
  const cells = (await lines(template as object)).flat()
  expect(cells).toEqual(
    expect.arrayContaining([expect.stringContaining('Kennzeichen'), expect.stringContaining('Modell')]),
  )
  expect(cells.filter((cell) => /undefined|\[object/.test(cell))).toEqual([])

  const plan = planOf(house, 'vehicleImport')
  const id = await importFile(
    house,
    await workbook(plan, [{ plate: 'B-4', model: null, boughtOn: '2025-01-01', electric: 'Yes', seats: 20 }], 'de'),
    { as: german, name: 'fahrzeuge.xlsx', path },
  )
  await worker(house).drain()
  const rows = await german.get(`${path}Row/list`, { filters: { batch: { equals: id } } })
  const errors = JSON.stringify(rows.result.list)
  expect(errors).toContain('Modell')
  expect(errors).toContain('Sitze')
  expect(errors).not.toMatch(/undefined|\[object/)
})

test('messages, histories and the log are in the reader’s language', async () => {
  const id = await house.create('/fleet/vehicle', { ...vehicle, plate: 'B-5' }, german)
  expect((await german.post('/fleet/vehicle/repair', { id, values: { reason: 'Bremse' } })).code).toBe(1)
  const inbox = await german.get('/messages')
  expect(JSON.stringify(inbox.result)).toContain('B-5 ist in Reparatur')
  expect(JSON.stringify(inbox.result)).toContain('Art repaired')
  const sent = await english.get('/messages')
  expect(JSON.stringify(sent.result)).toContain('B-5 is in repair')
  const history = await german.get('/fleet/vehicle/history', { id })
  expect(JSON.stringify(history.result)).toContain('Zustand')
  expect(JSON.stringify(history.result)).not.toMatch(/undefined/)
  await german.post('/fleet/vehicle/repair', { id, values: { reason: 'Bremse' } })
  const log = await german.get('/setting/operationLog/list')
  expect(JSON.stringify(log.result)).not.toMatch(/undefined|\[object/)
})

test('preset texts are stored in the first language and read in the reader’s', async () => {
  const roles = await german.get('/setting/role/list')
  expect(roles.result.list.map(({ name }: { name: string }) => name)).toContain('Verwalter')
  expect((await german.get('/setting/role/list', { sort: 'name' })).result.list[0].name).toBe('Verwalter')
  expect((await english.get('/setting/role/list')).result.list[0].name).toBe('Administrator')
  expect((await german.get('/setting/role/options', { search: 'Verwal' })).result.list).toHaveLength(1)
})
