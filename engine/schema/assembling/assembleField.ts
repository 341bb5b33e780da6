import type { FieldFile } from '../language/fieldShape.ts'
import { filterValues } from '../../model/filter.ts'
import type { Computed, Field, Value } from '../../model/model.ts'
import { permissionsOf } from '../linking/permissions.ts'
import type { ComputedFile, NamedField, Names } from '../named.ts'

/** A linked field of an entity file → the model. */
export function assembleField({ name, type, options, value }: NamedField, names: Names): Field {
  const {
    label,
    hint,
    brought,
    required,
    requiredWhen,
    visibleWhen,
    readOnlyWhen,
    readOnly,
    default: literal,
    defaultFrom,
    unique,
    uniqueWithin,
    sensitive,
    sensitiveOf,
    computed,
    kept,
    deletedWith,
    draws,
    was,
  } = value as unknown as FieldFile
  const canonical = literal === undefined ? undefined : (names.widgets[type].normalize(literal, options) as Value)
  const present = {
    hint,
    requiredWhen,
    visibleWhen,
    readOnlyWhen,
    default: canonical,
    defaultFrom,
    uniqueWithin,
    deletedWith,
    was,
  }
  return {
    name,
    type,
    label,
    options,
    required,
    readOnly,
    unique,
    sensitive,
    ...Object.fromEntries(Object.entries(present).filter(([, item]) => item !== undefined)),
    ...(computed !== undefined && { computed: assembleComputed(computed) }),
    ...(brought.length > 0 && { brought }),
    ...(!kept && { kept }),
    ...(draws && { draws }),
    ...(sensitiveOf.length > 0 && {
      seenWith: sensitiveOf.map((each) => permissionsOf(names.entities[each], names.entities).viewSensitive),
    }),
  }
}

function assembleComputed(computed: string | ComputedFile): Computed {
  if (typeof computed === 'string') return { kind: 'formula', formula: computed }
  const { by, where, from, find, of: via, below, during } = computed
  if (find !== undefined) return { kind: 'find', entity: find, by, in: computed.in! }
  if (from !== undefined) {
    const [reference, field] = from.split('.')
    return { kind: 'lookup', by: reference, field }
  }
  for (const word of ['sum', 'min', 'max', 'count', 'last'] as const) {
    const path = computed[word]
    if (path === undefined) continue
    const [entity, field] = path.split('.')
    const counted = field ?? computed.distinct
    const rest = {
      ...(counted !== undefined && { field: counted }),
      by,
      ...(where && { where: filterValues(where) }),
      ...(via !== undefined && { of: via }),
      ...(below && { below }),
      ...(during && { during }),
    }
    return { kind: 'aggregate', function: word, entity, ...rest }
  }
  throw new Error('A checked aggregate names its function')
}
