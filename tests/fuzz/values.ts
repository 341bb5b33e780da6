import type { Entity, Field, Value } from '../../engine/model/model.ts'
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
const objects: unknown[] = [{}, ...ofIds, { between: [1, 2] }, { cn: 'x', en: 'y' }, { toString: 1 }]
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
  if (field.type.startsWith('reference') || field.type === 'tree') given.push(1, 2, 3, [1], [1, 2], { id: 1 })
  return given.length === 0 ? anyValue(random) : random.pick(given)
}

export function anyValues(random: Random, entity: Entity): Record<string, unknown> {
  const fields = Object.values(entity.fields)
  const count = random.below(Math.min(fields.length, 12) + 1)
  const chosen = Array.from({ length: count }, () => random.pick(fields))
  const values = Object.fromEntries(chosen.map((field) => [field.name, fieldValue(random, field)]))
  return random.chance(0.1) ? { ...values, [anyText(random).slice(0, 60)]: anyValue(random) } : values
}

const operators = ['contains', 'equals', 'in', 'between', 'overlaps', 'under', 'empty', 'like']

export function anyFilters(random: Random, entity: Entity): unknown {
  if (random.chance(0.05)) return anyValue(random)
  const field = random.pick(Object.values(entity.fields))
  const one = () => fieldValue(random, field) as Value
  const operator = random.pick(operators)
  const operand =
    operator === 'between' ? [one(), one()] : operator === 'in' || operator === 'overlaps' ? [one(), one()] : one()
  return { [field.name]: { [operator]: random.chance(0.8) ? operand : anyValue(random) } }
}
