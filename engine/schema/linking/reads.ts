import { offerField } from '../issues/issue.ts'
import type { Report } from '../issues/report.ts'
import type { ExpandedFile, Names } from '../named.ts'

/**
 * Entity → the fields that the engine itself reads, for sign-in and permissions. One that is not required may be
 * missing altogether.
 */
export type EngineReads = Readonly<Record<string, { fields: readonly string[]; required: boolean }>>

/** Checks that the files declare them. */
export function checkReads(reads: EngineReads, names: Names, files: readonly ExpandedFile[], report: Report): void {
  const app = files.find(({ source }) => source.kind === 'app')
  for (const [name, { fields, required }] of Object.entries(reads)) {
    const entity = names.entities[name]
    if (entity?.source.broken) continue
    if (entity) {
      for (const field of fields.filter((each) => !names.field(name, each)))
        report(entity.source, '', 'engine-field', { ...offerField(field, entity.fields), entity: name })
    } else if (required && app && !app.source.broken) {
      report(app.source, '', 'engine-entity', { found: name, fields: fields.join(', ') })
    }
  }
}
