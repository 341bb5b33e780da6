/** Records in a wanted state: found in the demo, or made through the API as the schema allows. */
import { grants } from '../../engine/model/model.ts'
import { checkRules, isWritable } from '../../engine/expression/verdict.ts'
import type { Entity, FilterValue, RecordData, SaveResult, Transition, Value } from '../../engine/model/model.ts'
import { api, call, detail, listed } from './app.ts'
import { catalog, holds, verdictContext, widgets } from './catalog.ts'
import { defaultsOf } from './beginnings.ts'
import { fillingBeside, fillingsFor, written } from './fillings.ts'
import { meeting } from './filters.ts'
import { madeByProcedures } from './madeByProcedures.ts'

export interface Search {
  /** Requires a record that nothing else uses. */
  fresh?: boolean
  /** Leaves existing records as they are. */
  still?: boolean
  /** Requires a record that meets these filters. */
  within?: Record<string, FilterValue>
}

/**
 * A wanted record: of those found the one with the most values, else a new one.
 * @throws if there is none and none can be made
 */
export async function recordWhere(
  entity: Entity,
  wanted: (record: RecordData) => boolean,
  what: string,
  { fresh = false, still = false, within = {} }: Search = {},
): Promise<RecordData> {
  if (!fresh) {
    for (const size of [mostRead, 1000]) {
      const all = await listed(entity.endpoint, { filters: within, size })
      const able = all.filter((record) => wanted(record) || readsRows(entity, wanted, record))
      for (const { id } of able.toSorted((a, b) => fullness(b) - fullness(a)).slice(0, mostRead)) {
        const whole = await detail(entity.endpoint, id!)
        if (wanted(whole)) return whole
      }
      if (all.length < size) break
    }
  }
  const isWithin = await meeting(entity, within)
  const refused: string[] = []
  if (entity.allow.create !== false && !entity.rowOf) {
    for (const user of creatorsOf(entity)) {
      try {
        const made = await bring(
          entity,
          await makeRecord(entity, user, within),
          (record) => wanted(record) && isWithin(record),
        )
        if (made) return made
      } catch (error) {
        refused.push(`${user}: ${(error as Error).message}`)
      }
    }
  }
  const make = madeByProcedures[entity.name]
  if (make) {
    await make()
    const found = (await listed(entity.endpoint, { filters: within, size: 1000 })).find(wanted)
    if (found) return detail(entity.endpoint, found.id!)
  }
  // Records that only procedures make are taken as they are: the oldest, which nothing newer is likely to use.
  if (fresh && !still) {
    const [oldest] = (await listed(entity.endpoint, { filters: within })).filter(wanted).reverse()
    if (oldest) return detail(entity.endpoint, oldest.id!)
  }
  // Otherwise an existing record is brought to the wanted state.
  if (!fresh && !still) {
    const movable = (await listed(entity.endpoint, { filters: within })).filter((record) =>
      transitionsOf(entity).some((transition) => allows(entity, transition, record)),
    )
    for (const { id } of movable.slice(-5).reverse()) {
      const brought = await bring(entity, id!, (record) => wanted(record) && isWithin(record)).catch(() => undefined)
      if (brought) return brought
    }
  }
  throw new Error([`no ${entity.name} ${what}: none in the demo, and none can be made`, ...refused].join('\n'))
}

/** The most records to read whole, and the size of the first list to search before the long one. */
const mostRead = 100

/** Whether the predicate reads rows of the record, which no list contains. */
function readsRows(entity: Entity, wanted: (record: RecordData) => boolean, record: RecordData): boolean {
  let isRead = false
  const rows = Object.values(entity.fields).filter(({ type, options }) => widgets[type].target?.(options)?.rows)
  const read = { enumerable: true, get: () => ((isRead = true), null) }
  wanted(Object.defineProperties({ ...record }, Object.fromEntries(rows.map(({ name }) => [name, read]))))
  return isRead
}

const fullness = (record: RecordData) => Object.values(record).filter((value) => value !== null).length

/** The administrator, then the demo's users who may create it: some actions are forbidden on a user's own records. */
function creatorsOf(entity: Entity): string[] {
  const roles = catalog.presets.find(({ entity: name }) => name === 'role')?.rows ?? []
  const able = roles.filter(({ functionPermissions: patterns }) =>
    (patterns as string[]).some((pattern) => grants(pattern, entity.permissions.create)),
  )
  return [...new Set(['admin', ...able.map(({ code }) => String(code))])]
}

/**
 * Makes a record with the required values, of the type that `within` requires.
 * @returns its id
 */
export async function makeRecord(
  entity: Entity,
  user = 'admin',
  within: Record<string, FilterValue> = {},
): Promise<number> {
  const able = Object.values(entity.fields)
    .filter((field) => isWritable(field, widgets))
    .map(({ name }) => name)
  const given = Object.fromEntries(
    able.flatMap((name) => (within[name]?.equals === undefined ? [] : [[name, within[name].equals as Value]])),
  )
  const fillings = await fillingsFor(
    entity,
    able.filter((name) => !Object.hasOwn(given, name)),
    defaultsOf(entity, given),
    { required: true },
  )
  const values = { ...given, ...Object.fromEntries(fillings.map((filling) => [filling.field.name, written(filling)])) }
  return (await call<SaveResult>('POST', `${entity.endpoint}/create`, { values }, { user })).id
}

/** Takes the record through its states, each once, until it is as wanted; undefined if it never is. */
export async function bring(
  entity: Entity,
  id: number,
  wanted: (record: RecordData) => boolean,
): Promise<RecordData | undefined> {
  const seen = new Set<string>()
  const stateOf = (record: RecordData) => entity.states.map(({ field }) => record[field]).join()
  for (;;) {
    const record = await detail(entity.endpoint, id)
    if (wanted(record)) return record
    seen.add(stateOf(record))
    const next = transitionsOf(entity).find(
      (transition) =>
        allows(entity, transition, record) && !seen.has(stateOf({ ...record, [transition.field]: transition.to })),
    )
    if (!next) return undefined
    const values: Record<string, Value> = {}
    for (const { field } of next.form)
      values[field] = written(await fillingBeside(entity, entity.fields[field], { ...record, ...values }))
    const request = { id, revision: record.revision, values }
    await api('POST', `${entity.endpoint}/${next.name}`, request)
    // The state counts as seen even if the transition was refused.
    seen.add(stateOf({ ...record, [next.field]: next.to }))
  }
}

const transitionsOf = (entity: Entity): Transition[] =>
  entity.states.flatMap(({ transitions }) => Object.values(transitions))
export const transitionOf = (entity: Entity, name: string): Transition | undefined =>
  transitionsOf(entity).find((transition) => transition.name === name)

/** Whether the state and the guards of the record let the administrator perform the transition. */
export function allows(entity: Entity, { field, from, when, guards }: Transition, record: RecordData): boolean {
  return (
    from.includes(String(record[field])) &&
    holds(when, entity, record) &&
    checkRules(entity, guards, record, verdictContext(record)).length === 0
  )
}
