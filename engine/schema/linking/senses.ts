import { termsOf, type Term } from '../../expression/index.ts'
import { fieldAt } from './choices.ts'
import { departmentEntity, userEntity } from '../../model/identityNames.ts'
import { calendarUnitOf, calls, units, type Unit } from './calendar.ts'
import type { Link, NamedField, Names } from '../named.ts'

/** What a value means beyond its type: the record of an entity, a calendar unit, or a plain number. */
type Sense = { meaning: string } | { unit: Unit } | { isNumber: true }

/** User properties in expressions, and the entities whose ids they are. */
const ofUser: Readonly<Record<string, string>> = { id: userEntity, department: departmentEntity }

/** Ids of all entities are numbers, and days and months are texts, yet they must not be mixed. */
export function checkSenses(
  { names, name: text, place, say }: Link,
  entity: string,
  filled: NamedField | undefined,
): void {
  const { yields, compared } = termsOf(text)
  const written = ({ start, end }: Term) => text.slice(start, end)
  const wanted = filled && senseOfField(filled, names)
  // The ends of a range may be in a coarser calendar unit than the values inside it.
  const isBound = place.parent?.key === 'defaultFrom'
  for (const term of filled && wanted && !('isNumber' in wanted) ? yields : []) {
    const sense = senseOf(term, entity, names)
    if (!sense || fits(sense, wanted!) || (isBound && isWider(sense, wanted!))) continue
    const message = `${describe(written(term), sense)}, but ${describe(filled!.name, wanted!)}`
    const allowed = fitting(wanted!, entity, names).filter((name) => name !== filled!.name)
    say('expression-type', { found: written(term), message, allowed }, { part: term })
  }
  for (const { left, right, isOrdered, start, end } of compared) {
    const [leftSense, rightSense] = [left, right].map((term) => senseOf(term, entity, names))
    if (!leftSense || !rightSense || areAlike(leftSense, rightSense, isOrdered)) continue
    const why = 'meaning' in leftSense ? 'their ids say nothing about each other' : 'they are written differently'
    const message = `${describe(written(left), leftSense)}, but ${describe(written(right), rightSense)}: ${why}`
    say('expression-type', { found: text.slice(start, end), message }, { part: { start, end } })
  }
}

function senseOf({ path, call }: Term, entity: string, names: Names): Sense | undefined {
  if (call !== undefined) return Object.hasOwn(calls, call) ? { unit: calls[call] } : undefined
  const [first, ...more] = path!
  if (first === 'old' && more.length && !names.field(entity, 'old'))
    return senseOf({ path: more, start: 0, end: 0 }, entity, names)
  if (first === 'user' && !names.field(entity, 'user')) {
    const key = more.join('.')
    return Object.hasOwn(ofUser, key) ? { meaning: ofUser[key] } : undefined
  }
  if (first === 'id' && !more.length && !names.field(entity, 'id')) return { meaning: entity }
  const rows = more.join('.') === 'id' ? names.target(names.field(entity, first)) : undefined
  if (rows?.rows) return { meaning: rows.entity }
  const field = fieldAt(path!, entity, names)
  return field && senseOfField(field, names)
}

function senseOfField(field: NamedField, names: Names): Sense | undefined {
  const target = names.target(field)
  // An unknown entity is reported elsewhere.
  if (target) return target.rows || !names.entities[target.entity] ? undefined : { meaning: target.entity }
  if (names.widgets[field.type]?.expression === 'decimal') return { isNumber: true }
  const unit = calendarUnitOf(field, names)
  return unit && { unit }
}

const fits = (given: Sense, wanted: Sense): boolean => {
  if ('meaning' in wanted) return 'meaning' in given && given.meaning === wanted.meaning
  if (!('unit' in wanted && 'unit' in given)) return false
  // A day stands for the moment when it begins.
  return given.unit === wanted.unit || (given.unit === 'day' && wanted.unit === 'moment')
}

const isWider = (sense: Sense, other: Sense): boolean =>
  'unit' in sense && 'unit' in other && units.indexOf(sense.unit) < units.indexOf(other.unit)

function areAlike(sense: Sense, other: Sense, isOrdered: boolean): boolean {
  if ('meaning' in sense && 'meaning' in other) return sense.meaning === other.meaning
  if (!('unit' in sense && 'unit' in other)) return true
  return sense.unit === other.unit || (isOrdered && areInOrder(sense.unit, other.unit))
}

/** Moments sort correctly among days, because both are texts. */
const areInOrder = (unit: Unit, other: Unit) => unit !== 'month' && other !== 'month'

const describe = (written: string, sense: Sense) =>
  'meaning' in sense
    ? `${written} is an id of ${sense.meaning}`
    : `${written} is a ${'unit' in sense ? sense.unit : 'number'}`

/** Checks a formula whose result must be a record's id, and therefore neither a text nor a boolean. */
export function noReference(
  entity: string,
  text: string,
  found: string,
  field: NamedField,
  names: Names,
): { message: string; allowed: string[] } | undefined {
  const wanted = senseOfField(field, names)
  if (!wanted || !('meaning' in wanted)) return undefined
  const type = /^(list|map)/.exec(found)?.[0] ?? found
  const what = Object.hasOwn(kinds, type) ? kinds[type] : undefined
  if (what === undefined) return undefined
  const allowed = fitting(wanted, entity, names).filter((name) => name !== field.name)
  return { message: `${text} is ${what}, but ${describe(field.name, wanted)}`, allowed }
}
const kinds: Readonly<Record<string, string>> = {
  string: 'a text',
  boolean: 'true or false',
  list: 'a list',
  map: 'an object',
}

/** What may be used there instead. */
function fitting(wanted: Sense, entity: string, names: Names): string[] {
  if ('unit' in wanted) return [`${Object.keys(calls).find((name) => calls[name] === wanted.unit)!}()`]
  if (!('meaning' in wanted)) return []
  const others = Object.values(names.entities[entity].fields).filter((field) => {
    const target = names.target(field)
    return target?.entity === wanted.meaning && !target.many && !target.rows
  })
  return [
    ...(entity === wanted.meaning ? ['id'] : []),
    ...others.map(({ name }) => name),
    ...Object.entries(ofUser).flatMap(([key, sense]) => (sense === wanted.meaning ? [`user.${key}`] : [])),
  ]
}
