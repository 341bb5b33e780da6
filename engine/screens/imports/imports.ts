import { batchEntityOf, givenField } from '../../model/model.ts'
import type { ImportPlan, ScreenKind } from '../../model/model.ts'
import { openersOf } from '../standardAction.ts'
import { titleOf } from '../titleOf.ts'
import { list } from '../list/list.ts'
import type { ListFile } from '../list/listShape.ts'
import type { ListPlan } from '../list/list.ts'
import { broughtFiles } from './broughtFiles.ts'
import { doubtImport } from './doubts.ts'
import { importsShape } from './importsShape.ts'
import type { ImportsFile } from './importsShape.ts'
import { detailsOf, importPlan } from './importPlan.ts'
import { checkColumns } from './checkColumns.ts'
import { importsActions } from './importsActions.ts'

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
  openedBy: openersOf('imports'),
  doubt(file, scope) {
    doubtImport(file, scope)
    const name = scope.entity().name.slice(0, -batchEntityOf('').length)
    // One without a page of its own is followed where its file was uploaded.
    if (file.route !== undefined && detailsOf(file, name, scope) === undefined)
      scope.issue('missing-details', '/into', { found: `${name}.imports` })
  },
  smallest: ({ name, display, fields }, { writable }) => ({
    into: name,
    key: [writable.find((field) => field === display) ?? writable[0]],
    columns: writable.filter((field, place) => field === display || fields[field].required || place === 0),
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
    files: broughtFiles(name, area, data, {
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
    return { ...plan, actions: importsActions(scope, details), import: importPlan(file, name, scope) }
  },
}
