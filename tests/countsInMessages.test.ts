/**
 * A guard or rule judges by all records, also those that the user may not see; so its message may not say how many
 * there are, or how much, as the screens do for the records within the user's scope.
 */
import { expect, test } from 'vitest'
import type { Catalog, Entity, Label } from '../engine/model/model.ts'
import { productCatalog } from './compiledOnce.ts'

const placeholders = (label: Label) => Object.values(label).flatMap((text) => text.match(/(?<=\{)\w+(?=\})/g) ?? [])

/** Whether the field's value is computed from records of an entity that has a data scope. */
function counts(catalog: Catalog, entity: Entity, name: string, met = new Set<string>()): boolean {
  const key = `${entity.name}.${name}`
  const field = entity.fields[name]
  if (!field?.computed || met.has(key)) return false
  met.add(key)
  const { computed } = field
  if (computed.kind === 'aggregate') return catalog.entities[computed.entity].scope !== undefined
  if (computed.kind === 'lookup') {
    const { entity: target } = entity.fields[computed.by].options as { entity?: string }
    return target !== undefined && counts(catalog, catalog.entities[target], computed.field, met)
  }
  if (computed.kind !== 'formula') return false
  return Object.keys(entity.fields).some(
    (other) => new RegExp(`\\b${other}\\b`).test(computed.formula) && counts(catalog, entity, other, met),
  )
}

/** Every message of what an operation is refused for, with its place. */
function messagesIn(value: unknown, at: string): [string, Label][] {
  if (typeof value !== 'object' || value === null) return []
  const { check, message } = value as { check?: string; message?: Label }
  const own: [string, Label][] = check !== undefined && message ? [[at, message]] : []
  return [...own, ...Object.entries(value).flatMap(([key, inner]) => messagesIn(inner, `${at}/${key}`))]
}

/** A summary and its lines have the same customer, so whoever sees it sees all of them. */
const ofOneCustomer = /^\w+ExpenseSummary\b/

test('no message of a guard or rule counts or adds up records with a data scope', () => {
  const catalog = productCatalog()
  const counted = Object.values(catalog.entities).flatMap((entity) =>
    messagesIn(entity, entity.name).flatMap(([at, message]) =>
      placeholders(message)
        .filter((name) => !ofOneCustomer.test(entity.name) && counts(catalog, entity, name))
        .map((name) => `${at}: {${name}}`),
    ),
  )
  expect(counted).toEqual([])
})
