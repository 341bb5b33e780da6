import { batchEntityOf, givenField, rowEntityOf, type BroughtFile } from '../../model/model.ts'
import { rawColumns, seenWholeWith, labelOr, isData, type Data, type Entities } from './rawColumns.ts'
import { batchEntity } from './batchEntity.ts'
import { rowEntity, shownOf } from './rowEntity.ts'

/**
 * The files that an import screen generates: the entity of its batches, the entity of their rows, and the upload form.
 * @param data the screen's file as it was read, unchecked
 */
export function broughtFiles(name: string, area: string, data: Data, entities: Entities): BroughtFile[] {
  const [batches, rows] = [batchEntityOf(name), rowEntityOf(name)]
  const into = typeof data.into === 'string' ? entities.file(data.into) : undefined
  const columns = rawColumns(data, into, entities)
  const viewSensitive = columns.some(({ sensitive }) => sensitive)
    ? seenWholeWith(String(data.into), columns, entities, area)
    : undefined
  const permissionName = typeof data.permissionName === 'string' ? data.permissionName : batches
  const permission = (word: string) => `${area}:${permissionName}:${word}`
  const title = labelOr(data.title, name)
  const given = givenOf(data, into)
  return [
    {
      kind: 'entity',
      name: batches,
      data: batchEntity({
        batches,
        title,
        permissionName,
        permission,
        given,
        offersUpdate: data.existing === 'choose',
        columns,
        viewSensitive,
      }),
    },
    {
      kind: 'entity',
      name: rows,
      data: rowEntity({
        batches,
        title,
        permission,
        columns,
        key: Array.isArray(data.key) ? data.key : [],
        shows: shownOf(data, into),
        into: data.into,
        writer: into,
        viewSensitive,
      }),
    },
    { kind: 'form', name: batches, data: uploadForm(batches, Object.keys(given), data.existing === 'choose') },
  ]
}

/** The type of a field, without the keys that only make sense in its own entity. */
function kindOf({
  required: _r,
  requiredWhen: _w,
  visibleWhen: _v,
  readOnlyWhen: _o,
  readOnly: _d,
  default: _l,
  defaultFrom: _f,
  unique: _u,
  uniqueWithin: _i,
  computed: _c,
  kept: _k,
  was: _a,
  ...kind
}: Data): Data {
  return kind
}

/** Fields of the batch for values that are given once for the whole file. */
function givenOf(data: Data, into: Data | undefined): Data {
  const fields = isData(into?.fields) ? into.fields : {}
  return Object.fromEntries(
    (Array.isArray(data.given) ? data.given : []).flatMap((written: unknown): [string, Data][] => {
      const column = typeof written === 'string' ? { field: written } : isData(written) ? written : {}
      const field = typeof column.field === 'string' ? fields[column.field] : undefined
      return isData(field)
        ? [
            [
              givenField(String(column.field)),
              {
                ...kindOf(field),
                required: column.required === true,
                ...(isData(column.label) && { label: column.label }),
                ...(typeof column.defaultFrom === 'string' && { defaultFrom: column.defaultFrom }),
              },
            ],
          ]
        : []
    }),
  )
}

const uploadForm = (batches: string, given: readonly string[], offersUpdate: boolean): Data => ({
  title: { cn: '导入', en: 'Import' },
  entity: batches,
  mode: 'create',
  submit: { cn: '开始导入', en: 'Start the import' },
  saved: { cn: '文件已上传，正在检查', en: 'The file is uploaded and is being checked' },
  sections: [
    {
      fields: [...given, 'file', ...(offersUpdate ? ['updateExisting'] : []), 'remark'].map((field) => ({
        field,
        span: 24,
      })),
    },
  ],
})
