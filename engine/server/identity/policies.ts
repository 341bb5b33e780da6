import { sql } from 'kysely'
import type { PolicyName } from '../../model/model.ts'
import type { Db, Runtime } from '../runtime.ts'
import { tableOf } from './scope.ts'

/** Defaults until administrators set them. A password never expires. */
const usual: Record<Exclude<PolicyName, 'defaultPassword'>, number> = {
  sessionMinutes: 480,
  signInFailures: 5,
  passwordDays: 0,
  importRows: 200_000,
  exportRows: 200_000,
  pictureMegabytes: 20,
  badgeMaximum: 99,
  logDays: 730,
}

const settingOf = ({ derived: { catalog } }: Runtime, name: PolicyName): string[] | undefined =>
  catalog.app.policies[name]?.split('.')

/** The administrators' settings, as of the last request that found a change. */
export function policy(runtime: Runtime, name: keyof typeof usual): number {
  const [entity, field] = settingOf(runtime, name) ?? []
  return Number(runtime.overlay.settings[entity]?.[field] ?? usual[name])
}

/** A setting that is stored encrypted; undefined if nobody has set it. */
export async function secretPolicy(runtime: Runtime, db: Db, name: 'defaultPassword'): Promise<string | undefined> {
  const [entity, field] = settingOf(runtime, name) ?? []
  if (entity === undefined) return undefined
  const {
    rows: [row],
  } = await sql<{
    value: string | null
  }>`select ${sql.ref(field)} as value from ${tableOf(runtime, runtime.derived.catalog.entities[entity])}
    where "deletedAt" is null`.execute(db)
  return row?.value ? runtime.secrets.decrypt(row.value) : undefined
}
