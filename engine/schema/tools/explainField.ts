import { dependencies } from '../../expression/index.ts'
import { sections, text, type ExplainedLine, type Explanation, type Known } from './explained.ts'
import type { Entity, Field } from '../../model/model.ts'
import { endpointsOf } from '../../model/operationsOf.ts'
import { above, below } from '../../model/pointer.ts'
import { fieldsOfFilter } from '../linking/filters.ts'
import { ownEntity, scopeOf } from '../linking/scope.ts'
import { isWritable } from '../../expression/verdict.ts'
import { requiredProblem } from '../../expression/worded.ts'
import { isObject, placesOf, type Place } from '../walk.ts'

/** Explains a field: its type and column, its validation, its uses, and who may see and change it. */
export function explainField(entity: Entity, field: Field, known: Known): Explanation {
  const { where, fileOf, whoMay, lists } = known
  const { source } = fileOf('entity', entity.name)!
  const pointer = below('/fields', field.name)
  const at = (key: string) => where(source, below(pointer, key), true)
  const isOwn = field.name in ((source.data as { fields?: object }).fields ?? {})
  const widgets = lists.widgets as Parameters<typeof isWritable>[1]
  const { view, create, update, viewSensitive } = entity.permissions
  const may = (what: string, ...permissions: string[]) =>
    whoMay(...permissions).map(({ text: who, at: place }): ExplainedLine => ({
      text: `${what}: ${who}`,
      ...(place && { at: place }),
    }))
  return {
    kind: 'field',
    name: `${entity.name}.${field.name}`,
    label: field.label,
    at: where(source, pointer, true),
    sections: sections({
      Is: [
        { text: `${field.type} (${text(widgets[field.type].label)})`, ...(isOwn && { at: at('type') }) },
        ...(isOwn
          ? Object.entries(field.options).map(([key, value]) => ({
              text: `${key}: ${JSON.stringify(value)}`,
              at: at(key),
            }))
          : [{ text: 'every record has it; the system writes it' }]),
        ...(field.computed ? [{ text: `computed: ${written(field.computed)}`, at: at('computed') }] : []),
        ...(field.was === undefined ? [] : [{ text: `was called ${field.was}`, at: at('was') }]),
      ],
      Becomes: becomes(entity, field, known),
      'Checks on its values': demands(entity, field, known),
      'Is used by': usesOf(entity.name, field.name, known),
      'Who may see it': may(field.sensitive ? 'masked' : 'sees it', view).concat(
        field.sensitive ? may('sees it whole', viewSensitive) : [],
      ),
      'Who may write it': isWritable(field, widgets)
        ? [...may('in a new record', create), ...may('later', update)]
        : [{ text: 'the system alone' }],
    }),
  }
}

const written = ({ kind, ...rest }: NonNullable<Field['computed']>) =>
  'formula' in rest ? rest.formula : `${kind} ${JSON.stringify(rest)}`

function becomes(entity: Entity, field: Field, { catalog, lists }: Known): ExplainedLine[] {
  const table = catalog.tables[entity.name]
  const column = table.columns.find(({ name }) => name === field.name)
  const list = (parts: string[]) => (parts.length ? `, ${parts.join(', ')}` : '')
  const unique = table.unique
    .filter(({ columns }) => columns.at(-1) === field.name)
    .map(({ columns }) => (columns.length > 1 ? `unique within ${columns[0]}` : 'unique'))
  const indexes = table.indexes
    .filter(({ columns }) => columns.includes(field.name))
    .map(({ columns, method }) => `${method} index on ${columns.join(', ')}`)
  const target = lists.widgets[field.type].target?.(field.options)
  const values = lists.widgets[field.type].dictionary?.(field.options)
  const paths = endpointsOf(entity)
  const reading = paths.filter(({ method }) => method === 'GET').map(({ path }) => path)
  const writing = isWritable(field, lists.widgets as Parameters<typeof isWritable>[1])
    ? paths.filter(({ name }) => name === 'create' || name === 'update').map(({ path }) => path)
    : []
  const setting = [
    ...entity.states.flatMap(({ transitions }) => Object.values(transitions)),
    ...Object.values(entity.actions),
  ]
    .filter(({ set, form }) => field.name in set || form.some((each) => each.field === field.name))
    .map(({ name }) => `${entity.endpoint}/${name}`)
  return [
    {
      text: column
        ? `column ${table.name}.${column.name} ${column.type}${list([...unique, ...(column.references ? [`refers to ${column.references}`] : []), ...indexes])}`
        : target?.rows
          ? `rows in the table ${target.entity}, by ${target.rows.by}`
          : 'no column: it is worked out on reading',
    },
    ...(values !== undefined ? [{ text: `values of the dictionary ${values}` }] : []),
    ...(reading.length ? [{ text: `read at GET ${reading.join(', ')}` }] : []),
    ...(writing.length ? [{ text: `written at POST ${writing.join(', ')}` }] : []),
    ...(setting.length ? [{ text: `set at POST ${setting.join(', ')}` }] : []),
  ]
}

/** Conditions, and the messages that a user gets. */
function demands(entity: Entity, field: Field, { lists, where, fileOf }: Known): ExplainedLine[] {
  const { source } = fileOf('entity', entity.name)!
  const pointer = below('/fields', field.name)
  const required = text(requiredProblem(lists.widgets[field.type], field.label).message)
  const conditions = (
    ['requiredWhen', 'visibleWhen', 'readOnlyWhen', 'defaultFrom', 'default', 'deletedWith'] as const
  ).filter((key) => field[key] !== undefined)
  return [
    ...(field.required ? [{ text: `required: ${required}`, at: where(source, below(pointer, 'required'), true) }] : []),
    ...conditions.map((key): ExplainedLine => ({
      text: `${key}: ${typeof field[key] === 'string' ? field[key] : JSON.stringify(field[key])}${key === 'requiredWhen' ? ` (${required})` : ''}`,
      at: where(source, below(pointer, key), true),
    })),
    ...entity.rules.flatMap((rule, index): ExplainedLine[] =>
      rule.at === field.name || reads(rule.check, field.name)
        ? [
            {
              text: `rule ${rule.check}${rule.when === undefined ? '' : ` when ${rule.when}`}: ${text(rule.message)}`,
              at: where(source, `/rules/${index}`),
            },
          ]
        : [],
    ),
    ...entity.limits.flatMap((limit, index): ExplainedLine[] =>
      limit.at === field.name
        ? [{ text: `at most ${limit.max}: ${text(limit.message)}`, at: where(source, `/limits/${index}`) }]
        : [],
    ),
  ]
}

const reads = (expression: string, field: string) =>
  dependencies(expression).some((name) => name === field || name === `old.${field}`)

/** Every place in all files that names the field, or reads it in an expression; its own declaration is left out. */
export function usesOf(entity: string, field: string, { files, names, where }: Known): ExplainedLine[] {
  const lines = new Map<string, ExplainedLine>()
  for (const file of files) {
    const own = ownEntity(file)
    const add = (pointer: string, key = false) => {
      const itself =
        own === entity &&
        file.source.kind === 'entity' &&
        (pointer === `/fields/${field}` || pointer.startsWith(`/fields/${field}/`))
      if (itself) return
      const under = (above(pointer) ?? '')
        .split('/')
        .slice(1)
        .filter((part) => !/^\d+$/.test(part))
        .join(' › ')
      const at = where(file.source, pointer, key)
      lines.set(`${at.file}:${at.line} ${under}`, {
        text: `${file.source.name}.${file.source.kind}${under && ` › ${under}`}`,
        at,
      })
    }
    for (const place of placesOf(file.value, file.shape)) {
      const {
        shape: { names: role, keys },
        value,
        pointer,
      } = place
      if (typeof value === 'string' && role && means(role, value, place)) add(pointer)
      if (role === 'filter' && isObject(value)) {
        const scope = scopeOf(place, file, names) ?? ''
        const filtersByField = ([name, written]: [string, unknown]) =>
          fieldsOfFilter({ [name]: written }, scope, names).some(([owner, used]) => owner === entity && used === field)
        for (const [name] of Object.entries(value).filter(filtersByField)) add(below(pointer, name), true)
      } else if (
        keys === 'field' &&
        typeof value === 'object' &&
        value !== null &&
        Object.hasOwn(value, field) &&
        scopeOf(place, file, names) === entity
      ) {
        // Records have many rows, so the field is listed only once.
        if (file.source.kind === 'records') add('/rows', true)
        else add(below(pointer, field), true)
      }
    }
    function means(role: string, value: string, place: Place): boolean {
      if (role === 'field') return value === field && scopeOf(place, file, names) === entity
      if (role === 'ownField') return value === field && own === entity
      if (role === 'entityField') return value === `${entity}.${field}`
      if (role === 'sort')
        return (
          scopeOf(place, file, names) === entity && value.split(',').some((each) => each.replace(/^-/, '') === field)
        )
      if (role === 'condition' || role === 'formula' || role === 'number')
        return (own ?? scopeOf(place, file, names)) === entity && reads(value, field)
      if (role !== 'lookup') return false
      const [reference, looked] = value.split('.')
      return (
        (reference === field && own === entity) ||
        (looked === field && names.target(names.field(own, reference))?.entity === entity)
      )
    }
  }
  return [...lines.values()]
}
