import type { Label } from '../model.ts'
import type { WarningCode } from './catalogue.ts'

/** The meaning of each warning, for editors and the reference. */
export const warningMeanings: Record<WarningCode, Label> = {
  'never-entered': { cn: '没有任何变更进入的状态', en: 'A state that nothing leads to' },
  'unreachable-state': { cn: '从初始状态无法到达的状态', en: 'A state that cannot be reached from the initial one' },
  'dead-end': {
    cn: '没有出口、标签也不表示结束的状态',
    en: 'A state without a way out, whose tag does not mark it as an end',
  },
  'idle-transition': { cn: '变更到原状态', en: 'A transition to the state that it starts from' },
  'contradicting-guard': { cn: '与起始状态矛盾的守卫', en: 'A guard that its own "from" never meets' },
  'own-state-in-form': {
    cn: '变更的表单询问变更自身设置的状态',
    en: 'A form that asks for the state that its transition sets',
  },
  'crossed-bounds': { cn: '下限大于上限', en: 'A lower bound above the upper one' },
  'unmatchable-pattern': {
    cn: '正则表达式所需长度超过最大长度',
    en: 'A pattern that needs more than the maximum length',
  },
  'share-for-percent': { cn: '百分比写成小数', en: 'A percentage written as a fraction' },
  'inexact-amount': { cn: '金额写成数字而非文本', en: 'An amount written as a number' },
  'crossed-range': { cn: '起止颠倒的范围', en: 'A range with its ends swapped' },
  'empty-values': { cn: '空的取值列表', en: 'An empty list of values' },
  'unlisted-choice': {
    cn: '可增加的字典中文件未列出的值',
    en: 'A value that the files do not give to a growing dictionary',
  },
  'refused-literal': {
    cn: '字段不可能有的值，如不存在的日期',
    en: 'A value that the field can never have, such as an impossible date',
  },
  'always-true': { cn: '总是成立的条件', en: 'A condition that always holds' },
  'never-true': { cn: '永不成立的条件', en: 'A condition that never holds' },
  'two-at-once': { cn: '要求同一字段同时为两个值', en: 'A condition that needs two values of one field at once' },
  'contradicting-daily': { cn: '自相矛盾的每日规则', en: 'A daily rule that no record can match' },
  'unlisted-role': { cn: '文件中没有的角色编码', en: 'The code of a role that is not in the files' },
  'missing-column': { cn: '导入缺少必填列', en: 'An import without a column that new records need' },
  'refused-sample': { cn: '列自身不接受的示例', en: 'A sample that its own column refuses' },
  'ambiguous-key': { cn: '不唯一的匹配列', en: 'An import key that is not unique' },
  'unset-field': { cn: '只读且必填、却无处写入的字段', en: 'A read-only, required field that nothing sets' },
  'hidden-required': { cn: '明细行的必填字段未列出', en: 'A required field of rows that is not a column' },
  'visible-by-itself': { cn: '显示条件依赖字段自身', en: 'A field whose visibility depends on itself' },
  'unshown-field': { cn: '没有任何页面可填写的字段', en: 'A field that no screen asks for' },
  'searched-secret': { cn: '搜索敏感字段', en: 'A sensitive field that is searched' },
  'swapped-languages': { cn: '两种语言的文字互换', en: 'Texts under each other’s language' },
  'same-label': { cn: '两个字段同名', en: 'Two fields with the same label' },
  'same-choice-label': { cn: '两个选项同名', en: 'Two choices with the same label' },
  'uneven-placeholders': { cn: '各语言的占位符不一致', en: 'Placeholders that differ by language' },
  'foreign-id': { cn: '链接带的是其他实体的编号', en: 'A link with another entity’s id' },
  'unreceived-message': { cn: '没有角色接收的消息', en: 'A message that no role receives' },
  'edit-without-view': { cn: '可修改但不可查看的角色', en: 'A role that may change what it may not see' },
  'idle-action': { cn: '没有效果的操作', en: 'An action without effect' },
  'same-menu-order': { cn: '菜单顺序重复', en: 'Two menu entries with the same order' },
  'shown-twice': { cn: '标题区和页签中重复的字段', en: 'A field both in the header and in a tab' },
  'idle-reason': { cn: '不再需要的原因', en: 'A reason that no warning needs any more' },
}
