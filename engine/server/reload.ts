import type { FastifyInstance } from 'fastify'
import type { Catalog } from '../schema/model.ts'
import { demand } from './access.ts'
import { derive } from './derived.ts'
import { answer } from './envelope.ts'
import { Refusal } from './errors.ts'
import { applyAdministered } from './administered.ts'
import { applyPresets } from './presets.ts'
import type { Runtime } from './runtime.ts'
import { LossyChangesError, applyTables } from './tables.ts'

/** Reads and compiles the schema files; `catalog` is there where nothing is wrong with them. */
export type CompileSchemas = () => { catalog?: Catalog; issues: object[] }

/** Swaps in what the files say now. Broken files, or changes that would lose data, change nothing. @returns the issues. */
export async function reloadSchemas(runtime: Runtime, compile: CompileSchemas): Promise<object[]> {
  const { catalog, issues } = compile()
  if (!catalog || catalog.hash === runtime.derived.catalog.hash) return issues
  await applyTables(runtime.database, catalog.tables)
  const former = runtime.derived
  runtime.derived = derive(catalog, runtime.widgets)
  try {
    await applyPresets(runtime)
    await applyAdministered(runtime)
  } catch (error) {
    runtime.derived = former
    throw error
  }
  return []
}

export function reloadRoute(api: FastifyInstance, runtime: Runtime, compile: CompileSchemas): void {
  api.post('/schemas/reload', async ({ context }) => {
    demand(context.user, 'setting:schema:reload')
    try {
      const issues = await reloadSchemas(runtime, compile)
      if (issues.length > 0) throw new Refusal('brokenSchemas', { result: { issues } })
    } catch (error) {
      if (error instanceof LossyChangesError) throw new Refusal('brokenSchemas', { text: { cn: error.message, en: error.message }, result: { issues: [], lossy: error.changes } })
      throw error
    }
    return answer({ hash: runtime.derived.catalog.hash, issues: [] })
  })
}
