import type { ImportColumn } from '../../engine/model/model.ts'
import type { Derived } from '../../engine/server/derived.ts'
import { allExamples } from '../contract/widgets.ts'
import { workbook } from '../importing.ts'
import type { FuzzedRequest } from './FuzzedRequest.ts'
import type { Random } from './random.ts'
import { anyText, anyValues, goodValues } from './values.ts'

interface Sender {
  send(request: FuzzedRequest): Promise<{ json(): unknown }>
  /** Lets what waits in the background be done. */
  settle(): Promise<void>
}

/** A file of some rows for a random import: it is uploaded, checked, and mostly written and undone. */
export async function fuzzImport(random: Random, derived: Derived, { send, settle }: Sender): Promise<void> {
  const { catalog } = derived
  const plan = random.pick([...derived.imports.values()])
  const into = catalog.entities[plan.into]
  const isFair = random.chance(0.7)
  const list = await send({ method: 'GET', url: `/api${into.endpoint}/list?size=5` })
  const records = (list.json() as { result?: { list?: Record<string, unknown>[] } | null }).result?.list ?? []
  const cell = ({ field, sample }: ImportColumn, record: Record<string, unknown>): string | number | null => {
    if (random.chance(isFair ? 0.05 : 0.5)) return random.chance(0.2) ? null : anyText(random)
    const stored = textOf(record[field])
    if (stored !== undefined && random.chance(0.7)) return stored
    const good = allExamples[into.fields[field]?.type]?.cells ?? []
    const given = sample !== undefined && random.chance(0.7) ? sample : random.pick([...good, { cell: sample }]).cell
    return typeof given === 'number' || typeof given === 'string' ? given : String(given ?? '')
  }
  const rows = Array.from({ length: 1 + random.below(5) }, () => {
    const record = records.length === 0 ? {} : random.pick(records)
    return Object.fromEntries(plan.columns.map((column) => [column.field, cell(column, record)]))
  })
  const file = await send(sentFile(Buffer.from(await workbook(plan, rows))))
  const { result } = file.json() as { result?: object }
  const entity = catalog.entities[plan.batches]
  const needed = Object.values(entity.fields).filter(({ required, readOnly }) => required && !readOnly)
  const inputFields = { catalog, entity, needed }
  const given = random.chance(0.9) ? goodValues(random, inputFields) : anyValues(random, inputFields)
  const values = { ...given, file: [{ ...result, status: 'success' }] }
  const made = await send(call(random, `${entity.endpoint}/create`, { values }))
  const { id } = (made.json() as { result?: { id?: number } | null }).result ?? {}
  if (id === undefined) return
  for (const name of ['write', 'undo']) {
    await settle()
    if (random.chance(0.7)) await send(call(random, `${entity.endpoint}/${name}`, { id }))
  }
  await settle()
}

/** What a user would type for a value that was read. */
function textOf(value: unknown): string | undefined {
  if (typeof value !== 'object') return value === undefined ? undefined : String(value)
  const { code, name } = (value ?? {}) as { code?: string; name?: string }
  return code ?? name
}

const call = (random: Random, path: string, body: object): FuzzedRequest => ({
  method: 'POST',
  url: `/api${path}`,
  body: JSON.stringify(body),
  headers: { 'idempotency-key': `import ${random.below(1_000_000_000)}` },
})

function sentFile(content: Buffer): FuzzedRequest {
  const head = 'Content-Disposition: form-data; name="file"; filename="a.xlsx"\r\n\r\n'
  const body = Buffer.concat([Buffer.from(`--fuzz\r\n${head}`), content, Buffer.from('\r\n--fuzz--\r\n')])
  return {
    method: 'POST',
    url: '/api/common/upload',
    body,
    headers: { 'content-type': 'multipart/form-data; boundary=fuzz' },
  }
}
