import type { Lists } from './compile.ts'
import type { ExplainedLine, Known } from './explained.ts'
import { grants, type Catalog, type Value } from './model.ts'
import type { ExpandedFile } from './names.ts'
import { below } from './pointer.ts'
import { roleCode, roleEntity } from './roles.ts'

/** The roles that come with the files and have one of these permissions, each with what gives it. */
export type WhoMay = (...permissions: string[]) => ExplainedLine[]

/** Roles that administrators made are in no file, and in no answer of this. */
export function whoMay(
  { entities, presets }: Pick<Catalog, 'entities' | 'presets'>,
  widgets: Lists['widgets'],
  files: readonly ExpandedFile[],
  where: Known['where'],
): WhoMay {
  const fields = Object.values(entities[roleEntity]?.fields ?? {}).filter(({ type, options }) =>
    widgets[type].permissions?.(options),
  )
  const roles = presets
    .filter(({ entity }) => entity === roleEntity)
    .flatMap(({ rows, file }) =>
      rows.map((row, index) => ({
        code: String(row[roleCode] ?? row[entities[roleEntity].display]),
        patterns: fields.flatMap(({ name }) =>
          ([row[name]] as Value[]).flat().filter((one): one is string => typeof one === 'string'),
        ),
        file,
        pointer: below('/rows', index),
      })),
    )
  return (...permissions) => {
    const lines = roles.flatMap(({ code, patterns, file, pointer }): ExplainedLine[] => {
      const by = patterns.filter((pattern) => permissions.some((permission) => grants(pattern, permission)))
      const source = files.find((each) => each.source.path === file && each.source.kind === 'records')?.source
      return by.length ? [{ text: `${code} by ${by.join(', ')}`, ...(source && { at: where(source, pointer) }) }] : []
    })
    return lines.length ? lines : [{ text: 'no role that comes with the files' }]
  }
}
