import { permissionOf, permissionsOf } from '../linking/permissions.ts'
import { below } from '../../model/pointer.ts'
import { isObject } from '../walk.ts'
import { isBrought, type Whole } from './checkContext.ts'
import type { NamedScreen } from '../named.ts'

/** Warns about menu badges that no permission, or that of another entity, shows and hides. */
export function checkBadges({ names: { screens, entities, permissions }, warn }: Whole): void {
  for (const { entity, file, source } of Object.values(screens)) {
    const counted = entity === undefined ? undefined : entities[entity]
    if (!counted || isBrought(source)) continue
    const groupOf = (permission: string) => permission.slice(0, permission.lastIndexOf(':'))
    const own = new Set(Object.values(permissionsOf(counted, entities)).map(groupOf))
    for (const [at, badge] of badgesOf(file)) {
      const found = typeof badge.permission === 'string' ? badge.permission : undefined
      if (badge.permission === undefined) warn(source, at, 'open-badge', {}, { key: true })
      if (found === undefined) continue
      const { entity: other } = permissions[permissionOf(found, counted, entities)] ?? {}
      if (other === undefined || own.has(groupOf(permissionOf(found, counted, entities)))) continue
      warn(source, `${at}/permission`, 'foreign-permission', { entity: counted.name, found, other })
    }
  }
}

function badgesOf({ menu }: NamedScreen['file']): [pointer: string, badge: Record<string, unknown>][] {
  const badge: unknown = isObject(menu) ? menu.badge : undefined
  if (!Array.isArray(badge)) return isObject(badge) ? [['/menu/badge', badge]] : []
  return badge.flatMap((each: unknown, index) =>
    isObject(each) ? [[below('/menu/badge', index), each] as [string, Record<string, unknown>]] : [],
  )
}
