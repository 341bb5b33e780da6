import { pathOf } from '../../model/model.ts'
import type { ActionPlan, AssembleScope } from '../../model/model.ts'
import { assembleActions } from '../action.ts'

/** What the list of imported files offers: the upload, the decisions on a batch, and its files. */
export function importsActions(scope: AssembleScope, details: string | undefined): ActionPlan[] {
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
