import { filterValues } from '../../model/model.ts'
import type {
  AssembleScope,
  DeclaredScreen,
  GroupPlan,
  Label,
  ReportFilter,
  ReportPlan,
  ScreenKind,
} from '../../model/model.ts'
import { textIn } from '../../model/language.ts'
import { startsNarrowed } from '../list/startsNarrowed.ts'
import type { ListFile } from '../list/listShape.ts'
import { assembleGroupKeys, grainOf } from '../groupKeys.ts'
import { assembleMeasures, openFields, shownField } from '../measures.ts'
import { reportShape } from './reportShape.ts'
import type { ReportFile } from './reportShape.ts'
import { assembleTab } from './reportTabs.ts'
import { assembleReportChart } from './reportCharts.ts'

/** Figures over an entity's records, grouped as the reader chooses. Computed on each request, never stored. */
export const report: ScreenKind<ReportFile, ReportPlan> = {
  kind: 'report',
  label: { cn: '报表', en: 'Report' },
  shape: reportShape,
  data: 'list',
  always: ({ where }) => where,
  assemble(file, scope) {
    const entity = scope.entity()
    const measures = assembleMeasures(file.measures, entity, '/measures', scope)
    const groups = file.groups.map(({ name, label: given, by: keys }, index): GroupPlan => {
      const by = assembleGroupKeys(keys, entity, `/groups/${index}/by`, scope)
      return {
        name,
        label:
          given ??
          joined(
            by.map(({ field }) => entity.fields[field].label),
            scope.catalog.app.languages,
          ),
        by,
      }
    })
    for (const { name, value } of groups.some(({ by }) => by.some(({ unit }) => unit === 'month')) ? [] : measures)
      if (value.kind === 'change') scope.issue('no-month-before', `/measures/${name}/change`, { found: name })
    openFields(Object.keys(file.where), entity, '/where', scope)
    const records = file.records === undefined ? undefined : assembleRecords(file.records, scope)
    return {
      filters: file.filters.flatMap((filter, index) => assembleFilter(filter, `/filters/${index}`, scope)),
      where: filterValues(file.where),
      ...(file.asOf && { asOf: { ...shownField('asOf', 'date', file.asOf.label, scope), readOnly: false } }),
      groups,
      measures,
      tabs: file.tabs.map((tab, index) => assembleTab(tab, { measures, groups }, `/tabs/${index}`, scope)),
      charts: file.charts.map((chart, index) =>
        assembleReportChart(chart, { measures, groups, tabs: file.tabs }, `/charts/${index}`, scope),
      ),
      ...(records && { records }),
      ...(file.export !== undefined && { export: { permission: scope.permission(file.export) } }),
    }
  },
}

/** `客户×月份` */
const joined = (labels: Label[], languages: string[]): Label =>
  Object.fromEntries(
    languages.map((language) => [language, labels.map((label) => textIn(label, language)).join(' × ')]),
  )

function assembleFilter(file: ReportFile['filters'][number], pointer: string, scope: AssembleScope): ReportFilter[] {
  const { field: name, label, operator, default: initial, defaultFrom, required, months } = file
  const entity = scope.entity()
  const field = entity.fields[name]
  const { operators } = scope.widgets[field.type]
  openFields([name], entity, pointer, scope)
  if (!scope.isQueried(entity.name, name)) {
    scope.issue('not-stored', pointer, { entity: entity.name, found: name, operation: 'filter by it' })
    return []
  }
  if (operator && !operators.includes(operator))
    scope.issue('unknown-operator', `${pointer}/operator`, {
      entity: entity.name,
      found: name,
      operator,
      allowed: operators,
    })
  if (months !== undefined && grainOf(field, scope) === undefined)
    scope.issue('not-groupable', `${pointer}/months`, { entity: entity.name, found: name, what: 'its months' })
  return [
    {
      field: name,
      label: label ?? field.label,
      operator: operator ?? operators[0],
      required,
      ...(initial !== undefined && { default: initial }),
      ...(defaultFrom && { defaultFrom }),
      ...(months !== undefined && { months }),
    },
  ]
}

/** The list's address, and its available filters. */
function assembleRecords(name: string, scope: AssembleScope): ReportPlan['records'] {
  const screen = scope.screen(name)
  const entity = scope.entity()
  if (screen?.kind !== 'list' || screen.route === undefined || screen.entity !== entity.name) {
    const what = `The records are shown by a list of ${entity.name} with a route, which ${name} is not`
    scope.issue('missing-screen', '/records', { what })
    return undefined
  }
  const file = screen.file as DeclaredScreen['file'] & ListFile
  // Issues in the list's own file are reported there.
  const filters = file.filters
    .filter(({ field }) => entity.fields[field])
    .map(({ field, operator }) => [field, operator ?? scope.widgets[entity.fields[field].type].operators[0]] as const)
  return {
    to: screen.route,
    permission: scope.permissionOfScreen(name),
    filters: Object.fromEntries(filters),
    started: file.filters.filter(startsNarrowed).map(({ field }) => field),
  }
}
