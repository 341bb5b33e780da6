import { meant } from '../issues/issue.ts'
import type { Memory } from '../memory/memory.ts'
import type { Preset, Value } from '../../model/model.ts'
import { below } from '../../model/pointer.ts'
import type { Report } from '../issues/report.ts'
import { checkValue } from './values.ts'
import type { ExpandedFile, Names } from '../named.ts'

interface RecordsFile {
  entity: string
  key: string
  rows: Record<string, unknown>[]
}

/**
 * Records files → rows with canonical values. A reference is given by the key or the code of its target and stays so,
 * because rows get their ids later.
 */
export function assemblePresets(files: readonly ExpandedFile[], names: Names, memory: Memory): Preset[] {
  const records = files.filter(({ source, sound }) => source.kind === 'records' && sound)
  const known = new Map<string, Set<string>>()
  for (const { value } of records) {
    const { entity, key, rows } = value as unknown as RecordsFile
    const texts = known.get(entity) ?? new Set()
    known.set(entity, texts)
    for (const name of new Set([key, names.entities[entity]?.value.code]))
      for (const row of rows) texts.add(String(row[String(name)]))
    // Rows cannot be identified while the key is misspelt.
    if (names.entities[entity] && !names.field(entity, key))
      for (const row of rows) for (const cell of Object.values(row)) texts.add(String(cell))
  }
  const all = records.flatMap(({ value }) => [value, names.entities[String(value.entity)]?.value.code])
  return records.flatMap((file) =>
    memory.recall('preset', file.source, all, (among, report) => assemblePreset(file, known, among, report)),
  )
}

function assemblePreset(
  { source, value }: ExpandedFile,
  known: ReadonlyMap<string, ReadonlySet<string>>,
  names: Names,
  report: Report,
): Preset[] {
  const { entity, key, rows } = value as unknown as RecordsFile
  if (!names.entities[entity]) return []
  const seen = new Set<unknown>()
  const canonical = rows.map((row, index) => {
    const at = `/rows/${index}`
    // A key that is not a field of the entity is reported once.
    if (row[key] === undefined && (names.field(entity, key) || key === 'id'))
      report(source, at, 'missing-key', { found: key })
    else if (row[key] !== undefined && seen.has(row[key]))
      report(source, below(at, key), 'duplicate-record', { key, found: row[key] })
    seen.add(row[key])
    return Object.fromEntries(
      Object.entries(row).map(([name, cell]) => [name, canonicalOf(name, cell, below(at, name))]),
    )
  })
  return [{ entity, key, rows: canonical, file: source.path }]

  function canonicalOf(name: string, cell: unknown, pointer: string): Value {
    const field = names.field(entity, name)
    if (!field || !names.widgets[field.type]) return cell as Value
    const target = names.target(field)
    if (!target) return checkValue(cell, field, { file: source, pointer, entity, names, report })
    for (const code of Array.isArray(cell) ? cell : [cell]) {
      const there = known.get(target.entity)
      if (code !== null && !there?.has(String(code))) {
        report(source, pointer, 'unknown-record', {
          found: String(code),
          ...meant(String(code), there ?? []),
          entity: target.entity,
          key: 'key or code',
        })
      }
    }
    return cell as Value
  }
}
