import {
  boolean,
  fieldName,
  filter,
  formula,
  integer,
  label,
  list,
  merged,
  oneOf,
  optional,
  shape,
  shorthand,
  string,
} from '../../model/model.ts'
import type { Static } from '../../model/model.ts'
import { drawingShape } from '../charts.ts'
import { groupKeysShape } from '../groupKeys.ts'
import { comparedMeasuresShape } from '../measuresShape.ts'

export const reportShape = shape({
  filters: list(
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
          list(formula(), {
            minItems: 1,
            maxItems: 2,
            about: { cn: '初始值的公式；范围为两个', en: 'Formulas for the initial value; two for a range' },
          }),
        ),
        required: boolean({ default: false }),
        months: optional(
          integer({
            minimum: 1,
            maximum: 120,
            about: { cn: '范围最多几个月', en: 'Maximum number of months in a range' },
          }),
        ),
      }),
    ),
    { distinct: ['field'], default: [] },
  ),
  /** Always applied. */
  where: filter({ default: {} }),
  /** The reader may choose the day that `today()` means throughout the report. */
  asOf: optional(shape({ label: label() })),
  groups: list(shape({ name: string(), label: optional(label()), by: groupKeysShape }), {
    minItems: 1,
    distinct: ['name'],
  }),
  measures: comparedMeasuresShape,
  tabs: list(
    shape({
      name: string(),
      label: label(),
      permission: optional(string({ names: 'permission' })),
      columns: list(
        shorthand(
          'measure',
          shape({
            measure: string(),
            label: optional(label()),
            width: optional(integer({ minimum: 40, maximum: 800 })),
            total: boolean({ default: true }),
            sort: boolean({ default: true }),
          }),
        ),
        { minItems: 1, distinct: ['measure'] },
      ),
      sort: optional(string({ about: { cn: '指标名，前加 - 为倒序', en: 'A measure; a leading - means descending' } })),
      /** Actions on all records behind a figure of a row. */
      actions: list(
        shape({
          action: string({ names: 'action' }),
          measure: string({
            about: {
              cn: '该页签的指标：对其所计的全部记录执行，为 0 时不显示',
              en: 'A measure of this tab: the action runs on all records that the number counts, and is not offered where there are none',
            },
          }),
          groups: optional(
            list(string(), {
              distinct: true,
              about: {
                cn: '只在这些统计方式下提供；默认为全部',
                en: 'Only for this grouping; by default for any',
              },
            }),
          ),
          label: optional(label()),
          confirm: optional(label({ fills: { words: ['n'], fields: true } })),
        }),
        { distinct: ['action'], default: [] },
      ),
    }),
    { minItems: 1, distinct: ['name'] },
  ),
  charts: list(
    merged(
      drawingShape,
      shape({
        name: string(),
        label: label(),
        permission: optional(string({ names: 'permission' })),
        measures: list(string(), { minItems: 1, distinct: true }),
        group: optional(
          string({
            about: {
              cn: '固定按此分组；默认按所选分组',
              en: "A fixed grouping; by default the user's choice",
            },
          }),
        ),
        tab: optional(string({ about: { cn: '只在此页签显示', en: 'Shown only with this tab' } })),
      }),
    ),
    { distinct: ['name'], default: [] },
  ),
  /** The list that a figure opens. */
  records: optional(
    string({
      names: 'screen',
      about: { cn: '点击数字打开的列表', en: 'The list that a number opens, filtered to what it counts' },
    }),
  ),
  /** The permission to export the rows. */
  export: optional(
    string({
      names: 'permission',
      about: { cn: '导出所需的权限', en: 'The permission to export; without it there is no export' },
    }),
  ),
})
export type ReportFile = Static<typeof reportShape>
