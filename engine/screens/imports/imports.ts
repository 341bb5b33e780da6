import {
  batchEntityOf,
  boolean,
  givenField,
  condition,
  either,
  entityName,
  fieldName,
  filter,
  filterValues,
  formula,
  integer,
  label,
  list as listOf,
  oneOf,
  optional,
  record,
  rowEntityOf,
  shape,
  shorthand,
  string,
  pathOf,
} from '../../model/model.ts'
import { titleOf } from '../titleOf.ts'
import { textIn } from '../../model/language.ts'
import type {
  ActionPlan,
  AssembleScope,
  Entity,
  ImportColumn,
  ImportPlan,
  ScreenKind,
  Static,
} from '../../model/model.ts'
import { assembleActions } from '../action.ts'
import { list } from '../list/list.ts'
import type { ListFile, ListPlan } from '../list/list.ts'
import { arranged, findColumn } from './arranged.ts'
import { broughtBy } from './brought.ts'
import { doubtImport } from './doubts.ts'

export const mostRows = 200_000

const importsShape = shape({
  into: entityName({ own: true, about: { cn: '写入哪个实体', en: 'The entity whose records it writes' } }),
  columns: listOf(
    shorthand(
      'field',
      shape({
        field: fieldName(),
        label: optional(label()),
        required: optional(
          boolean({
            about: {
              cn: '模板中标记为必填',
              en: 'Whether the template marks it as required; by default as in the field',
            },
          }),
        ),
        note: optional(label({ about: { cn: '模板中的填写说明', en: 'A note in the template' } })),
        sample: optional(string({ about: { cn: '示例行中的值', en: 'Its value in the sample row' } })),
        compared: boolean({
          default: false,
          about: { cn: '只与系统数据核对，不写入', en: 'Must match the record; it is not written' },
        }),
        sameAs: optional(
          fieldName({ about: { cn: '填“同上”时取此列', en: 'The column whose value 同上 ("as above") stands for' } }),
        ),
        after: optional(
          string({
            about: {
              cn: '排在哪一列之后：字段或列名',
              en: 'The column that it follows, by field or by heading in any language',
            },
          }),
        ),
      }),
    ),
    { minItems: 1, distinct: ['field'] },
  ),
  without: listOf(string(), {
    default: [],
    about: { cn: '不要的列：字段或列名', en: 'Columns to leave out, by field or by heading in any language' },
  }),
  key: listOf(fieldName(), {
    minItems: 1,
    distinct: true,
    about: { cn: '匹配已有数据的列', en: 'The columns that identify the record of a row' },
  }),
  existing: oneOf(['refuse', 'skip', 'update', 'choose'], {
    default: 'skip',
    about: { cn: '已存在的数据：拒绝、跳过、更新、上传时选择', en: 'A row whose record is there' },
  }),
  missing: oneOf(['create', 'refuse'], {
    default: 'create',
    about: { cn: '不存在的数据：新增、拒绝', en: 'What happens to a row whose record does not exist' },
  }),
  among: filter({ default: {}, about: { cn: '只在这些记录中匹配', en: 'Limits the records that the key may find' } }),
  prefer: filter({
    default: {},
    about: {
      cn: '同一匹配值有多条记录时取符合此条件的那一条，否则报错',
      en: 'Chooses among several records with the same key; if it does not leave exactly one, the row is refused',
    },
  }),
  together: optional(
    shape(
      {
        sum: fieldName({ about: { cn: '各记录的金额', en: 'The amount of each of the records' } }),
        as: fieldName({ about: { cn: '与合计比较的列', en: 'The column that is compared with the sum' } }),
      },
      {
        about: {
          cn: '同一匹配值有多条记录、prefer 一条也不选时：该行若最接近全部之和，即指全部，并更新第一条；否则报错',
          en: 'Where prefer chooses none of several records with the same key: a row nearest to the sum of all means all of them and updates the first; otherwise it is refused',
        },
      },
    ),
  ),
  updateWhen: optional(condition({ about: { cn: '允许更新的条件', en: 'May a row update this record?' } })),
  updateMessage: optional(
    label({
      fills: { words: [], fields: true },
      about: { cn: '不允许更新时的提示', en: 'The message for a record that a row may not update' },
    }),
  ),
  checks: listOf(
    shape({
      check: condition(),
      when: optional(condition()),
      at: fieldName(),
      message: label({ fills: { words: [], fields: true } }),
      hint: boolean({
        default: false,
        about: { cn: '只提示，不阻止写入', en: 'If true, it is only a hint: it is shown, and the row is written' },
      }),
    }),
    { default: [], about: { cn: '仅导入时检查的规则', en: "Rules of this import, in addition to the entity's" } },
  ),
  given: listOf(
    shorthand(
      'field',
      shape({
        field: fieldName(),
        required: boolean({ default: false }),
        label: optional(label()),
        defaultFrom: optional(formula()),
      }),
    ),
    {
      default: [],
      distinct: ['field'],
      about: {
        cn: '上传时为整个文件填写的字段：空单元格取其值，其他值报错',
        en: 'Fields prompted for at the upload, for the whole file: a row without a value takes the one given, a row with another value is refused',
      },
    },
  ),
  shows: listOf(fieldName(), {
    distinct: true,
    default: [],
    about: {
      cn: '明细中显示生成数据的哪些字段',
      en: 'Fields of the resulting record shown beside the row',
    },
  }),
  set: record(formula(), {
    keys: 'field',
    default: {},
    about: { cn: '字段 → 表达式', en: 'Field → expression over the row' },
  }),
  transition: optional(
    either<string | { by: string; of: Record<string, string> }>(
      [string({ names: 'transition' }), shape({ by: fieldName(), of: record(string({ names: 'transition' })) })],
      {
        about: {
          cn: '写入后执行的状态变更；或按某列的值各执行一种',
          en: 'The action that runs on the record after it is written; or one for each value of a column',
        },
      },
    ),
  ),
  foresee: optional(
    string({
      names: 'procedure',
      about: {
        cn: '写入前算出每行结果的过程：供提示使用的值，以及发现的问题',
        en: 'A procedure that runs before writing and computes, for each valid row, values for hints and further problems',
      },
    }),
  ),
  finish: optional(
    string({
      names: 'procedure',
      about: {
        cn: '整批写入或撤销之后执行的过程',
        en: 'A procedure that runs after all rows are written, and after an undo',
      },
    }),
  ),
  asks: boolean({
    default: true,
    about: { cn: '全部正确时也要确认', en: 'Also asks for confirmation if the file has no errors' },
  }),
  maxRows: integer({
    default: mostRows,
    minimum: 1,
    maximum: mostRows,
    about: { cn: '最多行数', en: 'The most rows of a file' },
  }),
  details: optional(
    string({
      names: 'link',
      about: {
        cn: '导入明细的地址，{id} 为批次',
        en: 'The address that shows the rows of a file; {id} is the batch. By default the import detail screen',
      },
    }),
  ),
  permissionName: optional(
    string({
      pattern: '^[a-z][A-Za-z0-9]*$',
      like: 'customerImport',
      about: { cn: '权限标识的中间一段', en: 'The middle part of its permissions' },
    }),
  ),
})
export type ImportsFile = Static<typeof importsShape>
export type ImportsPlan = ListPlan & { import: ImportPlan }

/** Keeps figures and state visible beside the actions, without scrolling. */
const widths: Record<string, number> = {
  batchNo: 150,
  fileName: 200,
  totalCount: 96,
  successCount: 96,
  skipCount: 96,
  failCount: 96,
  status: 132,
}

/** The imported files and their upload. The screen adds its own entities. */
export const imports: ScreenKind<ImportsFile, ImportsPlan> = {
  kind: 'imports',
  label: { cn: '导入记录', en: 'Import records' },
  shape: importsShape,
  data: 'list',
  doubt(file, scope) {
    doubtImport(file, scope)
    const name = scope.entity().name.slice(0, -batchEntityOf('').length)
    // One without a page of its own is followed where its file was uploaded.
    if (file.route !== undefined && detailsOf(file, name, scope) === undefined)
      scope.issue('missing-details', '/into', { found: `${name}.imports` })
  },
  smallest: ({ name, display, fields }, { asked }) => ({
    into: name,
    key: [asked.find((field) => field === display) ?? asked[0]],
    columns: asked.filter((field, place) => field === display || fields[field].required || place === 0),
  }),
  ofNew: ({ name, field, label, route, parent }) => ({
    route: `${route}/import`,
    into: name,
    title: titleOf(label, { cn: '{}导入', en: '{} import' }),
    parent,
    key: [field],
    columns: [field],
  }),
  brings: ({ name, area, data, file, areaOf }) => ({
    keys: { entity: batchEntityOf(name) },
    files: broughtBy(name, area, data, {
      file: (entity) => file('entity', entity),
      areaOf: (entity) => areaOf('entity', entity),
    }),
  }),
  assemble(file, scope) {
    const batches = scope.entity()
    const name = batches.name.slice(0, -batchEntityOf('').length)
    checkColumns(file, scope)
    const details = detailsOf(file, name, scope)
    const columns: ListFile['columns'] = [
      'batchNo',
      'fileName',
      ...file.given.map(({ field }) => givenField(field)),
      'totalCount',
      'successCount',
      'skipCount',
      'failCount',
      'status',
      'failReason',
      'operator',
      'startedAt',
      'finishedAt',
      'remark',
    ].map((field) => ({
      field,
      sum: false,
      hidden: false,
      ...(field in widths && { width: widths[field] }),
      ...(field === 'batchNo' && { fixed: 'left' as const, ...(details !== undefined && { link: details }) }),
    }))
    const plan = list.assemble(
      {
        ...file,
        columns,
        filters: ['status', 'operator', 'startedAt'].map((field) => ({ field })),
        sort: '-startedAt',
        pageSize: '20',
        tabs: [],
        where: {},
        search: { cn: '批次号/文件名', en: 'Batch no. or file name' },
        tree: false,
        marks: [],
        actions: [],
        endpoints: {},
        refreshWhen: "status in ['processing', 'undoing']",
      },
      scope,
    )
    return { ...plan, actions: actionsOf(scope, details), import: planOf(file, name, scope) }
  },
}

function detailsOf(file: ImportsFile, name: string, scope: AssembleScope): string | undefined {
  const route = scope.screensOf(rowEntityOf(name), 'importDetail')[0]?.route
  return file.details ?? (route === undefined ? undefined : `${route}?batchId={id}`)
}

/** The columns of a file's template, in order. */
export const columnsOf = (
  { columns, without }: Pick<ImportsFile, 'columns' | 'without'>,
  entity: Entity | undefined,
): ImportsFile['columns'] => arranged(columns, without, ({ field }) => entity?.fields[field]?.label)

function planOf(file: ImportsFile & { title: ImportPlan['title'] }, name: string, scope: AssembleScope): ImportPlan {
  const { fields } = scope.catalog.entities[file.into]
  const details = detailsOf(file, name, scope)
  /** Every upload gives it, so that no row needs it, unless what it says is compared. */
  const isGiven = (name: string, isCompared: boolean) =>
    !isCompared && file.given.some(({ field, required }) => field === name && required)
  return {
    into: file.into,
    batches: batchEntityOf(name),
    rows: rowEntityOf(name),
    title: file.title,
    columns: columnsOf(file, scope.catalog.entities[file.into]).map(
      ({ field, label, required, note, sample, compared, sameAs }): ImportColumn => ({
        field,
        label: label ?? fields[field].label,
        required: isGiven(field, compared) ? false : (required ?? (fields[field].required || file.key.includes(field))),
        compared,
        ...(note && { note }),
        ...(sample !== undefined && { sample }),
        ...(sameAs !== undefined && { sameAs }),
      }),
    ),
    given: file.given.map(({ field, label: own }) => ({
      field,
      kept: givenField(field),
      label: own ?? fields[field].label,
    })),
    among: filterValues(file.among),
    prefer: filterValues(file.prefer),
    ...(file.together && { together: file.together }),
    checks: file.checks,
    ...(details !== undefined && { details }),
    ...(file.updateMessage && { updateMessage: file.updateMessage }),
    key: file.key,
    existing: file.existing,
    missing: file.missing,
    set: file.set,
    asks: file.asks,
    maxRows: file.maxRows,
    ...(file.updateWhen !== undefined && { updateWhen: file.updateWhen }),
    ...(file.transition !== undefined && { transition: file.transition }),
    ...(file.foresee !== undefined && { foresee: file.foresee }),
    ...(file.finish !== undefined && { finish: file.finish }),
  }
}

/** A field that a sheet cannot hold is not a column, and fields that identify records are. */
function checkColumns(file: ImportsFile, scope: AssembleScope): void {
  const { into, key, together, transition } = file
  const { fields } = scope.catalog.entities[into]
  checkArrangement(file, fields, scope)
  const columns = columnsOf(file, scope.catalog.entities[into])
  if (typeof transition === 'object' && !columns.some(({ field }) => field === transition.by)) {
    scope.issue('unlisted-column', '/transition/by', {
      found: transition.by,
      allowed: columns.map(({ field }) => field),
    })
  }
  file.columns.forEach(({ field, sameAs }, index) => {
    if (!scope.widgets[fields[field].type].sheet)
      scope.issue('no-sheet', `/columns/${index}`, { entity: into, found: field })
    if (sameAs !== undefined && !columns.some((other) => other.field === sameAs)) {
      scope.issue('unlisted-column', `/columns/${index}/sameAs`, {
        found: sameAs,
        allowed: columns.map((column) => column.field),
      })
    }
  })
  if (together) {
    const { sum, as } = together
    for (const [word, field] of Object.entries({ sum, as }))
      if (!scope.widgets[fields[field].type].summable)
        scope.issue('not-summable', `/together/${word}`, { entity: into, found: field })
    if (!columns.some(({ field }) => field === as))
      scope.issue('unlisted-column', '/together/as', { found: as, allowed: columns.map(({ field }) => field) })
  }
  key.forEach((field, index) => {
    // A value computed from the row needs no column.
    if (fields[field].computed?.kind !== 'formula' && !columns.some((column) => column.field === field)) {
      scope.issue('unlisted-column', `/key/${index}`, { found: field, allowed: columns.map((column) => column.field) })
    }
  })
}

/** `after` and `without` must name existing columns. */
function checkArrangement({ columns, without }: ImportsFile, fields: Entity['fields'], scope: AssembleScope): void {
  const labelOf = ({ field }: { field: string }) => fields[field].label
  const allowed = columns.map((column) => textIn(column.label ?? labelOf(column), scope.catalog.app.languages[0]))
  const check = (name: string, pointer: string, others: ImportsFile['columns']) => {
    if (!findColumn(others, name, labelOf)) scope.issue('unlisted-column', pointer, { found: name, allowed })
  }
  const left = arranged(columns, without, labelOf)
  columns.forEach((column, index) => {
    if (column.after !== undefined)
      check(
        column.after,
        `/columns/${index}/after`,
        left.filter((other) => other !== column),
      )
  })
  without.forEach((name, index) => check(name, `/without/${index}`, columns))
}

function actionsOf(scope: AssembleScope, details: string | undefined): ActionPlan[] {
  const { endpoint, permissions } = scope.entity()
  const common = { danger: false, primary: false }
  const download = (operation: 'template' | 'original' | 'failures', query: Record<string, string> = {}) => ({
    kind: 'download' as const,
    path: pathOf(endpoint, operation),
    query,
  })
  const own = assembleActions(
    ['create', 'write', 'cancel', 'undo', 'stopUndo'].map((action) => ({ action })),
    { scope, pointer: '', on: 'row' },
  )
  const [upload, ...decisions] = own
  return [
    { ...upload, label: { cn: '导入', en: 'Import' } },
    {
      ...common,
      name: 'template',
      label: { cn: '下载模板', en: 'Download template' },
      on: 'toolbar',
      permission: scope.permission('template'),
      do: { ...download('template'), done: { cn: '模板已下载', en: 'Template downloaded' } },
    },
    ...(details === undefined
      ? []
      : [
          {
            ...common,
            // Users look at the rows before they decide.
            primary: true,
            name: 'rows',
            label: { cn: '明细', en: 'Details' },
            on: 'row' as const,
            permission: permissions.view,
            shownWhen: "status != 'processing'",
            do: { kind: 'link' as const, to: details },
          },
        ]),
    ...decisions,
    {
      ...common,
      name: 'original',
      label: { cn: '下载原文件', en: 'Download original' },
      on: 'row',
      permission: permissions.view,
      do: download('original', { id: '{id}' }),
    },
    {
      ...common,
      name: 'failures',
      label: { cn: '下载失败数据', en: 'Download failures' },
      on: 'row',
      permission: permissions.export,
      shownWhen: "failCount > 0 && status != 'processing'",
      do: download('failures', { id: '{id}' }),
    },
  ]
}
