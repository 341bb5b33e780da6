import type { NamedEntity, Names } from './names.ts'
import { below } from './pointer.ts'
import type { Report } from './report.ts'
import type { SourceFile } from './read.ts'
import { isObject, type JsonObject } from './walk.ts'

const kinds = ['files', 'sheets', 'run', 'template']

/** A download is the files of a field, what a procedure makes, a workbook of what sheets can hold, whose rows are of the records, or the template of an import into them. */
export function checkDownloads({ name, value, source }: NamedEntity, names: Names, report: Report): void {
  for (const [key, download] of Object.entries(isObject(value.downloads) ? value.downloads : {})) {
    if (!isObject(download)) continue
    const at = below('/downloads', key)
    if (kinds.filter((kind) => kind in download).length !== 1) report(source, at, 'not-one', { keys: kinds.join(', ') }, { key: true })
    const files = names.field(name, String(download.files))
    if (files && names.widgets[files.type] && !names.widgets[files.type].files) report(source, below(at, 'files'), 'no-files', { entity: name, found: files.name })
    if (typeof download.template === 'string') checkFilled(name, download, at, source, names, report)
    for (const [index, sheet] of (Array.isArray(download.sheets) ? download.sheets : []).entries()) {
      if (!isObject(sheet)) continue
      const place = below(below(at, 'sheets'), String(index))
      const of = typeof sheet.entity === 'string' ? sheet.entity : name
      const by = names.field(of, String(sheet.by))
      if (of !== name && sheet.by === undefined) report(source, place, 'missing-key', { found: 'by' })
      if (by && !names.refersTo(by, name)) report(source, below(place, 'by'), 'not-a-reference', { entity: of, found: by.name, target: name })
      for (const [column, written] of (Array.isArray(sheet.columns) ? sheet.columns : []).entries()) {
        const field = names.field(of, String(isObject(written) ? written.field : written))
        if (field && names.widgets[field.type] && !names.widgets[field.type].sheet) report(source, below(below(place, 'columns'), String(column)), 'no-sheet', { entity: of, found: field.name })
      }
    }
  }
}

/** The import writes these records, and has the columns that are filled. */
function checkFilled(name: string, download: JsonObject, at: string, source: SourceFile, names: Names, report: Report): void {
  const screen = names.screens[String(download.template)]
  if (!screen) return
  const { into, columns } = screen.file as unknown as JsonObject
  if (into !== name) report(source, below(at, 'template'), 'not-into', { entity: name, found: String(download.template) })
  const known = (Array.isArray(columns) ? columns : []).map((column: unknown) => isObject(column) ? column.field : column)
  for (const column of Object.keys(isObject(download.fills) ? download.fills : {})) {
    if (into === name && names.field(name, column) && !known.includes(column)) report(source, below(below(at, 'fills'), column), 'unlisted-column', { found: column, allowed: known.map(String) }, { key: true })
  }
}
