import { formulaNames } from '../formulaNames.ts'
import { lastOf } from '../memory/lastResults.ts'
import { lookedUp } from './lookup.ts'
import { below } from '../../model/pointer.ts'
import type { Report } from '../issues/report.ts'
import { isObject, type JsonObject } from '../walk.ts'
import type { NamedField, Names } from '../named.ts'

/** Depends only on the structure of entities, not on their labels. */
const recall = lastOf<void>()

/** Reports values that depend on themselves, across any number of entities. */
export function checkCycles(names: Names, report: Report): void {
  const structures = Object.values(names.entities).map(({ structure }) => structure)
  recall([names.widgets, ...structures], report, (reportIssue) => findCycles(names, reportIssue))
}

function findCycles(names: Names, report: Report): void {
  const state = new Map<NamedField, 'open' | 'done'>()
  const path: { entity: string; field: NamedField }[] = []
  const visit = (entity: string, field: NamedField) => {
    if (field.computed === undefined || state.get(field) === 'done') return
    if (state.get(field) === 'open') {
      const cycle = [...path.slice(path.findIndex((step) => step.field === field)), { entity, field }]
      const text = cycle.map((step) => `${step.entity}.${step.field.name}`).join(' → ')
      report(names.entities[entity].source, below(below('/fields', field.name), 'computed'), 'computed-cycle', {
        path: text,
      })
      return
    }
    state.set(field, 'open')
    path.push({ entity, field })
    for (const next of inputs(entity, field, names)) visit(...next)
    path.pop()
    state.set(field, 'done')
  }
  for (const [name, { fields }] of Object.entries(names.entities))
    for (const field of Object.values(fields)) visit(name, field)
}

function inputs(entity: string, { computed }: NamedField, names: Names): [string, NamedField][] {
  const list = (entityName: string, fields: string[]) =>
    fields.flatMap((name): [string, NamedField][] => {
      const field = names.field(entityName, name)
      return field ? [[entityName, field]] : []
    })
  if (typeof computed === 'string') return list(entity, formulaNames(computed))
  if (!isObject(computed)) return []
  if (computed.from !== undefined) {
    const found = lookedUp(entity, computed.from, names)
    return found ? [[found.entity, found.field]] : []
  }
  if (computed.find !== undefined)
    return [
      ...list(entity, [String(computed.by)]),
      ...list(String(computed.find), Array.isArray(computed.in) ? computed.in.map(String) : []),
    ]
  const [counted, summed] = String(
    computed.sum ?? computed.min ?? computed.max ?? computed.count ?? computed.last,
  ).split('.')
  const during: JsonObject = isObject(computed.during) ? computed.during : {}
  return [
    ...list(entity, [String(computed.of), String(during.at)]),
    ...list(counted, [
      summed,
      String(during.from),
      String(during.until),
      ...Object.keys(isObject(computed.where) ? computed.where : {}),
    ]),
  ]
}
