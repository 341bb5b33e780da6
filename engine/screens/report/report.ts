import { nearestName } from '../../expression/index.ts'
import {
  boolean,
  fieldName,
  filter,
  filterValues,
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
import { textIn } from '../../model/language.ts'
import type {
  AssembleScope,
  DeclaredScreen,
  GroupPlan,
  Label,
  MeasurePlan,
  ReportAction,
  ReportChart,
  ReportFilter,
  ReportPlan,
  ReportTab,
  ScreenKind,
  Static,
} from '../../model/model.ts'
import { assembleActions } from '../action.ts'
import { assembleChart, drawingShape, checkMeasures } from '../charts.ts'
import { startsNarrowed } from '../list/list.ts'
import type { ListFile } from '../list/list.ts'
import {
  assembleGroupKeys,
  assembleMeasures,
  grainOf,
  groupKeysShape,
  comparedMeasuresShape,
  openFields,
  shownField,
} from '../measures.ts'

const reportShape = shape({
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
        tab: optional(string({ about: { cn: '只在此页签显示', en: 'Only beside this tab' } })),
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

/** Figures over an entity's records, grouped as the reader chooses. Computed on each request, never stored. */
export const report: ScreenKind<ReportFile, ReportPlan> = {
  kind: 'report',
  label: { cn: '报表', en: 'Report' },
  shape: reportShape,
  data: 'list',
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

function assembleTab(
  tab: ReportFile['tabs'][number],
  { measures, groups }: Omit<Parts, 'tabs'>,
  pointer: string,
  scope: AssembleScope,
): ReportTab {
  const { name, label, permission, columns, sort } = tab
  checkMeasures(
    columns.map(({ measure }) => measure),
    measures,
    (index) => `${pointer}/columns/${index}`,
    scope,
  )
  if (sort !== undefined) checkMeasures([sort.replace(/^-/, '')], measures, () => `${pointer}/sort`, scope)
  return {
    name,
    label,
    ...(permission !== undefined && { permission: scope.permission(permission) }),
    ...(sort !== undefined && { sort }),
    columns: columns.flatMap((column) => {
      const field = measures.find((one) => one.name === column.measure)?.field
      return field
        ? [
            {
              ...column,
              label: column.label ?? field.label,
              width: column.width ?? scope.widgets[field.type].width(field.options),
            },
          ]
        : []
    }),
    ...(tab.actions.length > 0 && {
      actions: assembleTabActions(tab, { measures, groups }, `${pointer}/actions`, scope),
    }),
  }
}

/** Each is what a list offers for ticked records. */
function assembleTabActions(
  { columns, actions }: ReportFile['tabs'][number],
  { measures, groups }: Omit<Parts, 'tabs'>,
  pointer: string,
  scope: AssembleScope,
): ReportAction[] {
  const shown = measures.filter(
    ({ name, value }) => !['formula', 'change'].includes(value.kind) && columns.some(({ measure }) => measure === name),
  )
  checkMeasures(
    actions.map(({ measure }) => measure),
    shown,
    (index) => `${pointer}/${index}/measure`,
    scope,
  )
  const groupNames = groups.map(({ name }) => name)
  return actions.flatMap(({ action, measure, groups: only, label, confirm }, index): ReportAction[] => {
    only?.forEach((found, at) => {
      if (!groupNames.includes(found))
        scope.issue('unknown-group', `${pointer}/${index}/groups/${at}`, {
          found,
          allowed: groupNames,
          suggestion: nearestName(found, groupNames),
        })
    })
    const [plan] = assembleActions([{ action, on: 'batch', ...(label && { label }), ...(confirm && { confirm }) }], {
      scope,
      pointer,
      on: 'batch',
    })
    return plan ? [{ measure, ...(only && { groups: only }), plan }] : []
  })
}

interface Parts {
  measures: MeasurePlan[]
  groups: GroupPlan[]
  tabs: ReportFile['tabs']
}

function assembleReportChart(
  file: ReportFile['charts'][number],
  { measures, groups, tabs }: Parts,
  pointer: string,
  scope: AssembleScope,
): ReportChart {
  const { name, label, permission, group, tab } = file
  const known = (found: string, allowed: string[]) => ({ found, allowed, suggestion: nearestName(found, allowed) })
  const [groupNames, tabNames] = [groups, tabs].map((named) => named.map((one) => one.name))
  if (group !== undefined && !groupNames.includes(group))
    scope.issue('unknown-group', `${pointer}/group`, known(group, groupNames))
  if (tab !== undefined && !tabNames.includes(tab))
    scope.issue('not-allowed-value', `${pointer}/tab`, known(tab, tabNames))
  return {
    name,
    label,
    ...assembleChart(file, measures, pointer, scope),
    ...(permission !== undefined && { permission: scope.permission(permission) }),
    ...(group !== undefined && { group }),
    ...(tab !== undefined && { tab }),
  }
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
