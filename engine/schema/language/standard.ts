import type { FieldFile } from './fieldShape.ts'
import type { Entity, Label } from '../../model/model.ts'
import { operations as calls } from '../../model/operations.ts'

type StandardField = Partial<FieldFile> & { type: string; label: Label }

/**
 * The fields that every record has besides those of its file, written by the system. Creators are users only if there
 * is a user entity.
 */
export function standardFields(hasUser: boolean): Record<string, StandardField> {
  const at = (cn: string, en: string): StandardField => ({ type: 'datetime', readOnly: true, label: { cn, en } })
  const by = (cn: string, en: string): StandardField => ({
    type: 'reference',
    entity: 'user',
    readOnly: true,
    label: { cn, en },
  })
  return {
    ...(hasUser && { createdBy: by('创建人', 'Creator') }),
    createdAt: at('创建时间', 'Created at'),
    ...(hasUser && { updatedBy: by('修改人', 'Updated by') }),
    updatedAt: at('修改时间', 'Updated at'),
  }
}

/** No field may have these names, because every table already has such columns. */
export const reservedFields = [
  'id',
  'revision',
  'createdBy',
  'createdAt',
  'updatedBy',
  'updatedAt',
  'deletedAt',
  'searchText',
]

export type Operation = keyof Entity['permissions']
/** The last word of an operation's permission, and its label in the permission tree. */
export const operations: Record<Operation, { word: string; label: Label }> = {
  view: { word: 'view', label: { cn: '查看', en: 'View' } },
  create: { word: 'add', label: { cn: '新增', en: 'Add' } },
  update: { word: 'edit', label: { cn: '编辑', en: 'Edit' } },
  delete: { word: 'delete', label: { cn: '删除', en: 'Delete' } },
  export: { word: 'export', label: { cn: '导出', en: 'Export' } },
  viewSensitive: { word: 'viewSensitive', label: { cn: '查看敏感信息', en: 'View sensitive data' } },
}

/**
 * No transition, action or download may have these names, because every entity has a call, a button or a permission so
 * named.
 */
export const reservedActions = [
  ...new Set([
    ...Object.entries(calls).flatMap(([name, call]) => ('names' in call ? [] : [name])),
    'edit',
    'import',
    ...Object.values(operations).map(({ word }) => word),
  ]),
]
