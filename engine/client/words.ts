import { createInstance } from 'i18next'
import { wordFor } from '../model/fillText.ts'
import { languageIn } from '../model/language.ts'
import type { Label } from '../model/model.ts'
import { useClient } from './frame.ts'

const i18n = createInstance()
i18n.use({
  type: 'formatter',
  init: () => undefined,
  add: () => undefined,
  addCached: () => undefined,
  format: (value: unknown, words?: string, language?: string) =>
    words ? wordFor(value, words, language) : String(value),
})
void i18n.init({
  initAsync: false,
  lng: 'cn',
  fallbackLng: 'en',
  resources: {},
  keySeparator: false,
  nsSeparator: false,
  interpolation: {
    prefix: '{',
    suffix: '}',
    escapeValue: false,
    formatSeparator: '|',
  },
})

export type Translate<K extends string> = (key: K, parameters?: Record<string, string | number>) => string
let count = 0

interface Words<K extends string> {
  use(): Translate<K>
  translate(language: string): Translate<K>
}

/** A set of texts with `{name}` parameters; the hook translates into the interface language. */
export function defineWords<const K extends string>(words: Record<K, Label>): Words<K> {
  const namespace = `words-${count++}`
  const [spoken] = Object.values<Label>(words)
  for (const language of Object.keys(spoken)) {
    const texts = Object.entries<Label>(words).map(([key, label]) => [key, label[language]])
    i18n.addResourceBundle(language, namespace, Object.fromEntries(texts))
  }
  const ready = new Map<string, Translate<K>>()
  function translate(language: string): Translate<K> {
    let found = ready.get(language)
    if (!found) {
      found = i18n.getFixedT(languageIn(spoken, language) ?? 'en', namespace) as Translate<K>
      ready.set(language, found)
    }
    return found
  }
  return { translate, use: () => translate(useClient().language) }
}

/** The engine's own texts. */
export const words = defineWords({
  ok: { cn: '确定', en: 'OK' },
  cancel: { cn: '取消', en: 'Cancel' },
  close: { cn: '关闭', en: 'Close' },
  back: { cn: '返回', en: 'Back' },
  retry: { cn: '重试', en: 'Retry' },
  loading: { cn: '加载中', en: 'Loading' },
  done: { cn: '操作成功', en: 'done' },
  doneTo: { cn: '“{label}”已完成：{record}', en: 'Done: {label}, {record}' },
  recordsOf: { cn: '{entity}{n}条', en: '{n} {n|record|records} ({entity})' },
  nothingDone: { cn: '“{label}”已完成，没有需要处理的数据', en: 'Done: {label}, nothing to process' },
  error: { cn: '操作失败', en: 'error' },
  none: { cn: '无', en: 'None' },

  noPermission: {
    cn: '您没有操作权限，请向上级获取权限后再试！',
    en: 'You have no operation permission, please obtain permission from the higher-level authority and try again!',
  },
  chosenRecords: { cn: '所选数据', en: 'Selected records' },
  totalOf: { cn: '{label}（{n}条）', en: '{label} ({n} {n|record|records})' },
  others: { cn: '另有{n}条', en: '{n} more' },
  notAgreed: { cn: '已保存，未执行“{label}”', en: 'Saved; "{label}" was not carried out' },
  andMore: { cn: '{list}等，另有{n}条', en: '{list} and {n} more' },
  onlyFor: { cn: '仅{roles}可操作', en: 'Only for {roles}' },
  remind: { cn: '提醒{roles}', en: 'Remind {roles}' },
  reminded: { cn: '已提醒{n}人', en: '{n} {n|person|people} reminded' },
  notForYou: { cn: '您没有此操作的权限', en: 'You do not have permission for this' },
  deleteConfirm: { cn: '确定删除该数据吗？', en: 'Delete this record?' },
  deleteManyConfirm: { cn: '确定删除所选{n}条数据吗？', en: 'Delete {n} records?' },
  deleteCancelled: { cn: '您已取消删除操作', en: 'You have canceled the delete operation' },
  deleted: { cn: '删除成功', en: 'Deleted' },
  leaveConfirm: { cn: '内容尚未保存，确定离开吗？', en: 'There are unsaved changes. Leave?' },
  results: { cn: '成功{n}条，失败{m}条', en: '{n} succeeded, {m} failed' },
  succeeded: { cn: '成功{n}条', en: '{n} succeeded' },
  changed: { cn: '成功{n}条：已更改{labels}', en: '{n} succeeded: {labels} changed' },
  passwordsGiven: { cn: '请记下密码', en: 'Write down the password' },
  passwordsOnce: {
    cn: '由系统随机生成，关闭后无法再次查看',
    en: 'A random password was generated; it cannot be shown again after you close this',
  },
  passwordOf: { cn: '账号', en: 'Account' },
  password: { cn: '密码', en: 'Password' },
  failedRecord: { cn: '数据', en: 'Record' },
  failedReason: { cn: '失败原因', en: 'Reason' },
  exporting: { cn: '正在导出…', en: 'Exporting…' },
  exported: { cn: '导出成功', en: 'Exported' },
  downloaded: { cn: '文件已下载', en: 'Downloaded' },
  more: { cn: '更多', en: 'More' },
  counted: { cn: '{label}（{n}）', en: '{label} ({n})' },

  requiredMark: { cn: '必填', en: 'required' },
  emptyKeeps: { cn: '留空的项目保持不变', en: 'Fields left empty stay as they are' },
  severalValues: { cn: '多个值', en: 'Several values' },
  nothingGiven: { cn: '请至少填写一项', en: 'Fill in at least one field' },

  field: { cn: '字段', en: 'Field' },
  before: { cn: '修改前', en: 'Before' },
  after: { cn: '修改后', en: 'After' },

  parameterMissing: { cn: '请从列表进入', en: 'Open this page from its list' },
  parameterUnknown: { cn: '此页面没有“{value}”这种打开方式', en: 'This page cannot be opened as "{value}"' },
  recordMissing: { cn: '数据不存在或已删除', en: 'The record does not exist or was deleted' },
  chooseFrom: { cn: '前往列表：', en: 'Go to the list: ' },
  screenFailed: { cn: '页面加载失败', en: 'The page could not be loaded' },
  partFailed: { cn: '部分内容加载失败', en: 'A part of the page could not be loaded' },
  drawFailed: { cn: '页面显示出错', en: 'The page could not be shown' },

  query: { cn: '查询', en: 'Search' },
  reset: { cn: '重置', en: 'Reset' },
  expand: { cn: '展开', en: 'Expand' },
  collapse: { cn: '收起', en: 'Collapse' },
  filters: { cn: '筛选', en: 'Filters' },
  filtersCount: { cn: '筛选（{n}）', en: 'Filters ({n})' },
  searchHint: { cn: '支持拼音和首字母', en: 'Pinyin and initials work too' },
  from: { cn: '{label}：从', en: '{label}: from' },
  to: { cn: '{label}：到', en: '{label}: to' },
  empty: { cn: '为空', en: 'Empty' },
  notEmpty: { cn: '不为空', en: 'Not empty' },
  any: { cn: '不限', en: 'Any' },

  noRecords: { cn: '暂无数据', en: 'No records yet' },
  noRecordsHint: { cn: '新增或导入后会显示在这里', en: 'Records appear here once they are added or imported' },
  noMatches: { cn: '没有符合条件的数据', en: 'No records match' },
  noMatchesHint: { cn: '可以修改或重置查询条件', en: 'Try changing or resetting the search' },
  listFailed: { cn: '数据加载失败', en: 'The records could not be loaded' },
  selected: { cn: '已选{n}项', en: '{n} selected' },
  clearSelection: { cn: '取消选择', en: 'Clear' },
  selectRow: { cn: '选择第{n}行', en: 'Select row {n}' },
  selectPage: { cn: '选择本页全部', en: 'Select all on this page' },
  actions: { cn: '操作', en: 'Actions' },
  marks: { cn: '提示', en: 'Alerts' },
  total: { cn: '合计', en: 'Total' },
  sortedBy: { cn: '排序', en: 'Sort by' },
  ascending: { cn: '{label}（升序）', en: '{label} (ascending)' },
  descending: { cn: '{label}（降序）', en: '{label} (descending)' },
  ownOrder: { cn: '默认', en: 'Default' },
  openRow: { cn: '展开{name}', en: 'Open {name}' },
  moveRow: { cn: '移动{name}', en: 'Move {name}' },
  moveHint: { cn: '拖动排序，或用上下方向键', en: 'Drag, or use the up and down keys' },
  closeRow: { cn: '收起{name}', en: 'Close {name}' },

  pages: { cn: '分页', en: 'Pages' },
  count: { cn: '共{n}条', en: '{n} {n|record|records}' },
  countAll: { cn: '统计总数', en: 'Count all' },
  counting: { cn: '正在统计…', en: 'Counting…' },
  pageSize: { cn: '每页条数', en: 'Records per page' },
  perPage: { cn: '{n}条/页', en: '{n} / page' },
  page: { cn: '第{n}页', en: 'Page {n}' },
  previousPage: { cn: '上一页', en: 'Previous page' },
  previousRecord: { cn: '上一条', en: 'Previous' },
  nextRecord: { cn: '下一条', en: 'Next' },
  goOn: { cn: '完成后转到下一条', en: 'Continue to the next record when done' },
  neighbours: { cn: '前后记录', en: 'Previous and next record' },
  nextPage: { cn: '下一页', en: 'Next page' },

  density: { cn: '密度', en: 'Density' },
  compact: { cn: '紧凑', en: 'Compact' },
  standard: { cn: '标准', en: 'Standard' },
  loose: { cn: '宽松', en: 'Loose' },
  columns: { cn: '列设置', en: 'Columns' },
  refresh: { cn: '刷新', en: 'Refresh' },
  moveUp: { cn: '上移{label}', en: 'Move {label} up' },
  moveDown: { cn: '下移{label}', en: 'Move {label} down' },
  pinColumn: { cn: '固定{label}', en: 'Pin {label}' },
  widthOf: { cn: '{label}宽度', en: 'Width of {label}' },
  unpinned: { cn: '不固定', en: 'Not pinned' },
  pinLeft: { cn: '左侧', en: 'Left' },
  pinRight: { cn: '右侧', en: 'Right' },
  column: { cn: '列', en: 'Column' },
  pin: { cn: '固定', en: 'Pin' },
  width: { cn: '宽度', en: 'Width' },
  order: { cn: '顺序', en: 'Order' },
  restoreColumns: { cn: '恢复默认', en: 'Restore defaults' },
})
export const useWords = words.use
