/** A file for every import, with a unique mark in each sensitive cell. */
import type { Entity, Field, ImportPlan, RecordData } from '../../engine/model/model.ts'
import { createImportWorker } from '../../engine/server/imports/importWorker.ts'
import { createContext } from '../../engine/server/identity/session.ts'
import { userById } from '../../engine/server/identity/session.ts'
import { differentEntities } from '../alike.ts'
import { upload } from '../customer.ts'
import { workbook } from '../importing.ts'
import type { TestServer } from '../server.ts'
import { insert, marked, type Planted } from './plant.ts'

export interface Imported {
  plan: ImportPlan
  id: number
  /** The marks of its cells. */
  texts: string[]
}

type Cells = Record<string, string>

export async function importMarked(server: TestServer, planted: Planted, operator: number): Promise<Imported[]> {
  const imported: Imported[] = []
  const names = new Set(differentEntities(server.runtime.derived.catalog).map(({ name }) => name))
  const plans = [...server.runtime.derived.imports.values()].filter(({ batches }) => names.has(batches))
  for (const [index, plan] of plans.entries()) {
    const { rows, texts } = cellsOf(server, plan, planted)
    const id = await beginImport(server, plan, { index, planted, operator, file: await workbook(plan, rows) })
    imported.push({ plan, id, texts })
    await readImports(server)
  }
  return imported
}

interface ImportBegun {
  index: number
  /** Its records give what the upload prompts for. */
  planted: Planted
  operator: number
  file: Uint8Array
}

/**
 * Begins a batch with this file, as if it had been uploaded.
 * @returns its id
 */
export async function beginImport(
  server: TestServer,
  plan: ImportPlan,
  { index, planted, operator, file }: ImportBegun,
): Promise<number> {
  const { runtime } = server
  const user = (await userById(runtime, runtime.database.kysely, operator))!
  const context = createContext(runtime, user, 'cn')
  const { result } = await upload(server, server.admin, '表.xlsx', Buffer.from(file))
  const id = 5_000_000 + index
  const batches = runtime.derived.catalog.entities[plan.batches]
  const given = Object.fromEntries(
    plan.given.flatMap(({ field, kept }) => {
      const value = planted.records.get(plan.into)?.[field]
      return value === undefined ? [] : [[kept, value]]
    }),
  )
  const record: RecordData = {
    id,
    batchNo: `DR${index}`,
    fileName: '表.xlsx',
    file: [{ ...result, status: 'success' }],
    status: 'processing',
    operator,
    createdBy: operator,
    startedAt: context.now,
    ...Object.fromEntries(['total', 'create', 'update', 'success', 'skip', 'fail'].map((name) => [`${name}Count`, 0])),
    ...given,
  }
  if (batches.fields.updateExisting) record.updateExisting = true
  await insert(server, batches, record)
  await runtime.database.kysely.transaction().execute((db) => runtime.created(context, db, plan.batches, id))
  return id
}

/** Reads and checks all imports. */
export async function readImports({ runtime }: TestServer): Promise<void> {
  const working = createImportWorker(runtime, {
    log: (error) => {
      throw error
    },
  })
  // Each round moves twenty batches by one step: read, checked, ended.
  for (let round = 0; (await working.round()) > 0; round++)
    if (round > 50) throw new Error('The imports do not come to an end')
}

/** The sensitive field that identifies a record, if there is one. */
const namedBy = ({ code, display, fields }: Entity): Field | undefined =>
  Object.values(fields).find(
    (field) => field.sensitive && (field.unique || field.name === code || field.name === display),
  )

/** Two rows: one with new marks only, one that names the planted record and its references. */
function cellsOf({ runtime: { derived } }: TestServer, plan: ImportPlan, planted: Planted) {
  const into = derived.catalog.entities[plan.into]
  const [unknown, known]: Cells[] = [{}, {}]
  const texts: string[] = []
  for (const { field: name } of plan.columns) {
    const field = into.fields[name]
    const target = derived.target(field)?.entity
    const naming = target && namedBy(target)
    const record = planted.records.get(plan.into)
    if (field.sensitive || naming) {
      const mark = marked(derived.columns[into.name][name] ?? 'text')
      unknown[name] = mark
      texts.push(mark)
      const there = naming
        ? planted.marks.find((each) => each.entity === target.name && each.field === naming.name)
        : planted.marks.find((each) => each.entity === into.name && each.field === name)
      known[name] = there?.texts[0] ?? mark
    } else {
      const value = record?.[name]
      unknown[name] = plan.key.includes(name) ? `K${name}` : 'X'
      known[name] = typeof value === 'string' ? value : 'X'
    }
  }
  return { rows: [unknown, known], texts }
}
