import { listTitleOf } from '../titleOf.ts'
import { filterValues, pathOf } from '../../model/model.ts'
import type {
  ActionPlan,
  AssembleScope,
  FilterValue,
  Label,
  MeasurePlan,
  Operator,
  ScreenFile,
  ScreenKind,
} from '../../model/model.ts'
import { assembleActions } from '../action.ts'
import { doubtActions } from '../doubtActions.ts'
import { assembleMeasures } from '../measures.ts'
import { doubtStarts } from './doubtStarts.ts'
import { listShape } from './listShape.ts'
import type { ListFile } from './listShape.ts'

export interface ListColumn {
  field: string
  label: Label
  link?: string
  action?: string
  fixed?: 'left' | 'right'
  width: number
  sum: boolean
  sort: boolean
  hidden: boolean
  /** Its cells are controls if the record and the field may be changed. */
  edit?: true
  /**
   * Where the problems of its values are recorded: in the record's `field`, a list of `{ column, message }`; those with
   * this `column` apply.
   */
  problems?: { field: string; column: string }
}

export interface ListFilter {
  field: string
  label: Label
  operator: Operator
  default?: string
  defaultFrom?: string[]
}
export interface ListPlan {
  search?: Label
  filters: ListFilter[]
  columns: ListColumn[]
  sort?: string
  pageSize: number
  /** `clears`: the filters that have no initial value in it. */
  tabs: { name: string; label: Label; filter: Record<string, FilterValue>; clears?: string[] }[]
  where: Record<string, FilterValue>
  counted?: Record<string, FilterValue>
  /** Parameter of the address → field. */
  narrowedBy?: Record<string, string>
  /** The filter whose tree stands beside the list, and the entity of the tree. */
  beside?: { field: string; entity: string }
  /** `order`: rows can be dragged while they are sorted by its field. */
  tree?: { parent: string; order?: { field: string; path: string; permission: string } }
  marks: { when: string; tag: string; label: Label }[]
  refreshWhen?: string
  /** Requested by the name of the screen. */
  summary?: MeasurePlan[]
  actions: ActionPlan[]
  /** `update`: where edited cells are saved; only for a list with such columns. */
  paths: { list: string; update?: string }
}

export const list: ScreenKind<ListFile, ListPlan> = {
  kind: 'list',
  label: { cn: '列表', en: 'List' },
  shape: listShape,
  data: 'list',
  smallest({ display, allow }, { offered }) {
    const actions = [
      ...(allow.create !== false && offered.includes('create') ? ['create'] : []),
      ...(allow.create !== false && offered.includes('imports') ? ['import'] : []),
      'export',
      ...(offered.includes('detail') ? ['detail'] : []),
      ...(allow.update !== false && offered.includes('edit') ? ['edit'] : []),
      ...(allow.delete !== false ? ['delete'] : []),
    ]
    return { columns: [display], actions }
  },
  ofNew: ({ name, field, label, fieldLabel, route }) => ({
    route,
    entity: name,
    title: listTitleOf(label),
    menu: { order: 10 },
    search: fieldLabel,
    columns: [{ field, link: `${route}/detail?id={id}` }, 'createdBy', 'createdAt'],
    sort: '-createdAt',
    actions: ['create', 'import', 'export', 'edit', 'delete'],
  }),
  always: ({ where }) => where,
  doubt(file, scope) {
    const { search, actions } = file
    const entity = scope.entity()
    doubtStarts(file, scope)
    if (search && entity.search.length === 0)
      scope.issue('idle-search', '/search', { entity: entity.name, see: entity.file })
    doubtActions(actions, '/actions', scope)
  },
  assemble(file, scope) {
    const { endpoint, tree, permissions } = scope.entity()
    const actions = assembleActions(file.actions, { scope, pointer: '/actions', on: 'row' })
    return {
      ...(file.search && { search: file.search }),
      filters: file.filters.flatMap((filter, index) => assembleFilter(filter, `/filters/${index}`, scope)),
      columns: file.columns.map((column, index) => assembleColumn(column, `/columns/${index}`, scope, actions)),
      ...(file.sort !== undefined && { sort: file.sort }),
      pageSize: Number(file.pageSize),
      tabs: file.tabs.map((tab) => ({ ...tab, filter: filterValues(tab.filter) })),
      where: filterValues(file.where),
      ...(file.counted && { counted: filterValues(file.counted) }),
      ...(file.narrowedBy && { narrowedBy: assembleNarrowing(file.narrowedBy, file.parameters, scope) }),
      ...assembleBeside(file, scope),
      ...(file.tree &&
        tree && {
          tree: {
            parent: tree.parent,
            ...(tree.order !== undefined && {
              order: { field: tree.order, path: pathOf(endpoint, 'order'), permission: permissions.update },
            }),
          },
        }),
      marks: file.marks,
      ...(file.refreshWhen !== undefined && { refreshWhen: file.refreshWhen }),
      ...(file.summary && { summary: assembleMeasures(file.summary, scope.entity(), '/summary', scope) }),
      actions,
      paths: {
        list: file.endpoints.list ?? pathOf(endpoint, 'list'),
        ...(file.columns.some(({ edit }) => edit) && { update: file.endpoints.update ?? pathOf(endpoint, 'update') }),
      },
    }
  },
}

/** Only parameters that the screen declares are part of its address, and only stored fields can be filtered. */
function assembleNarrowing(
  narrowedBy: Record<string, string>,
  parameters: ScreenFile['parameters'],
  scope: AssembleScope,
): Record<string, string> {
  const entity = scope.entity()
  for (const [parameter, field] of Object.entries(narrowedBy)) {
    const pointer = `/narrowedBy/${parameter}`
    if (!parameters.some(({ name }) => name === parameter))
      scope.issue('missing-parameter', pointer, { screen: 'that it narrows', found: parameter })
    if (!scope.isQueried(entity.name, field))
      scope.issue('not-stored', pointer, { entity: entity.name, found: field, operation: 'filter by it' })
  }
  return narrowedBy
}

function assembleFilter(filter: ListFile['filters'][number], pointer: string, scope: AssembleScope): ListFilter[] {
  const { field: name, label, operator, default: initial, defaultFrom } = filter
  const entity = scope.entity()
  const field = entity.fields[name]
  const { operators } = scope.widgets[field.type]
  if (!scope.isQueried(entity.name, name)) {
    scope.issue('not-stored', pointer, { entity: entity.name, found: name, operation: 'filter by it' })
    return []
  }
  if (operator && !operators.includes(operator)) {
    scope.issue('unknown-operator', `${pointer}/operator`, {
      entity: entity.name,
      found: name,
      operator,
      allowed: operators,
    })
  }
  const rest = { ...(initial !== undefined && { default: initial }), ...(defaultFrom && { defaultFrom }) }
  return [{ field: name, label: label ?? field.label, operator: operator ?? operators[0], ...rest }]
}

/** It must be one of the filters, and one that also finds what is below a node. */
function assembleBeside({ beside, filters }: ListFile, scope: AssembleScope): Pick<ListPlan, 'beside'> {
  if (beside === undefined) return {}
  const { type, options } = scope.entity().fields[beside]
  const { operators, target } = scope.widgets[type]
  const entity = operators.includes('under') ? target?.(options)?.entity : undefined
  if (entity !== undefined && filters.some(({ field }) => field === beside))
    return { beside: { field: beside, entity } }
  scope.issue('no-tree-filter', '/beside', { found: beside })
  return {}
}

function assembleColumn(
  column: ListFile['columns'][number],
  pointer: string,
  scope: AssembleScope,
  actions: ActionPlan[],
): ListColumn {
  const entity = scope.entity()
  const field = entity.fields[column.field]
  const widget = scope.widgets[field.type]
  const stored = scope.isQueried(entity.name, column.field)
  const what = { entity: entity.name, found: column.field }
  const ofRow = actions.filter(({ on }) => on === 'row').map(({ name }) => name)
  if (column.action !== undefined && !ofRow.includes(column.action)) {
    scope.issue('unlisted-action', `${pointer}/action`, { found: column.action, allowed: ofRow })
  }
  if (column.sum && !widget.summable) scope.issue('not-summable', `${pointer}/sum`, what)
  else if (column.sum && !stored) scope.issue('not-stored', `${pointer}/sum`, { ...what, operation: 'sum it' })
  if (column.sort && !widget.sortable) scope.issue('not-sortable', `${pointer}/sort`, what)
  else if (column.sort && !stored) scope.issue('not-stored', `${pointer}/sort`, { ...what, operation: 'sort by it' })
  if (column.edit) checkEdited(column, `${pointer}/edit`, scope)
  return {
    field: column.field,
    label: column.label ?? field.label,
    ...(column.link !== undefined && { link: column.link }),
    ...(column.action !== undefined && { action: column.action }),
    ...(column.fixed && { fixed: column.fixed }),
    width: column.width ?? widget.width(field.options),
    sum: column.sum,
    sort: (column.sort ?? widget.sortable) && stored,
    hidden: column.hidden,
    ...(column.edit && { edit: true as const }),
  }
}

/** A record that may not be changed at the moment is checked in its cell; a field that never can be is a mistake. */
function checkEdited(
  { field: name, link, action }: ListFile['columns'][number],
  pointer: string,
  scope: AssembleScope,
): void {
  const { name: entity, fields, allow, rowOf, engine } = scope.entity()
  const { readOnly, computed, type, options } = fields[name]
  const widget = scope.widgets[type]
  if (allow.update === false || rowOf !== undefined || engine !== undefined)
    return scope.issue('not-permitted', pointer, { entity, found: 'edit' })
  const isSystems = readOnly || computed !== undefined || (widget.series !== undefined && !widget.given?.(options))
  const reason = isSystems
    ? 'only the system writes it'
    : widget.html || widget.target?.(options)?.rows
      ? 'what it holds is too large for one'
      : link !== undefined || action !== undefined
        ? 'a click on the cell opens something else'
        : undefined
  if (reason !== undefined) scope.issue('not-editable', pointer, { entity, found: name, reason })
}
