/** What lists, roles and import batches in the database name that the files no longer declare. */
import { sql } from 'kysely'
import { grants, type Catalog, type ImportPlan, type Value } from '../../model/model.ts'
import { roleEntity } from '../identity/identity.ts'
import { jobTable } from '../imports/importTables.ts'
import { main } from '../records/reading/columnOf.ts'
import { readStored } from '../records/reading/read.ts'
import type { Context } from '../runtime.ts'
import type { DataDifference } from './DataDifference.ts'

/** Users' own settings for columns of lists (`list:<screen>`) and pages on boards (`links:<screen>`). */
export async function views(
  { derived: { catalog: before }, runtime }: Context,
  after: Catalog,
): Promise<DataDifference[]> {
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
    const [screen, text] = key.split('\n')
    return { kind: 'view', of: screen, count: number, text: `views that users have arranged: ${text}` }
  })
}

const columnsOf = ({ screens }: Catalog, name: string): string[] =>
  ((screens[name].body as { columns?: { field: string }[] }).columns ?? []).map(({ field }) => field)

/** Patterns of roles, including those that administrators created, that grant something now but nothing afterwards. */
export async function roles(context: Context, after: Catalog): Promise<DataDifference[]> {
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
export async function imports({ derived, runtime }: Context, after: Catalog): Promise<DataDifference[]> {
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
