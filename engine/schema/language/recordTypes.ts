import type { Catalog, Entity, Field, Widget } from '../../model/model.ts'

/** The module that the generated types extend, and its names for types of values. */
const door = '../engine/server/procedure/procedureTypes.ts'

type Records = Pick<Catalog, 'entities' | 'dictionaries'>
type Widgets = Readonly<Record<string, Widget>>

/**
 * A catalog's records as TypeScript types for procedures: every entity with its fields, the values of dictionaries, and
 * the entity of each reference. Fields that may be empty are nullable. What the families of a template have is the type
 * of every name that matches the template's pattern, `${string}Addition`; what only some of them have is optional.
 */
export function recordTypes(catalog: Records, widgets: Widgets): string {
  const all = Object.values(catalog.entities)
  const { record, common } = recordWriter(catalog, widgets)
  const patterns = [...new Set(all.flatMap(({ named }) => named ?? []))]
  return [
    '// Made by `npm run schemas -- types` from the schema files; never edited.',
    `import type { Amount, Id, Json, StoredFile } from '${door}'`,
    '',
    `declare module '${door}' {`,
    '  interface RecordTypes {',
    ...all.flatMap(record),
    ...patterns.flatMap(common),
    '  }',
    '  interface SettingTypes {',
    ...all.filter(({ single }) => single).map(({ name }) => `    ${name}: RecordTypes['${name}']`),
    '  }',
    '  interface TransitionTypes {',
    ...all.map(({ name, states }) => {
      const names = states.flatMap(({ transitions }) => Object.keys(transitions))
      return `    ${name}: ${names.map((each) => `'${each}'`).join(' | ') || 'never'}`
    }),
    '  }',
    '  interface ActionTypes {',
    ...all.map(({ name, actions }) => `    ${name}: ${asKeys(Object.keys(actions))}`),
    ...patterns.map((named) => {
      const own = all.filter((entity) => entity.named === named)
      const names = Object.keys(own[0].actions).filter((each) =>
        own.every(({ actions }) => Object.hasOwn(actions, each)),
      )
      return `    [name: ${patternOf(named)}]: ${asKeys(names)}`
    }),
    '  }',
    '}',
    '',
  ].join('\n')
}

/** The lines of `RecordTypes`. */
function recordWriter({ entities, dictionaries }: Records, widgets: Widgets) {
  /** @param ofAll gives the type of the field common to every family, if families differ */
  const typeOf = (field: Field, ofAll = false): string => {
    const widget = widgets[field.type]
    const target = widget.target?.(field.options)
    if (target) {
      const named = ofAll ? entities[target.entity].named : undefined
      const entity = named === undefined ? `'${target.entity}'` : patternOf(named)
      const type = target.rows ? `RecordTypes[${entity}]` : `Id<${entity}>`
      return target.rows || target.many ? `${type}[]` : type
    }
    const dictionary = dictionaries[widget.dictionary?.(field.options) ?? '']
    if (dictionary && !dictionary.mayGrow) {
      const values = dictionary.choices.map(({ value }) => `'${value}'`).join(' | ') || 'never'
      return widget.expression === 'list<string>' ? `(${values})[]` : values
    }
    return plainType(widget, field)
  }
  const isFilled = ({ states }: Entity, field: Field) =>
    !mayBeEmpty(field) ||
    stamps.includes(field.name) ||
    widgets[field.type].series !== undefined ||
    states.some((machine) => machine.field === field.name)
  const property = (entity: Entity, field: Field) =>
    `      ${field.name}: ${typeOf(field)}${isFilled(entity, field) ? '' : ' | null'}`
  return {
    record(entity: Entity): string[] {
      const { name, fields } = entity
      return [
        `    ${name}: {`,
        ...(Object.hasOwn(fields, 'id') ? [] : [`      id: Id<'${name}'>`]),
        ...(Object.hasOwn(fields, 'revision') ? [] : ['      revision: number']),
        ...Object.values(fields).map((field) => property(entity, field)),
        '    }',
      ]
    },
    /** The fields that the families of a template have, with their common types. */
    common(named: string): string[] {
      const own = Object.values(entities).filter((entity) => entity.named === named)
      const names = [...new Set(own.flatMap(({ fields }) => Object.keys(fields)))]
      const shared = names.map((name) => {
        const having = own.filter(({ fields }) => Object.hasOwn(fields, name))
        const types = [...new Set(having.map(({ fields }) => typeOf(fields[name], true)))]
        const { fields } = having[0]
        const type = types.length === 1 ? types[0] : plainType(widgets[fields[name].type], fields[name])
        const isAlways = having.every((entity) => isFilled(entity, entity.fields[name]))
        return `      ${name}${having.length < own.length ? '?' : ''}: ${type}${isAlways ? '' : ' | null'}`
      })
      return [
        `    [name: ${patternOf(named)}]: {`,
        ...(names.includes('id') ? [] : [`      id: Id<${patternOf(named)}>`]),
        ...(names.includes('revision') ? [] : ['      revision: number']),
        ...shared,
        '    }',
      ]
    },
  }
}

const asKeys = (names: readonly string[]): string => `{ ${names.map((name) => `${name}: true`).join('; ')} }`

const patternOf = (named: string): string => `\`${named.replace('*', '${string}')}\``

/** Fields that the system writes for every record. */
const stamps = ['createdAt', 'updatedAt']

/** A required field is never null, unless only some records need or show it. */
const mayBeEmpty = ({ required, visibleWhen, computed }: Field): boolean =>
  !required || visibleWhen !== undefined || computed?.kind === 'lookup' || computed?.kind === 'find'

function plainType({ expression, column, files }: Widget, { options }: Field): string {
  if (files) return 'StoredFile[]'
  switch (expression) {
    case 'boolean':
      return 'boolean'
    case 'string':
      return 'string'
    case 'list<string>':
      return 'string[]'
    case 'decimal':
      return /^(bigint|integer|smallint)/.test(column(options) ?? '') ? 'number' : 'Amount'
    default:
      return 'Json'
  }
}
