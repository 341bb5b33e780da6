import { grants } from '../../model/model.ts'
import type { Catalog, HelpSection, Label } from '../../model/model.ts'

/** A role that comes with the files. */
export interface PresetRole {
  name: string
  permissions: string[]
}

const columns: Label[] = [
  { cn: '对象', en: 'Of' },
  { cn: '操作', en: 'Operation' },
  { cn: '权限', en: 'Permission' },
  { cn: '预置角色', en: 'Preset roles' },
]

/** Every permission, area by area, with the preset roles that have it. */
export const permissionTable = ({ app, permissions }: Catalog, roles: readonly PresetRole[]): HelpSection[] =>
  app.areas.flatMap(({ name, label }) => {
    const rows = permissions
      .filter(({ area }) => area === name)
      .map(({ value, label: operation, group }) => [
        group,
        operation,
        value,
        roles
          .filter((role) => role.permissions.some((pattern) => grants(pattern, value)))
          .map((role) => role.name)
          .join(', '),
      ])
    return rows.length === 0 ? [] : [{ id: `permissions-${name}`, title: label, text: [], tables: [{ columns, rows }] }]
  })
