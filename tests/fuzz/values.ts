import type { Catalog, Entity, Field, Value } from '../../engine/model/model.ts'
import { allExamples } from '../contract/widgets.ts'
import type { Random } from './random.ts'

/** Values that no form sends and that have broken servers before. */
const texts = [
  ['', ' ', '\u0000', 'a\u0000b', '\ud800', 'x\udfff', '\ufeff', '\u202e', '%', '_', '\\', "'", '"', '--', ';', '{}'],
  ['0', '-1', '1.5', '1e3', 'NaN', 'Infinity', '9007199254740993', '9223372036854775808', '1'.repeat(60), '٣'],
  ['2026-02-30', '2026-13-01', '0000-01-01', '9999-12-31', '2026-03', '2026-00', '2026-03-15 25:00:00', '99999-01-01'],
  // A character of two units at the lengths where texts are cut.
  [30, 50, 60, 100, 200, 255, 300, 500].map((units) => `${'x'.repeat(units - 1)}👍${'x'.repeat(9)}`),
  ['null', 'true', '[]', '__proto__', 'constructor', 'toString', '<b>x</b>', '=1+1', '张三', '👍', 'A'.repeat(5000)],
].flat()
const scalars = [0, -1, 1, 1.5, 0.1, 2 ** 31, 2 ** 53, -(2 ** 53), 1e21, 1e308, -0, true, false, null]
const lists: unknown[] = [[], [null], [1, 1], [[1]], [{}], ['a', 'b'], [1, 'a', null], [{ id: 2 ** 60 }]]
const ofIds = [1, 1.5, '1', -1, null].map((id) => ({ id }))
/** Names that every object has without having been given them. */
const inherited = ['__proto__', 'constructor', 'toString']
const objects: unknown[] = [
  {},
  ...ofIds,
  { between: [1, 2] },
  { cn: 'x', en: 'y' },
  ...inherited.map((name) => ({ [name]: { prototype: 1 } })),
]
const nasty: unknown[] = [...texts, ...scalars, ...lists, ...objects]

const ids = ['1', '2', '3', '7', '0', '-1', '1.5', '1,2', '01', '9007199254740991', '9007199254740993', 'x', '']

export const anyValue = (random: Random): unknown => random.pick(nasty)
export const anyId = (random: Random): string => random.pick(ids)
export const anyText = (random: Random): string => {
  const value = anyValue(random)
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

/** Values that the field accepts, that it refuses, and that nothing accepts. */
export function fieldValue(random: Random, field: Field): unknown {
  const examples = allExamples[field.type]
  if (!examples || random.chance(0.35)) return anyValue(random)
  const given = [...examples.good, ...examples.bad].map((example) => example.given)
  if (pointsElsewhere(field)) given.push(1, 2, 3, [1], [1, 2], { id: 1 })
  return given.length === 0 ? anyValue(random) : random.pick(given)
}

const pointsElsewhere = ({ type }: Field) => type.startsWith('reference') || type === 'tree'

/** A value that the field mostly accepts. */
function goodValue(random: Random, field: Field, catalog: Catalog): unknown {
  const { type, options, unique } = field
  const choices = typeof options.choices === 'string' ? catalog.dictionaries[options.choices]?.choices : undefined
  if (choices && choices.length > 0) {
    const chosen = random.pick(choices).value
    return type === 'choices' ? [chosen] : chosen
  }
  if (pointsElsewhere(field)) return type === 'references' ? [1 + random.below(6)] : 1 + random.below(6)
  if (type === 'rows') {
    const rows = catalog.entities[options.entity as string]
    const columns = (options.columns as string[]).map((name) => rows?.fields[name]).filter((column) => column)
    const row = Object.fromEntries(columns.map((column) => [column.name, goodValue(random, column, catalog)]))
    return [random.chance(0.95) ? row : { ...row, [random.pick(inherited)]: anyValue(random) }]
  }
  if (unique && type === 'text') return `x${random.below(1_000_000_000)}`
  const good = allExamples[type]?.good ?? []
  return good.length === 0 ? anyValue(random) : random.pick(good).given
}

/** Of an operation: the entity's fields, and those that it demands. */
export interface InputFields {
  catalog: Catalog
  entity: Entity
  needed: Field[]
}

export const goodValues = (random: Random, { catalog, needed }: InputFields): Record<string, unknown> =>
  Object.fromEntries(needed.map((field) => [field.name, goodValue(random, field, catalog)]))

export function anyValues(random: Random, { catalog, entity, needed }: InputFields): Record<string, unknown> {
  const fields = Object.values(entity.fields)
  const writable = fields.filter(({ readOnly, computed }) => !readOnly && !computed)
  const some = (from: Field[], most: number) => Array.from({ length: random.below(most + 1) }, () => random.pick(from))
  // What is refused for its first bad value reaches no rule and no procedure.
  const isGood = writable.length > 0 && random.chance(0.6)
  const chosen = isGood
    ? [...(random.chance(0.8) ? needed : []), ...some(writable, 3)]
    : some(fields, Math.min(fields.length, 12))
  const valueOf = (field: Field) =>
    isGood && random.chance(0.97) ? goodValue(random, field, catalog) : fieldValue(random, field)
  const values = Object.fromEntries(chosen.map((field) => [field.name, valueOf(field)]))
  return random.chance(0.05) ? { ...values, [anyText(random).slice(0, 60)]: anyValue(random) } : values
}

const operators = ['contains', 'equals', 'in', 'between', 'overlaps', 'under', 'empty', 'like']

export function anyFilters(random: Random, entity: Entity): unknown {
  if (random.chance(0.05)) return anyValue(random)
  const field = random.pick(Object.values(entity.fields))
  const value = () => fieldValue(random, field) as Value
  const operator = random.pick(operators)
  const operand =
    operator === 'between'
      ? [value(), value()]
      : operator === 'in' || operator === 'overlaps'
        ? [value(), value()]
        : value()
  const name = random.chance(0.97) ? field.name : random.pick(inherited)
  return { [name]: { [operator]: random.chance(0.8) ? operand : anyValue(random) } }
}
