import { defineWords } from './words.ts'

/** Texts of forms and details. */
export const formWords = defineWords({
  save: { cn: '保存', en: 'Save' },
  saved: { cn: '保存成功', en: 'Saved' },
  locked: { cn: '该数据现在不能修改', en: 'This record cannot be edited in its current state' },
  nothingChanged: { cn: '没有修改，无需保存', en: 'Nothing was changed, so there is nothing to save' },
  toCorrect: { cn: '{n}项需要修改', en: '{n} to correct' },
  elsewhere: { cn: '{label}：{message}', en: '{label}: {message}' },
  sections: { cn: '本页内容', en: 'On this page' },
  empty: { cn: '空', en: 'Empty' },

  conflict: { cn: '数据已被他人修改', en: 'The record was changed by someone else' },
  conflictBy: {
    cn: '{name}于{time}修改了以下内容，请逐项选择保留哪一个',
    en: '{name} changed the following at {time}. Choose what to keep, one by one.',
  },
  field: { cn: '字段', en: 'Field' },
  theirs: { cn: '对方的修改', en: 'Theirs' },
  mine: { cn: '我的修改', en: 'Mine' },
  keepTheirs: { cn: '保留对方的{label}', en: 'Keep their {label}' },
  keepMine: { cn: '保留我的{label}', en: 'Keep my {label}' },
  allTheirs: { cn: '全部保留对方的', en: 'Keep all of theirs' },
  allMine: { cn: '全部保留我的', en: 'Keep all of mine' },
  saveChosen: { cn: '按所选内容保存', en: 'Save selection' },
  keepEditing: { cn: '继续编辑', en: 'Keep editing' },

  time: { cn: '时间', en: 'Time' },
  operator: { cn: '操作人', en: 'By' },
  action: { cn: '操作', en: 'Action' },
  changes: { cn: '变更内容', en: 'Changes' },
  colon: { cn: '：', en: ': ' },
  system: { cn: '系统', en: 'System' },
  comma: { cn: '、', en: ', ' },
  alsoChanged: { cn: '同时处理：{records}', en: 'Together with: {records}' },
  moreChanges: { cn: '另有{count}条', en: 'and {count} more' },
  noHistory: { cn: '暂无操作记录', en: 'Nothing has been recorded yet' },
  history: { cn: '变更记录', en: 'History' },
  restore: { cn: '恢复默认', en: 'Restore defaults' },
  restoreConfirm: { cn: '确定恢复默认值吗？保存后生效', en: 'Restore the default values? They take effect when saved' },
  welcome: { cn: '{name}，您好', en: 'Welcome, {name}' },
})
export const useFormWords = formWords.use
