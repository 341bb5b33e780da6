import { dependencies, unroundedQuotients } from '../../expression/index.ts'
import { below } from '../../model/pointer.ts'
import { isObject } from '../walk.ts'
import type { CheckContext } from './checkContext.ts'
import type { NamedEntity, NamedField, Names } from '../named.ts'

/** Warns about computed numbers with fewer decimals than the numbers that they are taken from, added or subtracted from. */
export function checkPlaces({ name, fields, source }: NamedEntity, { names, warn }: CheckContext): void {
  for (const field of Object.values(fields)) {
    const places = decimalsOf(field, names)
    if (places === undefined || field.computed === undefined) continue
    for (const [other, from] of sourcesOf(name, field, names)) {
      const more = decimalsOf(from, names)
      if (more === undefined || more <= places) continue
      warn(source, below(below('/fields', field.name), 'computed'), 'rounded-source', {
        entity: name,
        found: field.name,
        places,
        other,
        more,
      })
      break
    }
  }
}

/** Warns about computed numbers that divide without rounding the result. */
export function checkQuotients({ name, fields, source }: NamedEntity, { names, warn }: CheckContext): void {
  for (const field of Object.values(fields)) {
    const places = decimalsOf(field, names)
    const { computed } = field
    if (places === undefined || typeof computed !== 'string') continue
    for (const { text: quotient, start, end } of unroundedQuotients(computed)) {
      const at = below(below('/fields', field.name), 'computed')
      const parameters = { entity: name, found: field.name, places, quotient }
      warn(source, at, 'unrounded-quotient', parameters, { part: { start, end } })
    }
  }
}

/** How many decimals a number is stored with. */
function decimalsOf({ type, options }: NamedField, { widgets }: Names): number | undefined {
  const widget = widgets[type]
  if (widget?.expression !== 'decimal') return undefined
  return (String(widget.normalize('0', options)).split('.')[1] ?? '').length
}

const sums = ['sum', 'min', 'max', 'last'] as const

/** The fields whose decimals a computed one has: not where a formula multiplies, divides or rounds. */
function sourcesOf(entity: string, { computed }: NamedField, names: Names): [name: string, field: NamedField][] {
  if (isObject(computed)) {
    const path = sums.map((key) => computed[key]).find((each) => typeof each === 'string')
    const [other = '', field = ''] = path?.split('.') ?? []
    return withField(path ?? '', names.field(other, field))
  }
  if (typeof computed !== 'string' || !/^[\w\s+\-()]+$/.test(computed) || /\w\(/.test(computed)) return []
  try {
    return dependencies(computed).flatMap((dependency) =>
      withField(`${entity}.${dependency}`, names.field(entity, dependency)),
    )
  } catch {
    return []
  }
}

const withField = (name: string, field: NamedField | undefined): [string, NamedField][] =>
  field ? [[name, field]] : []
