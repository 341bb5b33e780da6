import { sql } from 'kysely'
import { differs, renamesOf, words, type Renames } from '../../schema/tools/difference.ts'
import type { Catalog, Dictionary, Entity, RecordData, Value } from '../../model/model.ts'
import { checkRecord } from '../../expression/verdict.ts'
import type { VerdictContext } from '../../expression/VerdictContext.ts'
import { main } from '../records/reading/columnOf.ts'
import { readStored } from '../records/reading/read.ts'
import { canonicalRecord } from '../records/reading/canonical.ts'
import type { Context } from '../runtime.ts'
import type { DataDifference } from './DataDifference.ts'

/** Records checked at a time. */
const step = 500

/** Records that are valid under the old files, but not under the new ones. */
export async function invalidRecords(context: Context, after: Catalog): Promise<DataDifference[]> {
  const { catalog: before } = context.derived
  const renames = renamesOf(before, after)
  const dictionaries = withAdded(context.derived.catalog.dictionaries, after.dictionaries)
  const found: DataDifference[] = []
  for (const former of Object.values(before.entities)) {
    const now = Object.hasOwn(after.entities, former.name) ? after.entities[former.name] : undefined
    if (!now || former.engine || former.rowOf || !isJudgedOtherwise(former, now, before, after)) continue
    const counts = new Map<string, number>()
    let invalid = 0
    for (let last = 0; ;) {
      const records = await readStored(
        context,
        context.runtime.database.kysely,
        former,
        [sql<boolean>`${sql.ref(`${main}.id`)} > ${last}`, sql<boolean>`${sql.ref(`${main}.deletedAt`)} is null`],
        { order: sql.ref(`${main}.id`), limit: step, rows: true },
      )
      for (const record of records) {
        const was = new Set(
          problemsOf(
            former,
            canonicalRecord(context, former, record),
            contextOf(context, before, context.derived.catalog.dictionaries),
          ),
        )
        const fresh = problemsOf(
          now,
          renamedRecord(former, canonicalRecord(context, former, record), context, renames),
          contextOf(context, after, dictionaries),
        ).filter((problem) => !was.has(problem))
        if (!fresh.length) continue
        invalid++
        for (const problem of new Set(fresh)) counts.set(problem, (counts.get(problem) ?? 0) + 1)
      }
      if (records.length < step) break
      last = records.at(-1)!.id!
    }
    const [most] = [...counts].sort((a, b) => b[1] - a[1])
    if (most)
      found.push({
        kind: 'invalid',
        of: former.name,
        count: invalid,
        text: `${words(now.label)}: could no longer be saved as they are; most often: ${most[0]} (${most[1]})`,
      })
  }
  return found
}

/** Whether the files validate its records differently, or those of its rows. */
function isJudgedOtherwise(former: Entity, now: Entity, before: Catalog, after: Catalog): boolean {
  const judged = ({ fields, rules }: Entity) => ({
    fields: Object.values(fields).map(({ label: _label, hint: _hint, ...field }) => field),
    rules,
  })
  const used = (entity: Entity) =>
    Object.values(entity.fields).flatMap(({ options }) =>
      Object.values(options).filter((value): value is string => typeof value === 'string'),
    )
  const rows = (entity: Entity, { entities }: Catalog) =>
    Object.values(entities).filter(({ rowOf }) => rowOf?.entity === entity.name)
  const choices = (name: string, { dictionaries }: Catalog) =>
    Object.hasOwn(dictionaries, name) ? dictionaries[name].choices.map(({ value }) => value) : []
  return (
    differs(judged(former), judged(now)) ||
    used(former).some((name) => differs(choices(name, before), choices(name, after))) ||
    rows(former, before).some(
      (row) =>
        Object.hasOwn(after.entities, row.name) && isJudgedOtherwise(row, after.entities[row.name], before, after),
    )
  )
}

/** Keeps values that administrators have added to a dictionary that may still grow. */
function withAdded(
  overlaid: Readonly<Record<string, Dictionary>>,
  declared: Readonly<Record<string, Dictionary>>,
): Record<string, Dictionary> {
  return Object.fromEntries(
    Object.entries(declared).map(([name, dictionary]) => {
      const own = dictionary.choices.map(({ value }) => value)
      const added =
        dictionary.mayGrow && Object.hasOwn(overlaid, name)
          ? overlaid[name].choices.filter(({ value }) => !own.includes(value))
          : []
      return [name, { ...dictionary, choices: [...dictionary.choices, ...added] }]
    }),
  )
}

const contextOf = (
  { runtime, settings, now, user }: Context,
  { entities }: Catalog,
  dictionaries: Readonly<Record<string, Dictionary>>,
): VerdictContext => ({
  widgets: runtime.widgets,
  entities,
  dictionary: (name) => dictionaries[name] ?? { name, label: {}, choices: [], mayGrow: false },
  now: () => now,
  user,
  settings,
})

/** `name: problem`, each once; system fields are checked too, because no user could correct them. */
function problemsOf(entity: Entity, record: RecordData, context: VerdictContext): string[] {
  const problemText = (field: string, message: Readonly<Record<string, string>>) =>
    `${field.replace(/\.\d+\./g, '.')}: ${words(message)}`
  const ownProblems = checkRecord(entity, record, {
    ...context,
    old: withoutSensitive(entity, record, context),
    changed: [],
  }).map(({ field, message }) => problemText(field, message))
  const kept = Object.values(entity.fields).filter(
    ({ readOnly, computed, type }) =>
      readOnly && !computed && !context.widgets[type].protect && !context.widgets[type].target?.({})?.rows,
  )
  return [
    ...ownProblems,
    ...kept.flatMap((field) => {
      const widget = context.widgets[field.type]
      const value: Value = widget.normalize(record[field.name] ?? null, field.options)
      const problem =
        value === null
          ? undefined
          : widget.check(value, field.options, { label: field.label, dictionary: context.dictionary, now: context.now })
      return problem ? [problemText(field.name, problem.message)] : []
    }),
  ]
}

/**
 * The record before a save that changes nothing, without its masked values, which therefore count as unchanged and are
 * not validated.
 */
function withoutSensitive(entity: Entity, record: RecordData, context: VerdictContext): RecordData {
  return Object.fromEntries(
    Object.entries(record).flatMap(([name, value]): [string, Value | undefined][] => {
      const field = Object.hasOwn(entity.fields, name) ? entity.fields[name] : undefined
      const widget = field && context.widgets[field.type]
      if (field?.sensitive && !widget?.protect) return []
      const target = field && widget?.target?.(field.options)
      const rows = target?.rows && context.entities[target.entity]
      return [
        [
          name,
          rows && Array.isArray(value)
            ? value.map((row) => withoutSensitive(rows as Entity, row as RecordData, context) as Value)
            : value,
        ],
      ]
    }),
  )
}

/** The record with its fields, and those of its rows, under their current names. */
function renamedRecord(entity: Entity, record: RecordData, context: Context, renames: Renames): RecordData {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => {
      const target = Object.hasOwn(entity.fields, name) ? context.derived.target(entity.fields[name]) : undefined
      const rows =
        target?.rows && Array.isArray(value)
          ? value.map((row) => renamedRecord(target.entity, row as RecordData, context, renames) as Value)
          : value
      return [renames[entity.name]?.[name] ?? name, rows]
    }),
  )
}
