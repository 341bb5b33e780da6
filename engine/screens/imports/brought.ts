import { batchEntityOf, cellField, givenField, resultField, rowEntityOf } from '../../model/model.ts'
import { composed } from '../../model/language.ts'
import type { BroughtFile, Label } from '../../model/model.ts'
import { arranged, type WrittenColumn } from './arranged.ts'

type Data = Record<string, unknown>
const isData = (value: unknown): value is Data => typeof value === 'object' && value !== null && !Array.isArray(value)
const labelOr = (value: unknown, name: string): Label => (isData(value) ? (value as Label) : { cn: name, en: name })

/** The entity files, and their areas. */
interface Entities {
  file(name: string): Data | undefined
  areaOf(name: string): string | undefined
}

const counts: Record<string, Label> = {
  totalCount: { cn: '总条数', en: 'Total rows' },
  createCount: { cn: '新增条数', en: 'To add' },
  updateCount: { cn: '更新条数', en: 'To update' },
  successCount: { cn: '成功条数', en: 'Succeeded' },
  skipCount: { cn: '跳过条数', en: 'Skipped' },
  failCount: { cn: '失败条数', en: 'Failed' },
}

/**
 * The files that an import screen generates: the entity of its batches, the entity of their rows, and the upload form.
 * @param data the screen's file as it was read, unchecked
 */
export function broughtBy(name: string, area: string, data: Data, entities: Entities): BroughtFile[] {
  const [batches, rows] = [batchEntityOf(name), rowEntityOf(name)]
  const into = typeof data.into === 'string' ? entities.file(data.into) : undefined
  const columns = columnsOf(data, into, entities)
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

const set = (label: Label, rest: Data) => ({ ...rest, readOnly: true, label })
const texts = { cn: '说明', en: 'Notes' }

interface Batches {
  batches: string
  title: Label
  permissionName: string
  permission(word: string): string
  given: Data
  offersUpdate: boolean
  columns: readonly RawColumn[]
  viewSensitive: string | undefined
}

function batchEntity({
  batches,
  title,
  permissionName,
  permission,
  given,
  offersUpdate,
  columns,
  viewSensitive,
}: Batches): Data {
  return {
    label: title,
    display: 'batchNo',
    search: ['batchNo', 'fileName'],
    permissionName,
    scope: { owners: ['operator'], departments: ['operator.department'] },
    fields: batchFields({ batches, given, offersUpdate, columns, masked: viewSensitive !== undefined }),
    allow: { update: false, delete: false },
    permissions: { create: permission('upload'), ...(viewSensitive !== undefined && { viewSensitive }) },
    permissionLabels: {
      upload: { cn: '导入', en: 'Import' },
      template: { cn: '下载模板', en: 'Download template' },
      undo: { cn: '撤销', en: 'Undo' },
    },
    actions: batchActions,
    indexes: [['startedAt'], ['status']],
  }
}

interface BatchFields extends Pick<Batches, 'batches' | 'given' | 'offersUpdate' | 'columns'> {
  masked: boolean
}

const batchFields = ({ batches, given, offersUpdate, columns, masked }: BatchFields): Data => ({
  batchNo: {
    type: 'number-series',
    format: 'DR{yyyy}{MM}{dd}{seq:4}',
    label: { cn: '导入批次号', en: 'Batch no.' },
  },
  fileName: set({ cn: '文件名称', en: 'File name' }, { type: 'text', maxLength: 120 }),
  file: {
    type: 'file',
    max: 1,
    maxSize: 100,
    extensions: ['.xlsx'],
    required: true,
    // The file contains all cells, so it is as sensitive as any of them.
    ...(masked && maskedAs(columns)),
    hint: {
      cn: '.xlsx，最大100MB；旧版.xls请先另存为.xlsx',
      en: '.xlsx, 100 MB at most; save an old .xls as .xlsx first',
    },
    label: { cn: '导入文件', en: 'Imported file' },
  },
  ...given,
  ...(offersUpdate && {
    updateExisting: {
      type: 'boolean',
      required: true,
      default: false,
      label: { cn: '覆盖已存在数据', en: 'Update existing' },
      hint: {
        cn: '否：已存在的数据跳过；是：用非空单元格更新',
        en: 'No: rows that exist are skipped. Yes: their filled cells update the record',
      },
    },
  }),
  ...Object.fromEntries(
    Object.entries(counts).map(([field, label]) => [field, set(label, { type: 'integer', default: 0 })]),
  ),
  undoneCount: set({ cn: '已撤销条数', en: 'Rows undone' }, { type: 'integer' }),
  status: set({ cn: '状态', en: 'Status' }, { type: 'choice', choices: 'importStatus', default: 'processing' }),
  failReason: set({ cn: '失败原因', en: 'Failure reason' }, { type: 'json', of: 'messages' }),
  notes: set(texts, { type: 'json', of: 'messages' }),
  corrects: set({ cn: '更正批次', en: 'Corrects' }, { type: 'reference', entity: batches }),
  operator: set({ cn: '操作人', en: 'Operator' }, { type: 'reference', entity: 'user', defaultFrom: 'user.id' }),
  startedAt: set({ cn: '导入时间', en: 'Import time' }, { type: 'datetime', defaultFrom: 'now()' }),
  decidedAt: set({ cn: '确认时间', en: 'Confirmed at' }, { type: 'datetime' }),
  finishedAt: set({ cn: '完成时间', en: 'Finished at' }, { type: 'datetime' }),
  remark: { type: 'textarea', maxLength: 200, label: { cn: '备注', en: 'Remark' } },
})

const batchActions: Data = {
  write: {
    label: { cn: '确认写入', en: 'Write' },
    permission: 'upload',
    run: 'importWrite',
    when: "status == 'checked' && createCount + updateCount > 0",
    confirm: {
      cn: '将新增{createCount}条、更新{updateCount}条，{failCount}条有误的数据不写入，确定吗？',
      en: 'Add {createCount}, update {updateCount}; {failCount} {failCount|row|rows} with errors {failCount|is|are} left out. Write?',
    },
  },
  cancel: {
    label: { cn: '取消导入', en: 'Cancel import' },
    permission: 'upload',
    run: 'importCancel',
    danger: true,
    when: "status == 'checked' || status == 'processing'",
    confirm: {
      cn: '确定取消本次导入吗？已写入的数据保留。',
      en: 'Cancel this import? Rows that are written already stay.',
    },
  },
  undo: {
    label: { cn: '撤销导入', en: 'Undo' },
    permission: 'undo',
    run: 'importUndo',
    job: true,
    danger: true,
    when: "successCount > 0 && status in ['completed', 'partial', 'cancelled']",
    confirm: {
      cn: '撤销后新增的数据将删除，更新的数据恢复原值，确定吗？',
      en: 'Added records are removed, and updated ones get their former values back. Undo?',
    },
  },
  stopUndo: {
    label: { cn: '停止撤销', en: 'Stop undoing' },
    permission: 'undo',
    run: 'importStopUndo',
    danger: true,
    when: "status == 'undoing'",
    confirm: {
      cn: '确定停止撤销吗？已撤销的数据不会恢复，其余数据保留。',
      en: 'Stop here? Rows already undone stay undone, the rest is kept.',
    },
  },
}

interface RawColumn {
  field: string
  label: Label
  sensitive: boolean
  /** The entity whose sensitive field a cell may contain, to identify one of its records. */
  namedBy?: string
}

/** The entity that a field refers to, if a cell may identify its record by a sensitive field. */
function namedBySensitive(field: unknown, { file }: Entities): string | undefined {
  if (!isData(field) || typeof field.entity !== 'string' || field.by !== undefined) return undefined
  const target = file(field.entity)
  const fields = isData(target?.fields) ? target.fields : {}
  const names = ([name, one]: [string, unknown]) =>
    isSensitive(one) && (one.unique === true || [target?.display, target?.code].includes(name))
  return Object.entries(fields).some(names) ? field.entity : undefined
}

/** The permissions needed to see something that contains all of these cells. */
function maskedAs(columns: readonly RawColumn[]): Data {
  if (!columns.some(({ sensitive }) => sensitive)) return {}
  return { sensitive: true, sensitiveOf: [...new Set(columns.flatMap(({ namedBy }) => namedBy ?? []))] }
}

const isSensitive = (field: unknown): field is Data => isData(field) && field.sensitive === true

/** The permission needed to see cells unmasked: that of the written records, or of those that cells identify. */
function seenWholeWith(into: string, columns: RawColumn[], { file, areaOf }: Entities, area: string): string {
  const fields = file(into)?.fields
  const isOwn = isData(fields) && Object.values(fields).some(isSensitive)
  const owner = (isOwn ? undefined : columns.find(({ namedBy }) => namedBy !== undefined)?.namedBy) ?? into
  const data = file(owner)
  const written = isData(data?.permissions) ? data.permissions.viewSensitive : undefined
  if (typeof written === 'string') return written
  const name = typeof data?.permissionName === 'string' ? data.permissionName : owner
  return `${areaOf(owner) ?? area}:${name}:viewSensitive`
}

/** The valid columns; the check reports the others where they are written. */
function columnsOf(data: Data, into: Data | undefined, entities: Entities): RawColumn[] {
  const fields = isData(into?.fields) ? into.fields : {}
  const written = (Array.isArray(data.columns) ? data.columns : []).flatMap(
    (one: unknown): (WrittenColumn & RawColumn)[] => {
      const column = typeof one === 'string' ? { field: one } : isData(one) ? one : {}
      if (typeof column.field !== 'string' || !/^[a-z][A-Za-z0-9]*$/.test(column.field)) return []
      const field = fields[column.field]
      const label = isData(column.label) ? column.label : isData(field) ? field.label : undefined
      const namedBy = namedBySensitive(field, entities)
      return [
        {
          field: column.field,
          label: labelOr(label, column.field),
          sensitive: isSensitive(field) || namedBy !== undefined,
          ...(namedBy !== undefined && { namedBy }),
          ...(typeof column.after === 'string' && { after: column.after }),
        },
      ]
    },
  )
  const without = (Array.isArray(data.without) ? data.without : []).filter((name) => typeof name === 'string')
  const columns = arranged(written, without, ({ label }) => label)
  return [...new Map(columns.map((column) => [column.field, column])).values()]
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
      const one = typeof written === 'string' ? { field: written } : isData(written) ? written : {}
      const field = typeof one.field === 'string' ? fields[one.field] : undefined
      return isData(field)
        ? [
            [
              givenField(String(one.field)),
              {
                ...kindOf(field),
                required: one.required === true,
                ...(isData(one.label) && { label: one.label }),
                ...(typeof one.defaultFrom === 'string' && { defaultFrom: one.defaultFrom }),
              },
            ],
          ]
        : []
    }),
  )
}

/** Fields that look up values of a row's target record. */
const shownOf = (data: Data, into: Data | undefined): [string, Data][] => {
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

function rowEntity({
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
      [cellField(column.field), { type: 'text', maxLength: 4000, ...maskedAs([column]), label: column.label }] as const,
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
