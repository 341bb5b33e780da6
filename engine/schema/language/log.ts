import { userEntity } from '../../model/identityNames.ts'
import { offer } from '../issues/issue.ts'
import type { Label } from '../../model/model.ts'
import { below } from '../../model/pointer.ts'
import type { Report } from '../issues/report.ts'
import { standardFields } from './standard.ts'
import type { NamedEntity, Names } from '../named.ts'

/** Operations that the engine logs besides transitions and actions, with their labels. */
export const loggedOperations = {
  create: { cn: '新增', en: 'Create' },
  update: { cn: '修改', en: 'Edit' },
  append: { cn: '随同生成', en: 'Added by another change' },
  delete: { cn: '删除', en: 'Delete' },
  export: { cn: '导出', en: 'Export' },
  view: { cn: '查看', en: 'View' },
  viewSensitive: { cn: '查看敏感信息', en: 'View sensitive data' },
  restore: { cn: '恢复', en: 'Restore' },
  import: { cn: '导入', en: 'Import' },
  original: { cn: '下载导入原文件', en: 'Download the imported file' },
  failures: { cn: '下载失败数据', en: 'Download failures' },
  undoImport: { cn: '撤销导入', en: 'Undo import' },
  login: { cn: '登录', en: 'Sign in' },
  logout: { cn: '退出登录', en: 'Sign out' },
  loginFailed: { cn: '登录失败', en: 'Failed sign-in' },
  changePassword: { cn: '修改密码', en: 'Change password' },
} satisfies Record<string, Label>

/** The field of a log with the entity of the changed record; another holds the changes. */
export const logEntityField = 'entity'
/** The record's name at the time. */
export const logLabelField = 'recordLabel'

const logFields = [
  'occurredAt',
  'user',
  'module',
  logEntityField,
  'recordId',
  logLabelField,
  'action',
  'changes',
  'result',
  'message',
  'messages',
  'ip',
  'address',
  'client',
  'durationMs',
  'work',
]

/** A log only has fields that the engine fills in. */
export function checkLog({ value, fields, source, name }: NamedEntity, names: Names, report: Report): void {
  if (value.engine !== 'log') return
  const standard = Object.keys(standardFields(Object.hasOwn(names.entities, userEntity)))
  for (const field of Object.keys(fields)) {
    if (logFields.includes(field) || standard.includes(field)) continue
    report(
      source,
      below('/fields', field),
      'unknown-field',
      { ...offer(field, logFields), entity: name },
      { key: true },
    )
  }
}
