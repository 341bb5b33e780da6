import { cellField, mostInCell, resultField, type Label } from '../../model/model.ts'
import { composed } from '../../model/language.ts'
import { isData, maskedAs, set, type Data, type RawColumn } from './rawColumns.ts'

/** Fields that look up values of a row's target record. */
export const shownOf = (data: Data, into: Data | undefined): [string, Data][] => {
  const fields = isData(into?.fields) ? into.fields : {}
  return (Array.isArray(data.shows) ? data.shows : []).flatMap((name: unknown): [string, Data][] => {
    const field = typeof name === 'string' ? fields[name] : undefined
    if (!isData(field)) return []
    const { type, choices, entity, label, sensitive } = field
    return [
      [
        resultField(String(name)),
        {
          type,
          ...(choices !== undefined && { choices }),
          ...(entity !== undefined && { entity }),
          ...(sensitive === true && { sensitive }),
          label,
          computed: { from: `target.${String(name)}` },
        },
      ],
    ]
  })
}

const rowsOf: Label = { cn: '{}明细', en: '{} rows' }

/** The entity of the rows of a batch, one field for each cell. */
export function rowEntity({
  batches,
  title,
  permission,
  columns,
  key,
  shows,
  into,
  writer,
  viewSensitive,
}: {
  batches: string
  title: Label
  permission(word: string): string
  columns: RawColumn[]
  key: unknown[]
  shows: [string, Data][]
  into: unknown
  writer: Data | undefined
  viewSensitive: string | undefined
}): Data {
  const cells = columns.map(
    (column) =>
      [
        cellField(column.field),
        { type: 'text', maxLength: mostInCell, ...maskedAs([column]), label: column.label },
      ] as const,
  )
  return {
    label: composed([rowsOf, title], (read) => read(rowsOf).replace('{}', read(title))),
    display: 'rowNo',
    scope: { via: 'batch' },
    fields: {
      batch: set({ cn: '导入批次', en: 'Batch' }, { type: 'reference', entity: batches, required: true }),
      rowNo: set({ cn: '行号', en: 'Row no.' }, { type: 'integer', required: true }),
      rowStatus: set({ cn: '导入结果', en: 'Result' }, { type: 'choice', choices: 'importRowStatus', required: true }),
      rowKey: set(
        { cn: '匹配值', en: 'Matching key' },
        // The key repeats these cells, so it is as sensitive as they are.
        { type: 'text', maxLength: 200, ...maskedAs(columns.filter(({ field }) => key.includes(field))) },
      ),
      ...Object.fromEntries(cells),
      errors: set({ cn: '失败原因', en: 'Reasons' }, { type: 'json', of: 'messages', maxLength: 200_000 }),
      hinted: set({ cn: '有提示', en: 'With hints' }, { type: 'boolean', default: false }),
      ...(typeof into === 'string' && {
        target: set({ cn: '生成数据', en: 'Result record' }, { type: 'reference', entity: into }),
        ...Object.fromEntries(shows),
      }),
      correctedBy: set({ cn: '更正人', en: 'Corrected by' }, { type: 'reference', entity: 'user' }),
      writtenRevision: set({ cn: '写入版本', en: 'Written revision' }, { type: 'integer' }),
    },
    allow: { create: false, update: false, delete: false },
    permissions: {
      view: permission('view'),
      export: permission('export'),
      ...(viewSensitive !== undefined && { viewSensitive }),
    },
    actions: {
      fix: {
        label: { cn: '更正', en: 'Correct' },
        permission: permission('upload'),
        run: 'importFix',
        when: "rowStatus == 'failed'",
        form: cells.map(([name]) => name),
      },
    },
    indexes: [
      ['batch', 'rowNo'],
      ['batch', 'rowStatus', 'rowNo'],
    ],
  }
}
