import {
  boolean,
  condition,
  either,
  endpoints,
  entityName,
  fieldName,
  label,
  list,
  oneOf,
  optional,
  shape,
  shorthand,
  string,
  integer,
  pathOf,
} from '../../model/model.ts'
import type { ActionPlan, AssembleScope, DetailGroups, Label, ScreenKind, Static } from '../../model/model.ts'
import { actionsShape, assembleActions } from '../action.ts'
import { openersOf } from '../standardAction.ts'
import { assembleGroupKeys, groupKeysShape } from '../groupKeys.ts'
import { assembleMeasures } from '../measures.ts'
import { measuresShape } from '../measuresShape.ts'
import { checkId } from '../checkId.ts'
import { titleOf } from '../titleOf.ts'

const detailField = shorthand(
  'field',
  shape({ field: fieldName(), label: optional(label()), span: optional(integer({ minimum: 4, maximum: 24 })) }),
)

const relatedShape = shape({
  screen: string({ names: 'screen', scope: true }),
  by: fieldName(),
  from: optional(
    string({
      names: 'ownField',
      about: {
        cn: '本记录的字段，与 by 相等者列出；缺省为引用本记录',
        en: 'The field of this record that must equal "by"; by default "by" is a reference to this record',
      },
    }),
  ),
})
type RelatedFile = Static<typeof relatedShape>

const detailShape = shape({
  /** Shown at the top, beside the record's name. */
  header: list(fieldName(), { distinct: true, default: [] }),
  actions: actionsShape,
  tabs: list(
    shape({
      name: string(),
      label: label(),
      shownWhen: optional(condition()),
      sections: optional(
        list(
          shape({
            title: optional(label()),
            fields: list(detailField, { minItems: 1, distinct: ['field'] }),
            visibleWhen: optional(condition()),
          }),
        ),
      ),
      /**
       * Fields of the record, or of the newest record whose reference `by` is this one, as a table with a row for each
       * subject of the columns.
       */
      table: optional(
        shape(
          {
            entity: optional(
              entityName({
                about: {
                  cn: '字段属于此实体中引用本记录的最新一条；缺省为本记录',
                  en: "Shows the fields of the newest record of this entity that refers to this record, instead of this record's own",
                },
              }),
            ),
            by: optional(fieldName({ about: { cn: '指向本记录的引用字段', en: 'Its reference to this record' } })),
            columns: list(label(), { minItems: 1 }),
            rows: list(shape({ label: optional(label()), fields: list(fieldName(), { minItems: 1 }) }), {
              minItems: 1,
            }),
          },
          {
            about: {
              cn: '把记录的字段排成表格，每行的字段与各列对应，行名默认为首个字段的名称',
              en: 'Fields as a table: each row has one field per column; without a label it takes that of its first field',
            },
          },
        ),
      ),
      /**
       * A list screen, narrowed to the records whose reference `by` is this one, or whose field `by` equals this
       * record's field `from`; or several, stacked under their titles.
       */
      related: optional(either<RelatedFile | RelatedFile[]>([relatedShape, list(relatedShape, { minItems: 1 })])),
      /** Figures of the records whose reference `by` is this one, grouped by these values. */
      grouped: optional(
        shape({ entity: entityName(), by: fieldName(), groupBy: groupKeysShape, measures: measuresShape }),
      ),
      /** The change history of the record. */
      history: optional(boolean()),
    }),
    { minItems: 1, distinct: ['name'] },
  ),
  /** Links to the previous and next record with the same value of the reference `by`. */
  neighbours: optional(shape({ by: fieldName(), sort: string({ names: 'sort' }) })),
  notices: list(
    shape({
      when: condition(),
      kind: oneOf(['info', 'warning', 'error'], { default: 'info' }),
      title: label(),
      field: optional(fieldName()),
    }),
    { default: [] },
  ),
  endpoints: endpoints('detail', 'history'),
})
export type DetailFile = Static<typeof detailShape>

export interface DetailTab {
  name: string
  label: Label
  shownWhen?: string
  sections?: { title?: Label; visibleWhen?: string; fields: { field: string; label: Label; span: number }[] }[]
  table?: { columns: Label[]; rows: { label: Label; fields: string[] }[]; of?: { entity: string; by: string } }
  related?: { screen: string; title: Label; by: string; from?: string }[]
  grouped?: DetailGroups
  history?: boolean
}
export interface DetailPlan {
  header: string[]
  actions: ActionPlan[]
  tabs: DetailTab[]
  notices: DetailFile['notices']
  neighbours?: { by: string; sort: string; path: string }
  /** The entities of its tabs, besides its own. */
  entities: string[]
  paths: { detail: string; history: string }
}

export const detail: ScreenKind<DetailFile, DetailPlan> = {
  kind: 'detail',
  label: { cn: '详情', en: 'Detail' },
  shape: detailShape,
  data: 'one',
  openedBy: openersOf('detail'),
  smallest: ({ display, label }) => ({
    parameters: ['id'],
    tabs: [{ name: 'basic', label, sections: [{ fields: [display] }] }],
  }),
  ofNew: ({ name, field, label, route, parent }) => ({
    route: `${route}/detail`,
    entity: name,
    title: titleOf(label, { cn: '{}详情', en: '{} details' }),
    parent,
    parameters: ['id'],
    actions: ['edit', 'delete'],
    tabs: [
      {
        name: 'basic',
        label: { cn: '基本信息', en: 'Basic' },
        sections: [{ title: label, fields: [field, 'createdBy', 'createdAt'] }],
      },
    ],
  }),
  doubt({ header, tabs }, scope) {
    for (const [tab, { sections = [] }] of tabs.entries())
      for (const [section, { fields }] of sections.entries())
        for (const [index, { field }] of fields.entries())
          if (header.includes(field))
            scope.issue('shown-twice', `/tabs/${tab}/sections/${section}/fields/${index}`, { found: field })
  },
  assemble(file, scope) {
    const { endpoint } = scope.entity()
    checkId(file.parameters, scope)
    const tabs = file.tabs.map((tab, index) => assembleTab(tab, `/tabs/${index}`, scope))
    return {
      header: file.header,
      actions: assembleActions(file.actions, { scope, pointer: '/actions', on: 'header' }),
      tabs,
      entities: [
        ...new Set(tabs.flatMap(({ grouped, table }) => [grouped?.entity ?? [], table?.of?.entity ?? []].flat())),
      ],
      ...(file.neighbours && { neighbours: { ...file.neighbours, path: pathOf(endpoint, 'list') } }),
      notices: file.notices,
      paths: {
        detail: file.endpoints.detail ?? pathOf(endpoint, 'detail'),
        history: file.endpoints.history ?? pathOf(endpoint, 'history'),
      },
    }
  },
}

function assembleTab(tab: DetailFile['tabs'][number], pointer: string, scope: AssembleScope): DetailTab {
  const { name, label, shownWhen, sections, table, related, grouped, history } = tab
  const { fields } = scope.entity()
  if (grouped) checkRelated(grouped.entity, grouped.by, `${pointer}/grouped/by`, scope)
  return {
    name,
    label,
    ...(shownWhen !== undefined && { shownWhen }),
    ...(table && { table: assembleTable(table, `${pointer}/table`, scope) }),
    ...(related && { related: assembleRelated(related, `${pointer}/related`, scope) }),
    ...(grouped && { grouped: assembleGrouped(grouped, `${pointer}/grouped`, scope) }),
    ...(history !== undefined && { history }),
    ...(sections && {
      sections: sections.map((section) => ({
        ...section,
        fields: section.fields.map(({ field, label, span }) => ({
          field,
          label: label ?? fields[field].label,
          span: span ?? spanOf(field, scope),
        })),
      })),
    }),
  }
}

const assembleRelated = (
  written: RelatedFile | RelatedFile[],
  pointer: string,
  scope: AssembleScope,
): NonNullable<DetailTab['related']> =>
  [written].flat().map((related, index) => {
    const { screen: name, by, from } = related
    const screen = scope.screen(name)
    const place = `${pointer}${Array.isArray(written) ? `/${index}` : ''}`
    if (screen && screen.kind !== 'list') {
      const lists = screen.entity === undefined ? [] : scope.screensOf(screen.entity, 'list')
      const allowed = lists.map((list) => list.name)
      scope.issue('not-a-list', `${place}/screen`, { found: name, kind: screen.kind, allowed })
    }
    const at = `${place}/by`
    if (from !== undefined) checkEqual(screen?.entity, by, from, at, scope)
    else checkRelated(screen?.entity, by, at, scope)
    return { ...related, title: screen?.file.title ?? scope.entity().label }
  })

function assembleTable(
  { entity: other, by = '', columns, rows }: NonNullable<DetailFile['tabs'][number]['table']>,
  pointer: string,
  scope: AssembleScope,
): NonNullable<DetailTab['table']> {
  if (other !== undefined) checkRelated(other, by, `${pointer}/${by === '' ? 'entity' : 'by'}`, scope)
  const { fields: entityFields } = other === undefined ? scope.entity() : scope.catalog.entities[other]
  rows.forEach(({ fields }, index) => {
    if (fields.length !== columns.length)
      scope.issue('uneven-row', `${pointer}/rows/${index}/fields`, { found: fields.length, limit: columns.length })
  })
  return {
    columns,
    rows: rows.map(({ label, fields }) => ({ label: label ?? entityFields[fields[0]].label, fields })),
    ...(other !== undefined && { of: { entity: other, by } }),
  }
}

/** Rows, rich text and files take the full width. */
function spanOf(name: string, scope: AssembleScope): number {
  const field = scope.entity().fields[name]
  const widget = scope.widgets[field.type]
  return widget.html || widget.files || widget.target?.(field.options)?.rows ? 24 : 8
}

function assembleGrouped(
  { entity: name, by, groupBy, measures }: NonNullable<DetailFile['tabs'][number]['grouped']>,
  pointer: string,
  scope: AssembleScope,
): DetailGroups {
  const entity = scope.catalog.entities[name]
  return {
    entity: name,
    permission: entity.permissions.view,
    by,
    keys: assembleGroupKeys(groupBy, entity, `${pointer}/groupBy`, scope),
    measures: assembleMeasures(measures, entity, `${pointer}/measures`, scope),
  }
}

function checkRelated(other: string | undefined, by: string, pointer: string, scope: AssembleScope): void {
  const { name: entity } = scope.entity()
  const field = other === undefined ? undefined : scope.catalog.entities[other].fields[by]
  const target = field && scope.widgets[field.type].target?.(field.options)
  if (target?.entity !== entity) scope.issue('not-a-reference', pointer, { entity: other, found: by, target: entity })
}

/** Both are texts, or references to the same entity, and the server can filter by the other. */
function checkEqual(other: string | undefined, by: string, from: string, pointer: string, scope: AssembleScope): void {
  const own = scope.entity().fields[from]
  const field = other === undefined ? undefined : scope.catalog.entities[other].fields[by]
  if (!field || !own) return
  const kindOf = (field: typeof own) =>
    scope.widgets[field.type].target?.(field.options)?.entity ?? scope.widgets[field.type].expression
  if (kindOf(field) !== kindOf(own)) scope.issue('unequal-fields', pointer, { entity: other, found: by, field: from })
  else if (!scope.isQueried(other!, by))
    scope.issue('not-stored', pointer, { entity: other, found: by, operation: 'filter by it' })
}
