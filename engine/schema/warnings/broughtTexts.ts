import { broughtPattern } from '../../model/broughtText.ts'
import { below } from '../../model/pointer.ts'
import { isObject } from '../walk.ts'
import type { CheckContext } from './checkContext.ts'
import type { ExpandedFile } from '../named.ts'

/** Warns about texts of preset records that `brought` of their field does not translate. */
export function checkBroughtTexts({ source, value }: ExpandedFile, { names, warn }: CheckContext): void {
  const [stored, ...others] = names.app?.languages ?? []
  const entity = source.kind === 'records' ? names.entities[String(value.entity)] : undefined
  if (!entity || !Array.isArray(value.rows) || others.length === 0) return
  for (const { name: field, value: declared } of Object.values(entity.fields)) {
    if (!Array.isArray(declared.brought) || declared.brought.length === 0) continue
    const looks = declared.brought
      .filter(isObject)
      .map((label) => new RegExp(broughtPattern(String(label[stored])), 's'))
    for (const [index, row] of value.rows.entries()) {
      const found = isObject(row) ? row[field] : undefined
      if (typeof found !== 'string' || looks.some((look) => look.test(found))) continue
      const at = below(below('/rows', index), field)
      warn(source, at, 'unbrought-text', { entity: entity.name, field, found, language: stored })
    }
  }
}
