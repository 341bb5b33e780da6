import { textIn } from '../../model/language.ts'
import type { AssembleScope, Entity } from '../../model/model.ts'
import { arranged, findColumn } from './arranged.ts'
import type { ImportsFile } from './importsShape.ts'
import { columnsOf } from './importPlan.ts'

/** A field that a sheet cannot hold is not a column, and fields that identify records are. */
export function checkColumns(file: ImportsFile, scope: AssembleScope): void {
  const { into, key, together, transition } = file
  const { fields } = scope.catalog.entities[into]
  checkArrangement(file, fields, scope)
  const columns = columnsOf(file, scope.catalog.entities[into])
  if (typeof transition === 'object' && !columns.some(({ field }) => field === transition.by)) {
    scope.issue('unlisted-column', '/transition/by', {
      found: transition.by,
      allowed: columns.map(({ field }) => field),
    })
  }
  file.columns.forEach(({ field, sameAs }, index) => {
    if (!scope.widgets[fields[field].type].sheet)
      scope.issue('no-sheet', `/columns/${index}`, { entity: into, found: field })
    if (sameAs !== undefined && !columns.some((other) => other.field === sameAs)) {
      scope.issue('unlisted-column', `/columns/${index}/sameAs`, {
        found: sameAs,
        allowed: columns.map((column) => column.field),
      })
    }
  })
  if (together) {
    const { sum, as } = together
    for (const [word, field] of Object.entries({ sum, as }))
      if (!scope.widgets[fields[field].type].summable)
        scope.issue('not-summable', `/together/${word}`, { entity: into, found: field })
    if (!columns.some(({ field }) => field === as))
      scope.issue('unlisted-column', '/together/as', { found: as, allowed: columns.map(({ field }) => field) })
  }
  key.forEach((field, index) => {
    // A value computed from the row needs no column.
    if (fields[field].computed?.kind !== 'formula' && !columns.some((column) => column.field === field)) {
      scope.issue('unlisted-column', `/key/${index}`, { found: field, allowed: columns.map((column) => column.field) })
    }
  })
}

/** `after` and `without` must name existing columns. */
function checkArrangement({ columns, without }: ImportsFile, fields: Entity['fields'], scope: AssembleScope): void {
  const labelOf = ({ field }: { field: string }) => fields[field].label
  const allowed = columns.map((column) => textIn(column.label ?? labelOf(column), scope.catalog.app.languages[0]))
  const check = (name: string, pointer: string, others: ImportsFile['columns']) => {
    if (!findColumn(others, name, labelOf)) scope.issue('unlisted-column', pointer, { found: name, allowed })
  }
  const left = arranged(columns, without, labelOf)
  columns.forEach((column, index) => {
    if (column.after !== undefined)
      check(
        column.after,
        `/columns/${index}/after`,
        left.filter((other) => other !== column),
      )
  })
  without.forEach((name, index) => check(name, `/without/${index}`, columns))
}
