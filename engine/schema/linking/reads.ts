import { offerField } from '../issues/issue.ts'
import type { Report } from '../issues/report.ts'
import type { ExpandedFile, Names } from '../named.ts'

/**
 * Entity → the fields that the engine itself reads, for sign-in and permissions, with the expression type of their
 * values. An entity that is not required may be missing altogether.
 */
export type EngineReads = Readonly<Record<string, { fields: Readonly<Record<string, string>>; required: boolean }>>

/** Checks that the files declare them. */
export function checkReads(reads: EngineReads, names: Names, files: readonly ExpandedFile[], report: Report): void {
  const app = files.find(({ source }) => source.kind === 'app')
  for (const [name, { fields, required }] of Object.entries(reads)) {
    const entity = names.entities[name]
    if (entity?.source.broken) continue
    if (entity) {
      for (const [found, wanted] of Object.entries(fields)) {
        const field = names.field(name, found)
        const is = field && names.widgets[field.type].expression
        if (!field) report(entity.source, '', 'engine-field', { ...offerField(found, entity.fields), entity: name })
        else if (is !== wanted)
          report(entity.source, `/fields/${found}/type`, 'engine-type', {
            entity: name,
            found,
            type: field.type,
            is,
            wanted,
          })
      }
    } else if (required && app && !app.source.broken) {
      report(app.source, '', 'engine-entity', { found: name, fields: Object.keys(fields).join(', ') })
    }
  }
}
