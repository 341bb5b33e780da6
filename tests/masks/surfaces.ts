/** Every answer that a user can get about the records of an entity. */
import { readXlsx } from 'hucre/xlsx'
import type { Entity, Field } from '../../engine/model/model.ts'
import { isLong } from '../long.ts'
import type { Answer, Client, TestServer } from '../server.ts'
import type { Mark, Planted } from './plant.ts'

export interface AnswerText {
  /** The request. */
  at: string
  text: string
}

export async function textOf(answer: Answer & { raw?: Buffer }): Promise<string> {
  const { raw, headers: _, ...rest } = answer
  if (raw === undefined) return JSON.stringify(rest)
  if (!raw.includes('xl/workbook.xml')) return raw.toString('latin1') + raw.toString('utf8')
  return JSON.stringify((await readXlsx(raw)).sheets)
}

const columnsOf = ({ runtime: { derived } }: TestServer, { fields }: Entity): Field[] =>
  Object.values(fields).filter((field) => !derived.target(field)?.rows)

/** Answers of reading: lists, details, histories, exports, downloads, options and look-ups. */
export async function* reading(
  server: TestServer,
  client: Client,
  entity: Entity,
  planted: Planted,
): AsyncGenerator<AnswerText> {
  const { operations } = server.runtime.derived
  const id = planted.ids.get(entity.name)
  const read = async (operation: string, query: Record<string, unknown> = {}): Promise<AnswerText> => {
    const answer = await client.get(`${entity.endpoint}/${operation}`, query)
    if (answer.status >= 500)
      throw new Error(`${entity.endpoint}/${operation} ${JSON.stringify(query)}: ${answer.message}`)
    return { at: `GET ${entity.endpoint}/${operation} ${JSON.stringify(query)}`, text: await textOf(answer) }
  }
  const has = (operation: string) => operations.has(`GET ${entity.endpoint}/${operation}`)
  const fields = columnsOf(server, entity).map(({ name }) => name)
  if (has('list')) {
    yield read('list', { size: 500 })
    // Read by name, fields pass the same masks: in the short form a third of the lists show that.
    if (isLong || entity.name.length % 3 === 0) yield read('list', { size: 500, fields })
  }
  if (has('detail') && id !== undefined) yield read('detail', { id })
  if (has('history') && id !== undefined) yield read('history', { id })
  if (has('options')) {
    yield read('options', { size: 500 })
    if (id !== undefined) yield read('options', { id })
  }
  if (has('export')) yield read('export', { fields })
  for (const name of Object.keys(entity.downloads ?? {})) yield read(name, { ids: id })
  // In the short form once for each target.
  const targets = new Set<string>()
  if (has('lookup'))
    for (const field of columnsOf(server, entity)) {
      const target = server.runtime.derived.target(field)?.entity
      // Nothing can leak from a record without sensitive fields.
      if (!isLong && !Object.values(target?.fields ?? {}).some(({ sensitive }) => sensitive)) continue
      if (!isLong && target && targets.has(target.name)) continue
      if (target) targets.add(target.name)
      const targetId = target && planted.ids.get(target.name)
      if (targetId !== undefined) yield read('lookup', { field: field.name, id: targetId })
    }
}

/** Searching, sorting or summing by a value reveals it too: each must be refused, or find nothing. */
export async function* probing(
  server: TestServer,
  client: Client,
  entity: Entity,
  marks: readonly Mark[],
  isProbed: (field: Field) => boolean = () => true,
): AsyncGenerator<{ at: string; answer: Answer }> {
  const { operations, target } = server.runtime.derived
  const readOptions = async (query: Record<string, unknown>) => ({
    at: `GET ${entity.endpoint}/options ${JSON.stringify(query)}`,
    answer: await client.get(`${entity.endpoint}/options`, query),
  })
  for (const { field, entity: owner, texts } of operations.has(`GET ${entity.endpoint}/options`) ? marks : []) {
    if (owner !== entity.name) continue
    yield readOptions({ search: texts[0] })
    yield readOptions({ filters: { [field]: { equals: texts[0] } } })
  }
  if (!operations.has(`GET ${entity.endpoint}/list`)) return
  const readList = async (query: Record<string, unknown>) => ({
    at: `GET ${entity.endpoint}/list ${JSON.stringify(query)}`,
    answer: await client.get(`${entity.endpoint}/list`, { fields: ['id'], size: 1, ...query }),
  })
  for (const field of Object.values(entity.fields)) {
    const to = target(field)
    const isNameHidden = to && !to.rows && to.entity.fields[to.entity.display].sensitive
    if ((!field.sensitive && !isNameHidden) || !isProbed(field)) continue
    yield readList({ sort: field.name })
    if (!field.sensitive) continue
    const [mark] = marks.filter((each) => each.entity === entity.name && each.field === field.name)
    const value = mark?.texts[0] ?? '1'
    for (const operator of ['equals', 'contains', 'empty'])
      yield readList({ filters: { [field.name]: { [operator]: operator === 'empty' ? false : value } } })
    yield readList({ sums: [field.name] })
    const equal = { [field.name]: { equals: value } }
    yield readList({ tab: equal })
    yield readList({ counts: [equal] })
    yield readList({ counted: equal })
    if (operations.has(`GET ${entity.endpoint}/export`))
      for (const query of [{ filters: equal }, { tab: equal }, { sort: field.name }])
        yield {
          at: `GET ${entity.endpoint}/export ${JSON.stringify(query)}`,
          answer: await client.get(`${entity.endpoint}/export`, query),
        }
    // Any other text might be found in a field that is not masked.
    if (mark && entity.search.includes(field.name)) yield readList({ search: value })
  }
}

/** Answers of calls that are carried out in the background, on an existing and on a missing record. */
export async function* following(
  server: TestServer,
  client: Client,
  entity: Entity,
  planted: Planted,
): AsyncGenerator<AnswerText> {
  const id = planted.ids.get(entity.name)
  if (id === undefined) return
  const calls = [
    ...Object.keys(entity.actions),
    ...entity.states.flatMap(({ transitions }) => Object.keys(transitions)),
  ]
  for (const name of calls) {
    const path = `${entity.endpoint}/${name}`
    if (!server.runtime.derived.operations.has(`POST ${path}`)) continue
    const answer = await client.post(path, { ids: [id, 987_654_321], values: {} }, { prefer: 'respond-async' })
    yield { at: `POST ${path}, followed`, text: JSON.stringify(answer) }
    const job = answer.result?.job
    if (job) yield { at: `GET /jobs of ${path}`, text: JSON.stringify(await client.get(`/jobs/${job.id}`)) }
  }
}

/** Answers of writing: conflicts, problems, refusals, suggestions. */
export async function* writing(
  server: TestServer,
  client: Client,
  entity: Entity,
  planted: Planted,
): AsyncGenerator<AnswerText> {
  const { operations } = server.runtime.derived
  const id = planted.ids.get(entity.name)
  const record = planted.records.get(entity.name)
  if (id === undefined || !record) return
  const send = async (operation: string, body: object): Promise<AnswerText> => {
    const answer = await client.post(`${entity.endpoint}/${operation}`, body)
    return {
      at: `POST ${entity.endpoint}/${operation} ${JSON.stringify(body).slice(0, 200)}`,
      text: JSON.stringify(answer),
    }
  }
  const plain = Object.fromEntries(
    Object.entries(record).filter(([name]) => name !== 'id' && !entity.fields[name].sensitive),
  )
  const touched = Object.fromEntries(columnsOf(server, entity).map(({ name }) => [name, name === 'id' ? id : '1']))
  for (const [method, operation] of [...operations.keys()].flatMap((key) => {
    const [verb, path] = key.split(' ')
    return path.startsWith(`${entity.endpoint}/`) ? [[verb, path.slice(entity.endpoint.length + 1)] as const] : []
  })) {
    if (method !== 'POST' || operation === 'delete') continue
    if (operation === 'create') yield send('create', { values: plain })
    else if (operation === 'update') {
      yield send('update', { id, revision: 0, values: touched })
      yield send('update', { id, revision: 1, values: {} })
    } else if (operation === 'suggest') yield send('suggest', { values: plain, typed: [], parameters: {} })
    else yield send(operation, { id, values: {} })
  }
}
