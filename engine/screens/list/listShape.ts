import {
  boolean,
  condition,
  endpoints,
  fieldName,
  filter,
  formula,
  integer,
  label,
  list as listOf,
  oneOf,
  optional,
  record,
  shape,
  shorthand,
  string,
} from '../../model/model.ts'
import type { Static } from '../../model/model.ts'
import { actionsShape } from '../action.ts'
import { measuresShape } from '../measuresShape.ts'

export const listShape = shape({
  filters: listOf(
    shorthand(
      'field',
      shape({
        field: fieldName(),
        label: optional(label()),
        operator: optional(oneOf(['contains', 'equals', 'in', 'between', 'overlaps', 'under', 'empty'])),
        default: optional(
          string({
            names: 'filterDefault',
            about: { cn: '初始值，多个以逗号分隔', en: 'Initial value; several are separated by commas' },
          }),
        ),
        defaultFrom: optional(
          listOf(formula(), {
            minItems: 1,
            maxItems: 2,
            about: { cn: '初始值的公式；范围为两个', en: 'Formulas for the initial value; two for a range' },
          }),
        ),
      }),
    ),
    { distinct: ['field'], default: [] },
  ),
  /** The first filter searches the entity's `search` fields; its label. */
  search: optional(label()),
  columns: listOf(
    shorthand(
      'field',
      shape({
        field: fieldName(),
        label: optional(label()),
        link: optional(string({ names: 'link' })),
        action: optional(
          string({ about: { cn: '点击时执行的行操作', en: 'The action of the row that a click runs' } }),
        ),
        fixed: optional(oneOf(['left', 'right'])),
        width: optional(integer({ minimum: 40, maximum: 800 })),
        sum: boolean({ default: false }),
        sort: optional(boolean()),
        hidden: boolean({
          default: false,
          about: { cn: '默认不显示，可由用户打开', en: 'Hidden until the user turns it on' },
        }),
        edit: optional(
          boolean({
            about: {
              cn: '可修改的数据在单元格中直接编辑',
              en: 'Can be edited in the cell, if the record and the field may be changed',
            },
          }),
        ),
      }),
    ),
    { distinct: ['field'], minItems: 1 },
  ),
  sort: optional(
    string({ names: 'sort', about: { cn: '字段名，前加 - 为倒序', en: 'A field; a leading - means descending' } }),
  ),
  pageSize: oneOf(['10', '20', '50', '100'], { default: '20' }),
  tabs: listOf(
    shape({
      name: string(),
      label: label(),
      filter: filter({ default: {} }),
      clears: optional(
        listOf(fieldName(), {
          distinct: true,
          about: {
            cn: '在此页签中，这些筛选项没有初始值',
            en: 'Filters that have no initial value in this tab',
          },
        }),
      ),
    }),
    { distinct: ['name'], default: [] },
  ),
  /** Always applied. */
  where: filter({ default: {} }),
  /** The records that the sums of columns cover, among the matching ones. */
  counted: optional(
    filter({ about: { cn: '各列合计只计入这些数据', en: 'Limits the records that column totals add up' } }),
  ),
  narrowedBy: optional(
    record(fieldName(), {
      about: {
        cn: '地址参数 → 字段：只列出该字段为此值的数据',
        en: 'Address parameter → the field that must equal it',
      },
    }),
  ),
  beside: optional(
    fieldName({ about: { cn: '左侧显示其树的筛选项', en: 'The filter that is shown as a tree on the left' } }),
  ),
  tree: boolean({
    default: false,
    about: {
      cn: '按上级展开、收起；全部加载',
      en: 'Shows rows as a tree that can be expanded; all rows are loaded',
    },
  }),
  /** A row in this state is marked. */
  marks: listOf(
    shape({ when: condition(), tag: oneOf(['info', 'primary', 'success', 'warning', 'danger']), label: label() }),
    { default: [] },
  ),
  /** While a visible row matches, the list reloads itself. */
  refreshWhen: optional(
    condition({
      about: { cn: '有这样的行时列表自动刷新', en: 'The list refreshes itself while a row matches this' },
    }),
  ),
  /** Figures over all matching records, above the list. */
  summary: optional(measuresShape),
  actions: actionsShape,
  endpoints: endpoints('list', 'update'),
})
export type ListFile = Static<typeof listShape>
