import { nearestName } from '../expression/index.ts'
import { integer, list, oneOf, optional, shape, string } from '../model/model.ts'
import type { AssembleScope, ChartPlan, MeasurePlan, Static } from '../model/model.ts'

/** How rows are charted: grouped or stacked bars, a line, a ring, or the top rows with their figures. */
export const drawingShape = shape({
  draw: oneOf(['bars', 'stacked', 'line', 'ring', 'top']),
  lines: list(string(), {
    distinct: true,
    default: [],
    about: { cn: '画成线的指标', en: 'The measures drawn as lines over the bars' },
  }),
  limit: optional(
    integer({
      minimum: 1,
      maximum: 50,
      about: {
        cn: '最多显示几项；默认 top 为 10，ring 为 7，其余全部',
        en: 'Maximum number of entries: by default 10 in a top list, 7 in a ring, otherwise all',
      },
    }),
  ),
  sort: optional(string({ about: { cn: '指标名，前加 - 为倒序', en: 'A measure; a leading - means descending' } })),
  /** What a row links to, with `{id}` filled from its group. */
  open: optional(
    string({
      names: 'link',
      ofGroups: true,
      about: {
        cn: '点击打开的地址，{id} 为分组的记录',
        en: 'The address that a row opens; {id} is its record',
      },
    }),
  ),
})
export type DrawingFile = Static<typeof drawingShape>

/** The most rows of a list, and parts of a ring besides the remainder, that remain readable. */
const most = { top: 10, ring: 7 } as Partial<Record<ChartPlan['draw'], number>>

/** `pointer` is the chart's position. */
export function assembleChart(
  { draw, measures, lines, limit, sort, open }: DrawingFile & { measures: string[] },
  known: readonly MeasurePlan[],
  pointer: string,
  scope: AssembleScope,
): ChartPlan {
  checkMeasures(measures, known, (index) => `${pointer}/measures/${index}`, scope)
  checkMeasures(
    lines,
    known.filter(({ name }) => measures.includes(name)),
    (index) => `${pointer}/lines/${index}`,
    scope,
  )
  if (sort !== undefined) checkMeasures([sort.replace(/^-/, '')], known, () => `${pointer}/sort`, scope)
  const held = limit ?? most[draw]
  return {
    draw,
    measures,
    lines,
    ...(held !== undefined && { limit: held }),
    ...(sort !== undefined && { sort }),
    ...(open !== undefined && { open }),
  }
}

/** Each name must be one of the measures. */
export function checkMeasures(
  names: readonly string[],
  known: readonly MeasurePlan[],
  pointer: (index: number) => string,
  scope: AssembleScope,
): void {
  const allowed = known.map(({ name }) => name)
  names.forEach((found, index) => {
    if (!allowed.includes(found))
      scope.issue('unknown-measure', pointer(index), { found, allowed, suggestion: nearestName(found, allowed) })
  })
}
