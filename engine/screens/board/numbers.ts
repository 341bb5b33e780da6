import {
  boolean,
  entityName,
  fieldName,
  filter,
  filterValues,
  integer,
  label,
  merged,
  optional,
  shape,
  string,
} from '../../model/model.ts'
import type { AssembleScope, ChartPlan, GroupedBlock, Label, ObjectShape, Static } from '../../model/model.ts'
import { assembleChart, drawingShape } from '../charts.ts'
import type { DrawingFile } from '../charts.ts'
import { assembleGroupKeys, grainOf, groupKeysShape } from '../groupKeys.ts'
import { assembleMeasures, openFields } from '../measures.ts'
import { measuresShape } from '../measuresShape.ts'
import type { GroupKeyFile } from '../groupKeys.ts'
import { ownRoles } from './ownRoles.ts'

const numbersShape = shape({
  name: string(),
  label: label(),
  entity: entityName(),
  /** The permission to see the block; by default the one to view the entity. */
  permission: optional(string({ names: 'permission' })),
  filter: filter({ default: {} }),
  /** Only the records of this month, of the last so many, or of all up to its end. */
  period: optional(
    shape({
      field: fieldName(),
      until: optional(
        fieldName({
          about: {
            cn: '从 field 到此字段为止一直计入，空为未结束',
            en: 'The end of the period that starts at `field`; empty if it has not ended',
          },
        }),
      ),
      months: integer({ default: 1, minimum: 1, maximum: 60 }),
      upTo: boolean({
        default: false,
        about: { cn: '截至本月末的全部记录', en: 'Counts all records up to the end of the month' },
      }),
    }),
  ),
  measures: measuresShape,
  roles: ownRoles(),
  /** A link to all of them. */
  more: optional(string({ names: 'link' })),
})
/** This month's figures, each with its change from last month; and charts. */
export const groupedShapes = {
  figures: numbersShape,
  chart: merged(merged(numbersShape, drawingShape) as ObjectShape, shape({ by: groupKeysShape })),
}
type FiguresFile = { kind: 'figures' } & Static<typeof numbersShape>
type ChartFile = { kind: 'chart'; by: GroupKeyFile[] } & Static<typeof numbersShape> & DrawingFile
export type GroupedFile = FiguresFile | ChartFile

export interface BoardFigures extends GroupedBlock {
  kind: 'figures'
  label: Label
  roles: string[]
  more?: string
}
export interface BoardChart extends GroupedBlock {
  kind: 'chart'
  label: Label
  roles: string[]
  chart: ChartPlan
  more?: string
}
export type BoardNumbers = BoardFigures | BoardChart

export function assembleGrouped(file: GroupedFile, pointer: string, scope: AssembleScope): BoardNumbers {
  const entity = scope.catalog.entities[file.entity]
  const { name, label, more } = file
  const measures = assembleMeasures(file.measures, entity, `${pointer}/measures`, scope)
  openFields(Object.keys(file.filter), entity, `${pointer}/filter`, scope)
  const common = {
    name,
    label,
    entity: entity.name,
    permission: scope.permission(file.permission ?? 'view', entity.name),
    filter: filterValues(file.filter),
    measures,
    roles: file.roles,
    ...assemblePeriod(file.period, entity.name, pointer, scope),
    ...(more !== undefined && { more }),
  }
  if (file.kind === 'figures') return { kind: 'figures', ...common, by: [], compared: file.period !== undefined }
  const chart = assembleChart({ ...file, measures: measures.map((measure) => measure.name) }, measures, pointer, scope)
  const { sort, limit } = chart
  return {
    kind: 'chart',
    ...common,
    by: assembleGroupKeys(file.by, entity, `${pointer}/by`, scope),
    compared: false,
    chart,
    ...(sort !== undefined && { sort }),
    ...(limit !== undefined && { limit }),
  }
}

function assemblePeriod(
  period: GroupedFile['period'],
  name: string,
  pointer: string,
  scope: AssembleScope,
): Pick<GroupedBlock, 'period'> {
  if (!period) return {}
  const entity = scope.catalog.entities[name]
  const grain = grainOf(entity.fields[period.field], scope)
  openFields([period.field], entity, `${pointer}/period/field`, scope)
  if (grain === undefined || !scope.isQueried(name, period.field)) {
    scope.issue('not-groupable', `${pointer}/period/field`, { entity: name, found: period.field, what: 'its months' })
    return {}
  }
  const { field, until, months, upTo } = period
  if (until !== undefined) {
    openFields([until], entity, `${pointer}/period/until`, scope)
    if (grainOf(entity.fields[until], scope) !== grain || !scope.isQueried(name, until)) {
      scope.issue('not-groupable', `${pointer}/period/until`, { entity: name, found: until, what: 'its months' })
      return {}
    }
  }
  return { period: { field, ...(until !== undefined && { until }), grain, months, upTo } }
}
