import { below } from '../../model/pointer.ts'
import type { Report } from '../issues/report.ts'
import {
  boolean,
  entityName,
  fieldName,
  filter,
  label,
  list,
  optional,
  record,
  shape,
  shorthand,
  string,
  type Shape,
} from '../../model/shape.ts'
import { isObject, type JsonObject } from '../walk.ts'
import type { SourceFile } from '../reading/SourceFile.ts'
import type { NamedEntity, Names } from '../named.ts'

const kinds = ['files', 'sheets', 'run', 'template']

/** How an entity's file declares files generated from its records. */
export const downloadsShape = <G>(permissionName: Shape<string>, guards: Shape<G>) =>
  record(
    shape({
      label: label(),
      permission: optional(permissionName),
      guards,
      run: optional(
        string({ names: 'procedure', about: { cn: '由此过程给出文件', en: 'A procedure that creates the file' } }),
      ),
      files: optional(
        fieldName({
          about: {
            cn: '把记录该字段的文件打包下载',
            en: 'The files stored in this field of the records, as one archive',
          },
        }),
      ),
      template: optional(
        string({
          names: 'screen',
          pattern: '^[a-z][A-Za-z0-9]*[.]imports$',
          about: {
            cn: '导入模板，每条记录一行，按 fills 填好',
            en: 'The template of that import with a row for each record, filled in by "fills"',
          },
        }),
      ),
      fills: optional(
        record(fieldName(), {
          keys: 'field',
          about: { cn: '模板的列 → 记录的字段', en: 'Column of the template → field of the record' },
        }),
      ),
      where: optional(filter({ about: { cn: '只含这些记录', en: 'Which records it contains' } })),
      sheets: optional(
        list(
          shape({
            title: optional(label()),
            each: boolean({
              default: false,
              about: { cn: '每条记录一张工作表，以记录名称命名', en: 'One sheet per record, named after the record' },
            }),
            entity: optional(entityName()),
            by: optional(
              fieldName({
                about: { cn: '明细中指向本记录的引用字段', en: 'The reference that links its rows to the record' },
              }),
            ),
            columns: list(shorthand('field', shape({ field: fieldName(), label: optional(label()) })), { minItems: 1 }),
          }),
          {
            minItems: 1,
            about: {
              cn: '工作表；有 entity 时各行是记录的明细',
              en: 'The sheets of a workbook; with "entity", a sheet lists the records that refer to the exported ones',
            },
          },
        ),
      ),
    }),
    {
      default: {},
      about: {
        cn: '由所列或所选记录得到的其他文件',
        en: 'Downloads besides the usual export, made from the listed or selected records',
      },
    },
  )

/**
 * A download is either the files of a field, the output of a procedure, a workbook of exportable fields, or the
 * template of an import into the records.
 */
export function checkDownloads({ name, value, source }: NamedEntity, names: Names, report: Report): void {
  for (const [key, download] of Object.entries(isObject(value.downloads) ? value.downloads : {})) {
    if (!isObject(download)) continue
    const at = below('/downloads', key)
    if (kinds.filter((kind) => kind in download).length !== 1)
      report(source, at, 'not-one', { keys: kinds.join(', ') }, { key: true })
    const files = names.field(name, String(download.files))
    if (files && names.widgets[files.type] && !names.widgets[files.type].files)
      report(source, below(at, 'files'), 'no-files', { entity: name, found: files.name })
    if (typeof download.template === 'string') checkFilled(name, download, at, source, names, report)
    for (const [index, sheet] of (Array.isArray(download.sheets) ? download.sheets : []).entries()) {
      if (!isObject(sheet)) continue
      const place = below(below(at, 'sheets'), String(index))
      const entity = typeof sheet.entity === 'string' ? sheet.entity : name
      const by = names.field(entity, String(sheet.by))
      if (entity !== name && sheet.by === undefined) report(source, place, 'missing-key', { found: 'by' })
      if (by && !names.refersTo(by, name))
        report(source, below(place, 'by'), 'not-a-reference', { entity, found: by.name, target: name })
      for (const [column, written] of (Array.isArray(sheet.columns) ? sheet.columns : []).entries()) {
        const field = names.field(entity, String(isObject(written) ? written.field : written))
        if (field && names.widgets[field.type] && !names.widgets[field.type].sheet)
          report(source, below(below(place, 'columns'), String(column)), 'no-sheet', { entity, found: field.name })
      }
    }
  }
}

/** The import writes these records, and has the columns to fill. */
function checkFilled(
  name: string,
  download: JsonObject,
  at: string,
  source: SourceFile,
  names: Names,
  report: Report,
): void {
  const screen = names.screens[String(download.template)]
  if (!screen) return
  const { into, columns } = screen.file as unknown as JsonObject
  if (into !== name)
    report(source, below(at, 'template'), 'not-into', { entity: name, found: String(download.template) })
  const known = (Array.isArray(columns) ? columns : []).map((column: unknown) =>
    isObject(column) ? column.field : column,
  )
  for (const column of Object.keys(isObject(download.fills) ? download.fills : {})) {
    if (into === name && names.field(name, column) && !known.includes(column))
      report(
        source,
        below(below(at, 'fills'), column),
        'unlisted-column',
        { found: column, allowed: known.map(String) },
        { key: true },
      )
  }
}
