import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { differs, renamesOf, words, type Renames } from '../schema/tools/difference.ts'
import {
  grants,
  type Catalog,
  type Dictionary,
  type Entity,
  type ImportPlan,
  type RecordData,
  type Value,
  type Widget,
} from '../model/model.ts'
import { checkRecord } from '../expression/verdict.ts'
import type { VerdictContext } from '../expression/VerdictContext.ts'
import { systemUser } from './identity/access.ts'
import type { Clock } from './clock.ts'
import type { Database } from './postgres/database.ts'
import { derive } from './derived.ts'
import { roleEntity } from './identity/identity.ts'
import { jobTable } from './imports/importTables.ts'
import { emptyOverlay, refreshOverlay } from './catalog/overlay.ts'
import { main, readStored } from './records/reading/read.ts'
import type { Context, Runtime } from './runtime.ts'
import { usualSafety } from './safety.ts'
import { createSecrets } from './postgres/secrets.ts'
import { createContext } from './identity/session.ts'
import { createUploadedFiles } from './files/UploadedFiles.ts'
import { folderFiles } from './files/folderFiles.ts'
import { canonicalRecord } from './records/reading/canonical.ts'
import { planChanges } from './postgres/tables.ts'

/** How a change affects the data in the database. */
export interface DataDifference {
  kind: 'invalid' | 'lossy' | 'view' | 'role' | 'import'
  /** The entity, screen or role. */
  of: string
  /** Records, users or batches. */
  count: number
  text: string
}

export interface DataDiffOptions {
  database: Database
  before: Catalog
  after: Catalog
  widgets: Record<string, Widget>
  clock: Clock
  dataDir: string
}

/** Records checked at a time. */
const step = 500

/**
 * Read-only. Counts the records that are valid by the old files but not by the new ones, the tables whose changes would
 * lose values, and the stored columns of lists, roles and import batches that name something removed.
 * @throws with a sentence if the tables match neither set of files.
 */
export async function diffData({
  database,
  before,
  after,
  widgets,
  clock,
  dataDir,
}: DataDiffOptions): Promise<DataDifference[]> {
  const missing = await missingTables(database, before)
  if (missing.length)
    throw new Error(
      `The database is not that of the files before: it lacks ${missing.slice(0, 5).join(', ')}. Start them on it once, or name the version that runs on it.`,
    )
  const runtime = await readingRuntime({ database, before, widgets, clock, dataDir })
  const context = createContext(runtime, systemUser)
  const { lossy } = await planChanges(database, after.tables)
  return [
    ...(await invalidRecords(context, after)),
    ...lossy.map(({ table, column, why, rows }): DataDifference => ({
      kind: 'lossy',
      of: table,
      count: rows,
      text: `${column}: ${why}`,
    })),
    ...(await views(context, after)),
    ...(await roles(context, after)),
    ...(await imports(context, after)),
  ]
}

async function missingTables(database: Database, { tables }: Catalog): Promise<string[]> {
  const { rows } = await sql<{ table: string; column: string }>`select table_name as "table", column_name as "column"
    from information_schema.columns where table_schema = 'public'`.execute(database.kysely)
  const there = new Set(rows.flatMap(({ table, column }) => [table, `${table}.${column}`]))
  return Object.values(tables)
    .flatMap(({ name, columns }) => (there.has(name) ? columns.map((column) => `${name}.${column.name}`) : [name]))
    .filter((name) => !there.has(name))
}

/**
 * The parts of a server that reading needs. Nothing is written, encrypted or decrypted here, so the key need not be the
 * server's.
 */
async function readingRuntime({
  database,
  before,
  widgets,
  clock,
  dataDir,
}: Omit<DataDiffOptions, 'after'>): Promise<Runtime> {
  const runtime: Runtime = {
    derived: derive(before, widgets),
    overlay: emptyOverlay,
    widgets,
    database,
    clock,
    procedures: {},
    documents: [],
    collation: null,
    storage: createUploadedFiles(folderFiles(dataDir)),
    secrets: createSecrets(randomBytes(32)),
    safety: usualSafety,
    created: async () => undefined,
    workers: new Set(),
    wakeWorkers: () => undefined,
    refresh: (found) => refreshOverlay(runtime, found),
    follow: () => undefined,
  }
  await refreshOverlay(runtime)
  return runtime
}

async function invalidRecords(context: Context, after: Catalog): Promise<DataDifference[]> {
  const { catalog: before } = context.derived
  const renames = renamesOf(before, after)
  const dictionaries = withAdded(context.derived.catalog.dictionaries, after.dictionaries)
  const found: DataDifference[] = []
  for (const former of Object.values(before.entities)) {
    const now = Object.hasOwn(after.entities, former.name) ? after.entities[former.name] : undefined
    if (!now || former.engine || former.rowOf || !isJudgedOtherwise(former, now, before, after)) continue
    const counts = new Map<string, number>()
    let invalid = 0
    for (let last = 0; ;) {
      const records = await readStored(
        context,
        context.runtime.database.kysely,
        former,
        [sql<boolean>`${sql.ref(`${main}.id`)} > ${last}`, sql<boolean>`${sql.ref(`${main}.deletedAt`)} is null`],
        { order: sql.ref(`${main}.id`), limit: step, rows: true },
      )
      for (const record of records) {
        const was = new Set(
          problemsOf(
            former,
            canonicalRecord(context, former, record),
            contextOf(context, before, context.derived.catalog.dictionaries),
          ),
        )
        const fresh = problemsOf(
          now,
          renamedRecord(former, canonicalRecord(context, former, record), context, renames),
          contextOf(context, after, dictionaries),
        ).filter((problem) => !was.has(problem))
        if (!fresh.length) continue
        invalid++
        for (const problem of new Set(fresh)) counts.set(problem, (counts.get(problem) ?? 0) + 1)
      }
      if (records.length < step) break
      last = records.at(-1)!.id!
    }
    const [most] = [...counts].sort((a, b) => b[1] - a[1])
    if (most)
      found.push({
        kind: 'invalid',
        of: former.name,
        count: invalid,
        text: `${words(now.label)}: could no longer be saved as they are; most often: ${most[0]} (${most[1]})`,
      })
  }
  return found
}

/** Whether the files validate its records differently, or those of its rows. */
function isJudgedOtherwise(former: Entity, now: Entity, before: Catalog, after: Catalog): boolean {
  const judged = ({ fields, rules }: Entity) => ({
    fields: Object.values(fields).map(({ label: _label, hint: _hint, ...field }) => field),
    rules,
  })
  const used = (entity: Entity) =>
    Object.values(entity.fields).flatMap(({ options }) =>
      Object.values(options).filter((value): value is string => typeof value === 'string'),
    )
  const rows = (entity: Entity, { entities }: Catalog) =>
    Object.values(entities).filter(({ rowOf }) => rowOf?.entity === entity.name)
  const choices = (name: string, { dictionaries }: Catalog) =>
    Object.hasOwn(dictionaries, name) ? dictionaries[name].choices.map(({ value }) => value) : []
  return (
    differs(judged(former), judged(now)) ||
    used(former).some((name) => differs(choices(name, before), choices(name, after))) ||
    rows(former, before).some(
      (row) =>
        Object.hasOwn(after.entities, row.name) && isJudgedOtherwise(row, after.entities[row.name], before, after),
    )
  )
}

/** Keeps values that administrators have added to a dictionary that may still grow. */
function withAdded(
  overlaid: Readonly<Record<string, Dictionary>>,
  declared: Readonly<Record<string, Dictionary>>,
): Record<string, Dictionary> {
  return Object.fromEntries(
    Object.entries(declared).map(([name, dictionary]) => {
      const own = dictionary.choices.map(({ value }) => value)
      const added =
        dictionary.mayGrow && Object.hasOwn(overlaid, name)
          ? overlaid[name].choices.filter(({ value }) => !own.includes(value))
          : []
      return [name, { ...dictionary, choices: [...dictionary.choices, ...added] }]
    }),
  )
}

const contextOf = (
  { runtime, settings, now, user }: Context,
  { entities }: Catalog,
  dictionaries: Readonly<Record<string, Dictionary>>,
): VerdictContext => ({
  widgets: runtime.widgets,
  entities,
  dictionary: (name) => dictionaries[name] ?? { name, label: {}, choices: [], mayGrow: false },
  now: () => now,
  user,
  settings,
})

/** `name: problem`, each once; system fields are checked too, because no user could correct them. */
function problemsOf(entity: Entity, record: RecordData, context: VerdictContext): string[] {
  const told = (field: string, message: Readonly<Record<string, string>>) =>
    `${field.replace(/\.\d+\./g, '.')}: ${words(message)}`
  const ownProblems = checkRecord(entity, record, {
    ...context,
    old: withoutSensitive(entity, record, context),
    changed: [],
  }).map(({ field, message }) => told(field, message))
  const kept = Object.values(entity.fields).filter(
    ({ readOnly, computed, type }) =>
      readOnly && !computed && !context.widgets[type].protect && !context.widgets[type].target?.({})?.rows,
  )
  return [
    ...ownProblems,
    ...kept.flatMap((field) => {
      const widget = context.widgets[field.type]
      const value: Value = widget.normalize(record[field.name] ?? null, field.options)
      const problem =
        value === null
          ? undefined
          : widget.check(value, field.options, { label: field.label, dictionary: context.dictionary, now: context.now })
      return problem ? [told(field.name, problem.message)] : []
    }),
  ]
}

/**
 * The record before a save that changes nothing, without its masked values, which therefore count as unchanged and are
 * not validated.
 */
function withoutSensitive(entity: Entity, record: RecordData, context: VerdictContext): RecordData {
  return Object.fromEntries(
    Object.entries(record).flatMap(([name, value]): [string, Value | undefined][] => {
      const field = Object.hasOwn(entity.fields, name) ? entity.fields[name] : undefined
      const widget = field && context.widgets[field.type]
      if (field?.sensitive && !widget?.protect) return []
      const target = field && widget?.target?.(field.options)
      const rows = target?.rows && context.entities[target.entity]
      return [
        [
          name,
          rows && Array.isArray(value)
            ? value.map((row) => withoutSensitive(rows as Entity, row as RecordData, context) as Value)
            : value,
        ],
      ]
    }),
  )
}

/** The record with its fields, and those of its rows, under their current names. */
function renamedRecord(entity: Entity, record: RecordData, context: Context, renames: Renames): RecordData {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => {
      const target = Object.hasOwn(entity.fields, name) ? context.derived.target(entity.fields[name]) : undefined
      const rows =
        target?.rows && Array.isArray(value)
          ? value.map((row) => renamedRecord(target.entity, row as RecordData, context, renames) as Value)
          : value
      return [renames[entity.name]?.[name] ?? name, rows]
    }),
  )
}

/** Users' own settings for columns of lists (`list:<screen>`) and pages on boards (`links:<screen>`). */
async function views({ derived: { catalog: before }, runtime }: Context, after: Catalog): Promise<DataDifference[]> {
  const { rows } = await sql<{ key: string; value: { columns?: { field?: unknown }[]; routes?: unknown[] } | null }>`
    select key, value from system_preference where key like 'list:%' or key like 'links:%'`.execute(
    runtime.database.kysely,
  )
  const routesOf = ({ screens }: Catalog) =>
    new Set<unknown>(Object.values(screens).flatMap(({ route }) => route ?? []))
  const [known, left] = [routesOf(before), routesOf(after)]
  const counts = new Map<string, number>()
  const count = (key: string) => counts.set(key, (counts.get(key) ?? 0) + 1)
  for (const { key, value } of rows) {
    const screen = key.slice(key.indexOf(':') + 1)
    if (!Object.hasOwn(before.screens, screen)) continue
    if (!Object.hasOwn(after.screens, screen)) count(`${screen}\nthe screen goes`)
    else {
      for (const route of Array.isArray(value?.routes) ? value.routes : [])
        if (known.has(route) && !left.has(route)) count(`${screen}\nthe page ${String(route)} goes`)
      const shown = columnsOf(after, screen)
      const were = columnsOf(before, screen)
      const chosen = Array.isArray(value?.columns) ? value.columns.map(({ field }) => String(field)) : []
      for (const field of chosen)
        if (were.includes(field) && !shown.includes(field)) count(`${screen}\nthe column ${field} goes`)
    }
  }
  return [...counts].map(([key, number]) => {
    const [of, text] = key.split('\n')
    return { kind: 'view', of, count: number, text: `views that users have arranged: ${text}` }
  })
}

const columnsOf = ({ screens }: Catalog, name: string): string[] =>
  ((screens[name].body as { columns?: { field: string }[] }).columns ?? []).map(({ field }) => field)

/** Patterns of roles, including those that administrators created, that grant something now but nothing afterwards. */
async function roles(context: Context, after: Catalog): Promise<DataDifference[]> {
  const { catalog: before } = context.derived
  if (!Object.hasOwn(before.entities, roleEntity)) return []
  const entity = before.entities[roleEntity]
  const fields = Object.values(entity.fields).filter((field) =>
    context.derived.widget(field).permissions?.(field.options),
  )
  const records = await readStored(context, context.runtime.database.kysely, entity, [
    sql<boolean>`${sql.ref(`${main}.deletedAt`)} is null`,
  ])
  const grantsAny = (pattern: string, { permissions }: Catalog) =>
    permissions.some(({ value }) => grants(pattern, value))
  return records.flatMap((record): DataDifference[] => {
    const gone = fields
      .flatMap(({ name }) => ([record[name] ?? []] as Value[]).flat())
      .map(String)
      .filter((pattern) => grantsAny(pattern, before) && !grantsAny(pattern, after))
    const name = String(record[entity.display])
    return gone.length
      ? [{ kind: 'role', of: name, count: gone.length, text: `the role grants what goes: ${gone.join(', ')}` }]
      : []
  })
}

/** Import batches that are removed, or whose file has a removed column; pending ones could not be finished. */
async function imports({ derived, runtime }: Context, after: Catalog): Promise<DataDifference[]> {
  const plans = ({ screens }: Catalog) =>
    Object.values(screens).flatMap(({ body }) => (body as { import?: ImportPlan }).import ?? [])
  const now = new Map(plans(after).map((plan) => [plan.batches, plan]))
  const found: DataDifference[] = []
  for (const plan of plans(derived.catalog)) {
    const next = now.get(plan.batches)
    const gone = plan.columns
      .map(({ field }) => field)
      .filter((field) => !next?.columns.some((column) => column.field === field))
    if (next && !gone.length) continue
    const {
      rows: [{ all, waiting }],
    } = await sql<{ all: number; waiting: number }>`
      select count(*) as "all", count(*) filter (where phase <> 'done') as waiting from ${sql.ref(jobTable)} where entity = ${plan.batches}`.execute(
      runtime.database.kysely,
    )
    if (Number(all))
      found.push({
        kind: 'import',
        of: plan.batches,
        count: Number(all),
        text: `import batches name ${next ? `columns that go: ${gone.join(', ')}` : 'an import that goes'}; still waiting: ${Number(waiting)}`,
      })
  }
  return found
}
