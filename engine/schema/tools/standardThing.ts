import { dependencies } from '../../expression/index.ts'
import { standardFields } from '../language/standard.ts'
import { userEntity } from '../../model/identityNames.ts'
import { isObject } from '../walk.ts'
import type { Known } from './explained.ts'
import type { Thing } from './thing.ts'

export const standardNames: readonly string[] = Object.keys(standardFields(true))

/** A standard field of every record, such as `createdBy`. */
export function standardThing(name: string, { catalog }: Known): Thing | undefined {
  const fields = standardFields(Object.hasOwn(catalog.entities, userEntity))
  if (!Object.hasOwn(fields, name)) return undefined
  const { type, label } = fields[name]
  return {
    kind: 'field',
    name,
    label,
    has: {
      Is: [
        { text: type },
        { text: 'every record has it; the system writes it' },
        { text: `of one entity: ${Object.keys(catalog.entities)[0]}.${name}` },
      ],
    },
    isNamed({ shape, value }) {
      if (shape.names === 'filter') return isObject(value) && Object.hasOwn(value, name)
      if (typeof value !== 'string') return false
      if (['field', 'ownField'].includes(String(shape.names))) return value === name
      if (shape.names === 'sort') return value.split(',').some((each) => each.replace(/^-/, '') === name)
      return ['condition', 'formula'].includes(String(shape.names)) && dependencies(value).includes(name)
    },
  }
}
