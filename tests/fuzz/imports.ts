import type { Derived } from '../../engine/server/derived.ts'
import { allExamples } from '../contract/widgets.ts'
import { workbook } from '../importing.ts'
import type { FuzzedRequest } from './FuzzedRequest.ts'
import type { Random } from './random.ts'
import { anyText, anyValues, goodValues } from './values.ts'

type Ask = (request: FuzzedRequest) => Promise<{ json(): unknown }>

/** A file of some rows for a random import: it is uploaded, checked in the background, and mostly written. */
export async function fuzzImport(random: Random, derived: Derived, ask: Ask): Promise<void> {
  const { catalog } = derived
  const plan = random.pick([...derived.imports.values()])
  const into = catalog.entities[plan.into]
  const isFair = random.chance(0.7)
  const cell = (field: string): string | number | null => {
    const good = allExamples[into.fields[field]?.type]?.cells ?? []
    if (good.length === 0 || random.chance(isFair ? 0.1 : 0.5)) return random.chance(0.2) ? null : anyText(random)
    const { cell: given } = random.pick(good)
    return typeof given === 'number' || typeof given === 'string' ? given : String(given)
  }
  const rows = Array.from({ length: 1 + random.below(5) }, () =>
    Object.fromEntries(plan.columns.map(({ field }) => [field, cell(field)])),
  )
  const file = await ask(sentFile(Buffer.from(await workbook(plan, rows))))
  const { result } = file.json() as { result?: object }
  const entity = catalog.entities[plan.batches]
  const needed = Object.values(entity.fields).filter(({ required, readOnly }) => required && !readOnly)
  const asked = { catalog, entity, needed }
  const given = random.chance(0.9) ? goodValues(random, asked) : anyValues(random, asked)
  const values = { ...given, file: [{ ...result, status: 'success' }] }
  const made = await ask(call(random, `${entity.endpoint}/create`, { values }))
  const { id } = (made.json() as { result?: { id?: number } | null }).result ?? {}
  if (id === undefined) return
  for (const name of ['write', 'undo'])
    if (Object.hasOwn(entity.actions, name) || random.chance(0.7))
      await ask(call(random, `${entity.endpoint}/${name}`, { id }))
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
