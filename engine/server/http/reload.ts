import type { FastifyInstance } from 'fastify'
import { isSameJson } from '../../schema/isSameJson.ts'
import type { Catalog } from '../../model/model.ts'
import { demand } from '../identity/access.ts'
import { derive, type Derived } from '../derived.ts'
import { answer } from './envelope.ts'
import { Refusal } from '../errors.ts'
import { applyAdministered } from '../catalog/administered.ts'
import { putInForce, refuseBehind } from '../generation.ts'
import { goBy } from '../catalog/overlay.ts'
import { applyFormulas, formulaColumns } from '../catalog/applyFormulas.ts'
import { applyPresets } from '../catalog/presets.ts'
import type { Runtime } from '../runtime.ts'
import { catalogHeader } from '../identity/session.ts'
import { LossyChangesError } from '../postgres/tables.ts'
import { takeAsLongAsItTakes } from '../postgres/allowance.ts'

/** Reads and compiles the schema files; `catalog` is present if they have no issues. */
export type CompileSchemas = () => { catalog?: Catalog; issues: object[] }

/** The parts of a catalog that the database depends on. */
const stored = {
  tables: ({ catalog }: Derived) => catalog.tables,
  presets: ({ catalog }: Derived) => catalog.presets,
  formulas: formulaColumns,
}

/** The dictionaries of files that are in force, although what follows them failed: what is stored may not follow. */
const unfinished = new WeakSet<Derived['declared']>()

/**
 * Swaps in the current schema files. Broken files, or changes that would lose data, change nothing. The database is
 * only involved in changes that affect it: a label, a column of a list or a condition applies immediately. @returns the
 * issues.
 */
export async function reloadSchemas(runtime: Runtime, compile: CompileSchemas): Promise<object[]> {
  const { catalog, issues } = compile()
  const { database, derived: former } = runtime
  const isComplete = !unfinished.has(former.declared)
  if (!catalog || (catalog.hash === former.catalog.hash && isComplete)) return issues
  const next = derive(catalog, runtime.widgets)
  const differs = (part: keyof typeof stored) => !isComplete || !isSameJson(stored[part](next), stored[part](former))
  const tables = differs('tables')
  const { generation: from } = former
  next.generation = await putInForce({ database, catalog, from, adapted: former.catalog.tables }).catch(refuseBehind)
  goBy(runtime, next)
  try {
    if (differs('presets')) await applyPresets(runtime)
    await applyAdministered(runtime, isComplete ? former : undefined)
    if (differs('formulas')) await applyFormulas(runtime)
    unfinished.delete(next.declared)
  } catch (error) {
    // Changed tables are not changed back, because renamed columns would be added again, empty.
    if (tables) unfinished.add(next.declared)
    else
      await takeBack(runtime, former, next).catch((again: unknown) => {
        for (const { declared } of [former, next]) unfinished.add(declared)
        const text = `${textOf(error)}. Taking the files back failed too: ${textOf(again)}`
        // Passed as the cause, so that an outage is still recognised.
        throw new AggregateError([error, again], text, { cause: again })
      })
    throw error
  }
  return []
}

async function takeBack(runtime: Runtime, former: Derived, refused: Derived): Promise<void> {
  const generation = await putInForce({
    database: runtime.database,
    catalog: former.catalog,
    from: refused.generation,
    adapted: refused.catalog.tables,
  })
  goBy(runtime, { ...former, generation })
  // Records already synchronised with the refused files would not differ from the next files, and would stay wrong.
  await applyAdministered(runtime, refused)
}

const textOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

export function reloadRoute(api: FastifyInstance, runtime: Runtime, compile: CompileSchemas): void {
  api.post('/schemas/reload', async ({ context }, reply) => {
    demand(context.user, 'setting:schema:reload')
    takeAsLongAsItTakes()
    try {
      const issues = await reloadSchemas(runtime, compile)
      if (issues.length > 0) throw new Refusal('brokenSchemas', { result: { issues } })
    } catch (error) {
      if (error instanceof LossyChangesError)
        throw new Refusal('brokenSchemas', {
          text: { cn: error.message, en: error.message },
          result: { issues: [], lossy: error.changes },
        })
      throw error
    }
    const { hash } = runtime.derived.catalog
    reply.header(catalogHeader, hash)
    return answer({ hash, issues: [] })
  })
}
