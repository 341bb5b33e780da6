import type { NamedEntity, Names } from './names.ts'
import { below } from './pointer.ts'
import type { Report } from './report.ts'
import { isObject } from './walk.ts'

/** A download is the files of a field, what a procedure makes, or a workbook of what sheets can hold, whose rows are of the records. */
export function checkDownloads({ name, value, source }: NamedEntity, names: Names, report: Report): void {
  for (const [key, download] of Object.entries(isObject(value.downloads) ? value.downloads : {})) {
    if (!isObject(download)) continue
    const at = below('/downloads', key)
    if (['files', 'sheets', 'run'].filter((one) => one in download).length !== 1) report(source, at, 'not-one', { keys: 'files, sheets, run' }, { key: true })
    const files = names.field(name, String(download.files))
    if (files && names.widgets[files.type] && !names.widgets[files.type].files) report(source, below(at, 'files'), 'no-files', { entity: name, found: files.name })
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
