import type { Entity, Field } from '../model/model.ts'
import { dependencies } from './index.ts'

type Fields = Pick<Entity, 'fields'>

/** The fields that an expression names. */
export const readBy = (expression: string, { fields }: Fields): string[] =>
  dependencies(expression)
    .map((path) => path.split('.')[0])
    .filter((name) => Object.hasOwn(fields, name))

export const formulaOf = ({ computed }: Field): string | undefined =>
  computed?.kind === 'formula' ? computed.formula : undefined

const known = new WeakMap<Entity['fields'], readonly string[]>()

/** The fields with a formula, each after those that its formula reads. */
export function formulaOrder(entity: Fields): readonly string[] {
  let order = known.get(entity.fields)
  if (!order) known.set(entity.fields, (order = ordered(entity)))
  return order
}

function ordered(entity: Fields): string[] {
  const order: string[] = []
  const visited = new Set<string>()
  const add = (name: string) => {
    const formula = formulaOf(entity.fields[name])
    if (formula === undefined || visited.has(name)) return
    visited.add(name)
    for (const read of readBy(formula, entity)) add(read)
    order.push(name)
  }
  for (const name of Object.keys(entity.fields)) add(name)
  return order
}
