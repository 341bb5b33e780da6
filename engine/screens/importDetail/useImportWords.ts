import { defineWords } from '../../client/index.ts'

const words = defineWords({
  batch: { cn: '导入批次', en: 'Import batch' },
  checking: { cn: '正在检查：已读{n}行', en: 'Checking: {n} {n|row|rows} read' },
  writing: { cn: '正在写入：{n}/{all}行', en: 'Writing: {n} of {all} rows' },
  writingAll: { cn: '正在写入，共{all}行', en: 'Writing {all} rows' },
  undoing: { cn: '正在撤销：{n}/{all}行', en: 'Undone: {n} of {all} rows' },
  rate: { cn: '每秒{n}行', en: '{n} {n|row|rows} a second' },
  seconds: { cn: '约剩{n}秒', en: 'about {n} s left' },
  minutes: { cn: '约剩{n}分钟', en: 'about {n} min left' },
  progress: { cn: '导入进度', en: 'Progress of the import' },
  leave: { cn: '可以离开本页，完成后会收到消息', en: 'You can leave this page; a message reports when it is done' },
  problems: { cn: '错误汇总', en: 'Errors by type' },
  problemsAndHints: { cn: '错误与提示汇总', en: 'Errors and hints by type' },
  problemColumn: { cn: '列', en: 'Column' },
  problemKind: { cn: '错误', en: 'Error' },
  problemCount: { cn: '行数', en: 'Rows' },
  problemSample: { cn: '示例', en: 'For example' },
  wholeRow: { cn: '整行', en: 'Whole row' },
})
export const useImportWords = words.use
