import type { Lists } from '../compile.ts'
import type { ExplainedLine, GivenRole, Known, WhoMay } from './explained.ts'
import { grants, type Catalog, type Entity, type Value } from '../../model/model.ts'
import { below } from '../../model/pointer.ts'
import { roleCode, roleEntity } from '../../model/identityNames.ts'
import type { ExpandedFile } from '../named.ts'

/** The permission patterns that a role's record grants. */
export const rolePatterns = (
  { fields }: Entity,
  widgets: Lists['widgets'],
  row: Readonly<Record<string, unknown>>,
): string[] =>
  Object.values(fields)
    .filter(({ type, options }) => widgets[type].permissions?.(options))
    .flatMap(({ name }) => [row[name] as Value].flat().filter((each): each is string => typeof each === 'string'))

/** The preset roles: those that administrators created are not in the files. */
export function rolesOfFiles(
  { entities, presets }: Pick<Catalog, 'entities' | 'presets'>,
  widgets: Lists['widgets'],
  files: readonly ExpandedFile[],
  where: Known['where'],
): GivenRole[] {
  return presets
    .filter(({ entity }) => entity === roleEntity)
    .flatMap(({ rows, file }) => {
      const source = files.find((each) => each.source.path === file && each.source.kind === 'records')?.source
      const { fields, display } = entities[roleEntity]
      const labelOf = (name: unknown) =>
        fields[display].brought?.find((label) => Object.values(label).includes(String(name)))
      return rows.map((row, index) => ({
        code: String(row[roleCode] ?? row[display]),
        ...(labelOf(row[display]) && { label: labelOf(row[display]) }),
        patterns: rolePatterns(entities[roleEntity], widgets, row),
        ...(source && { at: where(source, below('/rows', index)) }),
      }))
    })
}

export const whoMay =
  (roles: readonly GivenRole[], areStored: boolean): WhoMay =>
  (...permissions) => {
    const lines = roles.flatMap(({ code, patterns, at }): ExplainedLine[] => {
      const by = patterns.filter((pattern) => permissions.some((permission) => grants(pattern, permission)))
      return by.length ? [{ text: `${code} by ${by.join(', ')}`, ...(at && { at }) }] : []
    })
    return lines.length
      ? lines
      : [{ text: areStored ? 'no role of this database' : 'no role that comes with the files' }]
  }
