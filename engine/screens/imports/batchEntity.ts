import type { Label } from '../../model/model.ts'
import { set, maskedAs, type Data, type RawColumn } from './rawColumns.ts'

const counts: Record<string, Label> = {
  totalCount: { cn: '总条数', en: 'Total rows' },
  createCount: { cn: '新增条数', en: 'To add' },
  updateCount: { cn: '更新条数', en: 'To update' },
  successCount: { cn: '成功条数', en: 'Succeeded' },
  skipCount: { cn: '跳过条数', en: 'Skipped' },
  failCount: { cn: '失败条数', en: 'Failed' },
}

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

/** The entity of the imported files. */
export function batchEntity({
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
        en: 'No: existing records are skipped. Yes: filled cells update the existing record',
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
      cn: '将停止本次导入，已写入的数据保留，继续吗？',
      en: 'This import will be stopped; rows already written stay. Continue?',
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
      en: 'Added records will be removed, and updated ones restored to their former values. Continue?',
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
      en: 'Rows already undone stay undone; the rest is kept. Stop?',
    },
  },
}
