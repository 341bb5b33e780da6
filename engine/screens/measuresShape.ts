import { boolean, fieldName, filter, label, merged, optional, record, shape, string, unknown } from '../model/model.ts'
import type { Static } from '../model/model.ts'

const measureShape = shape({
  /** The field's label by default. */
  label: optional(label()),
  count: optional(boolean()),
  sum: optional(fieldName()),
  avg: optional(fieldName()),
  min: optional(fieldName()),
  max: optional(fieldName()),
  formula: optional(
    string({
      about: {
        cn: '由前面的指标计算，如 round(profit / fee * 100, 2)',
        en: 'Formula over the measures before it, as in round(profit / fee * 100, 2)',
      },
    }),
  ),
  where: filter({ default: {} }),
  type: optional(
    string({
      about: {
        cn: '显示为哪种字段；公式默认 decimal，平均默认同字段',
        en: 'The field type that displays it: by default decimal for a formula, otherwise that of the field',
      },
    }),
  ),
  options: record(unknown(), { default: {}, about: { cn: 'type 的选项', en: 'The options of that type' } }),
})
/** Name → a measure of the records: their count, the sum of a field, or a formula over the measures before it. */
export const measuresShape = record(measureShape)
/** Measures of rows that may be monthly: also the change from the previous month. */
export const comparedMeasuresShape = record(
  merged(
    measureShape,
    shape({
      change: optional(
        string({
          about: {
            cn: '前面的指标：较上月变动的百分比，按月统计时显示',
            en: 'A measure before it, as the percentage change from the previous month, for rows by month',
          },
        }),
      ),
    }),
  ),
)
export type MeasuresFile = Static<typeof measuresShape>
export type ComparedFile = Static<typeof comparedMeasuresShape>
