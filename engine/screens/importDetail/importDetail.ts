import { cellField, givenField, optional, resultField, rowEntityOf, shape, string, pathOf } from '../../model/model.ts'
import { titleOf } from '../titleOf.ts'
import type { ActionPlan, AssembleScope, Entity, ImportPlan, Label, ScreenKind, Static } from '../../model/model.ts'
import { assembleActions } from '../action.ts'
import type { ActionFile } from '../action.ts'
import { list } from '../list/list.ts'
import { columnsOf } from '../imports/importPlan.ts'
import type { ImportsFile } from '../imports/importsShape.ts'
import type { ListFile } from '../list/listShape.ts'
import type { ListPlan } from '../list/list.ts'

const importDetailShape = shape({
  of: string({
    names: 'screen',
    pattern: '^[a-z][A-Za-z0-9]*[.]imports$',
    like: 'customer.imports',
    about: { cn: '哪个导入记录页面', en: 'The import screen whose files it shows' },
  }),
  drawer: optional(
    string({
      names: 'screen',
      about: { cn: '“生成数据”在抽屉中打开的页面', en: 'The screen that opens the result record in a drawer' },
    }),
  ),
  result: optional(
    string({
      names: 'link',
      about: { cn: '“生成数据”打开的页面，{target} 为其编号', en: 'Where the result record opens; {target} is its id' },
    }),
  ),
})
export type ImportDetailFile = Static<typeof importDetailShape>

export interface ImportDetailPlan extends ListPlan {
  /** The entities that the view needs besides the rows. */
  entities: string[]
  batch: {
    entity: string
    /** Whether rows that are written can also get hints. */
    givesHints: boolean
    /** The facts about the file, in order. */
    facts: { field: string; link?: string }[]
    actions: ActionPlan[]
    paths: { detail: string; problems: string }
    permission: string
    title: Label
  }
}

/** The rows of one file, each with its result or, before it is written, its expected result. */
export const importDetail: ScreenKind<ImportDetailFile, ImportDetailPlan> = {
  kind: 'importDetail',
  label: { cn: '导入明细', en: 'Import details' },
  shape: importDetailShape,
  data: 'list',
  smallest: (_, { imports }) =>
    imports === undefined ? {} : { of: imports, parent: imports, parameters: ['batchId'] },
  ofNew: ({ name, label, route }) => ({
    route: `${route}/importdetail`,
    of: `${name}.imports`,
    title: titleOf(label, { cn: '{}导入明细', en: '{} import details' }),
    parent: `${name}.imports`,
    result: `${route}/detail?id={target}`,
  }),
  brings: ({ data, file }) => {
    const entityOf = (written: unknown) => {
      const [name, kind] = typeof written === 'string' ? written.split('.') : []
      return name !== undefined && kind === 'imports' && file(kind, name) ? { entity: rowEntityOf(name) } : {}
    }
    return {
      keys: {
        ...entityOf(data.of),
        ...(data.parameters === undefined && { parameters: ['batchId'] }),
        ...variantsOf(data.variants, entityOf),
      },
      files: [],
    }
  },
  assemble(file, scope) {
    const rows = scope.entity()
    const screen = scope.screen(file.of)!
    const batches = scope.catalog.entities[screen.entity!]
    const written = screen.file as unknown as ImportsFile
    const givesHints = written.checks.some(({ hint }) => hint)
    // A column with an unknown field is reported at the import.
    const cellsOf = columnsOf(written, scope.catalog.entities[written.into]).filter(({ field }) =>
      Object.hasOwn(rows.fields, cellField(field)),
    )
    const body = list.assemble(
      {
        ...file,
        columns: rowColumns(file, { scope, written, cells: cellsOf, givesHints }),
        filters: [{ field: 'rowStatus' }, { field: 'rowKey', operator: 'contains' }],
        sort: 'rowNo',
        pageSize: '50',
        where: {},
        tree: false,
        marks: givesHints ? [{ when: 'hinted', tag: 'warning', label: { cn: '提示', en: 'Hint' } }] : [],
        tabs: resultTabs(givesHints),
        actions: [{ action: 'export' }, { action: 'fix' }, ...resultOf(file, scope)],
        endpoints: {},
      },
      scope,
    )
    const ofBatch = { ...scope, entity: () => batches }
    const decisions = assembleActions(
      ['write', 'cancel', 'undo', 'stopUndo'].map((action) => ({ action })),
      { scope: ofBatch, pointer: '', on: 'header' },
    )
    const cells = new Map(cellsOf.map(({ field }) => [cellField(field), field]))
    return {
      ...body,
      entities: [batches.name],
      columns: body.columns.map((column) =>
        cells.has(column.field)
          ? { ...column, problems: { field: 'errors', column: cells.get(column.field)! } }
          : column,
      ),
      batch: {
        givesHints,
        entity: batches.name,
        facts: factsOf(
          batches,
          written.given.map(({ field }) => givenField(field)),
          (screen.file as { details?: string }).details ??
            (file.route === undefined ? undefined : `${file.route}?batchId={id}`),
        ),
        permission: rows.permissions.view,
        title: screen.file.title,
        actions: [
          ...decisions.map((action) => ({ ...action, primary: action.name === 'write' })),
          ...downloadsOf(batches, rows),
        ],
        paths: { detail: pathOf(batches.endpoint, 'detail'), problems: pathOf(batches.endpoint, 'problems') },
      },
    }
  },
}

interface Rows {
  scope: AssembleScope
  written: ImportsFile
  cells: ReturnType<typeof columnsOf>
  givesHints: boolean
}

/** The result of each row, its cells, and its target record. */
function rowColumns(file: ImportDetailFile, { scope, written, cells, givesHints }: Rows): ListFile['columns'] {
  // Cells are as wide as in the list of their target records, so that numbers fit.
  const widthOf = (field: string) => {
    const into = scope.catalog.entities[written.into]?.fields[field]
    return Math.min(220, Math.max(140, into ? (scope.widgets[into.type]?.width(into.options) ?? 0) : 0))
  }
  const column = (field: string, rest: Partial<ListFile['columns'][number]> = {}) => ({
    field,
    sum: false,
    hidden: false,
    ...rest,
  })
  return [
    column('rowNo', { fixed: 'left', width: givesHints ? 128 : 96 }),
    column('rowStatus', { width: 110 }),
    column('errors', { width: 320, ...(givesHints && { label: { cn: '失败原因与提示', en: 'Reasons and hints' } }) }),
    ...cells.map(({ field }) => column(cellField(field), { width: widthOf(field), sort: false })),
    // The import screen reports an entity that does not exist.
    ...(scope.entity().fields.target
      ? [
          column('target', {
            ...(file.result !== undefined && { link: file.result }),
            ...(file.drawer !== undefined && { action: 'result' }),
          }),
        ]
      : []),
    ...written.shows.map((field) => column(resultField(field))),
    column('correctedBy', { hidden: true }),
  ]
}

const resultTabs = (givesHints: boolean): ListFile['tabs'] => [
  { name: 'all', label: { cn: '全部', en: 'All' }, filter: {} },
  { name: 'failed', label: { cn: '失败', en: 'Failed' }, filter: { rowStatus: 'failed' } },
  { name: 'good', label: { cn: '可写入', en: 'Ready to write' }, filter: { rowStatus: ['toCreate', 'toUpdate'] } },
  { name: 'written', label: { cn: '已写入', en: 'Written' }, filter: { rowStatus: ['created', 'updated'] } },
  { name: 'skipped', label: { cn: '已跳过', en: 'Skipped' }, filter: { rowStatus: 'skipped' } },
  ...(givesHints ? [{ name: 'hinted', label: { cn: '有提示', en: 'Hints' }, filter: { hinted: true } }] : []),
]

/** A variant for another import screen shows the rows of that screen's files. */
function variantsOf(variants: unknown, entityOf: (written: unknown) => object): { variants?: unknown } {
  const isObject = (value: unknown): value is Record<string, unknown> =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
  const each = (value: unknown, change: (item: unknown) => unknown) =>
    isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, change(item)])) : value
  return variants === undefined
    ? {}
    : {
        variants: each(variants, (values) =>
          each(values, (variant) => (isObject(variant) ? { ...variant, ...entityOf(variant.of) } : variant)),
        ),
      }
}

/** Opens the target record of a row in a drawer. */
function resultOf({ drawer, of }: ImportDetailFile, scope: AssembleScope): ActionFile[] {
  if (drawer === undefined) return []
  const { into } = scope.screen(of)!.file as unknown as ImportPlan
  return [
    {
      action: 'result',
      label: { cn: '查看', en: 'View' },
      permission: scope.catalog.entities[into].permissions.view,
      on: 'row',
      shownWhen: 'target != null',
      drawer,
      query: { id: '{target}' },
    },
  ]
}

const factsOf = (
  { fields }: Entity,
  given: readonly string[],
  details: string | undefined,
): ImportDetailPlan['batch']['facts'] =>
  [
    'status',
    ...given,
    'totalCount',
    'createCount',
    'updateCount',
    'successCount',
    'undoneCount',
    'skipCount',
    'failCount',
    'updateExisting',
    'corrects',
    'operator',
    'startedAt',
    'finishedAt',
    'remark',
  ]
    .filter((field) => fields[field])
    .map((field) => ({
      field,
      ...(field === 'corrects' && details !== undefined && { link: details.replace('{id}', '{corrects}') }),
    }))

function downloadsOf(batches: Entity, rows: Entity): ActionPlan[] {
  const download = (
    name: 'original' | 'failures',
    label: Label,
    permission: string,
    shownWhen?: string,
  ): ActionPlan => ({
    name,
    label,
    on: 'header',
    permission,
    danger: false,
    primary: false,
    ...(shownWhen !== undefined && { shownWhen }),
    do: { kind: 'download', path: pathOf(batches.endpoint, name), query: { id: '{id}' } },
  })
  return [
    download(
      'failures',
      { cn: '下载失败数据', en: 'Download failures' },
      rows.permissions.export,
      "failCount > 0 && status != 'processing'",
    ),
    download('original', { cn: '下载原文件', en: 'Download original' }, rows.permissions.view),
  ]
}
