import { expect } from 'vitest'
import type { ImportProblem, RecordData, Value } from '../../engine/model/model.ts'
import { givenFor, importFile, planOf, rows as rowsOf, workbook, worker } from '../importing.ts'
import type { Answer, TestServer } from '../server.ts'

/** One change, and all the ways to make it; the first is the reference for the others. */
export interface Case {
  /** The entity of the import's batches. */
  batches: string
  /** The row that makes the change. */
  row: Record<string, string>
  /** Values given for the whole file. */
  given?: Record<string, Value>
  /** `form`, `cell`, or the name of a transition or action. */
  ways: Record<string, () => Promise<Answer>>
  /** Fields that an import leaves different, of the record or as `entity.field` of another → why. */
  differs?: Record<string, string>
}

export const endpointOf = ({ runtime }: TestServer, entity: string): string =>
  runtime.derived.catalog.entities[entity].endpoint

/** Imports rows, all of which must be valid. */
export async function importRows(
  house: TestServer,
  batches: string,
  rows: Record<string, string>[],
  given: Record<string, Value> = {},
): Promise<void> {
  const path = endpointOf(house, batches)
  const plan = planOf(house, batches)
  const id = await importFile(house, await workbook(plan, rows), {
    path,
    name: '文件.xlsx',
    ...(await givenFor(house, batches, rows)),
    ...given,
  })
  await worker(house).drain()
  const state = () => rowsOf(house, id, house.admin, endpointOf(house, plan.rows))
  const problems = (all: RecordData[]) => JSON.stringify(all.map(({ rowStatus, errors }) => [rowStatus, errors]))
  const checked = await state()
  expect(checked.length, JSON.stringify((await house.admin.get(`${path}/detail`, { id })).result)).toBe(rows.length)
  expect(await house.admin.post(`${path}/write`, { id }), problems(checked)).toMatchObject({ code: 1 })
  await worker(house).drain()
  const written = await state()
  for (const { rowStatus } of written) expect(['created', 'updated'], problems(written)).toContain(rowStatus)
}

/**
 * Imports a row that must be refused, when it is checked or when it is written.
 * @returns field → code, as a form reports them
 */
export async function importRefused(
  house: TestServer,
  batches: string,
  row: Record<string, string>,
  given: Record<string, Value> = {},
): Promise<Record<string, string>> {
  const path = endpointOf(house, batches)
  const plan = planOf(house, batches)
  const id = await importFile(house, await workbook(plan, [row]), {
    path,
    name: '文件.xlsx',
    ...(await givenFor(house, batches, [row])),
    ...given,
  })
  await worker(house).drain()
  const read = () => rowsOf(house, id, house.admin, endpointOf(house, plan.rows))
  const [checked] = await read()
  if (checked.rowStatus !== 'failed') {
    await house.admin.post(`${path}/write`, { id })
    await worker(house).drain()
  }
  const [{ rowStatus, errors }] = await read()
  expect(rowStatus).toBe('failed')
  const problems = errors as unknown as ImportProblem[]
  return Object.fromEntries(problems.map(({ column, code }) => [column ?? 'row', code === 'taken' ? 'unique' : code]))
}

async function send(
  house: TestServer,
  entity: string,
  request: { id: number; [more: string]: Value },
): Promise<Answer> {
  const path = endpointOf(house, entity)
  const { revision } = (await house.admin.get(`${path}/detail`, { id: request.id })).result
  return house.admin.post(`${path}/update`, { ...request, revision })
}

/** Sends what a form sends of a record: the touched fields. */
export const update = (house: TestServer, entity: string, id: number, values: Record<string, Value>): Promise<Answer> =>
  send(house, entity, { id, values })

/** The same from a cell of a list. */
export const updateCell = (
  house: TestServer,
  entity: string,
  id: number,
  values: Record<string, Value>,
): Promise<Answer> => send(house, entity, { id, values, cell: true })

export const create = (house: TestServer, entity: string, values: Record<string, Value>): Promise<Answer> =>
  house.admin.post(`${endpointOf(house, entity)}/create`, { values })

export const call = (
  house: TestServer,
  entity: string,
  name: string,
  id: number,
  values: Record<string, Value> = {},
): Promise<Answer> => house.admin.post(`${endpointOf(house, entity)}/${name}`, { id, values })

export const idOf = (value: unknown): number => (value as { id: number }).id

/** The only record of an entity that matches a filter. */
export async function found(house: TestServer, entity: string, filters: object): Promise<RecordData> {
  const { list } = (await house.admin.get(`${endpointOf(house, entity)}/list`, { filters, size: 100 })).result
  expect(list.length, entity).toBe(1)
  return (await house.admin.get(`${endpointOf(house, entity)}/detail`, { id: list[0].id })).result
}

/**
 * Expects a step that prepares a case to succeed.
 * @returns its result
 */
export async function done(answer: Promise<Answer>): Promise<RecordData> {
  const given = await answer
  expect(given, JSON.stringify(given)).toMatchObject({ code: 1 })
  return given.result
}
