import type { Entity, ScreenPlan, TablePlan } from './model.ts'
import type { Names } from './names.ts'

/** Nobody asks for all that a user has ever touched. */
const standard = ['createdBy', 'updatedBy']

type Index = TablePlan['indexes'][number]

/** Columns by which records are found: those that screens filter by, and those that the engine itself looks up. */
interface Asked {
  filtered: ReadonlySet<string>
  lookedUp: readonly string[][]
}

/**
 * The columns and indexes of an entity's own fields. What every table has (id, revision, the mark of deleted rows, what
 * search reads) is the server's. Columns take null: what is required, and when, the rules say.
 */
export function tableOf(entity: Entity, { filtered, lookedUp }: Asked, names: Names): TablePlan {
  const fields = Object.values(entity.fields).filter(({ name }) => names.isStored(entity.name, name))
  const columns = fields.map(({ name, type, options, was }) => {
    const target = names.widgets[type].target?.(options)
    return {
      name,
      type: names.widgets[type].column(options)!,
      nullable: true,
      ...(target && !target.many && { references: target.entity }),
      ...(was !== undefined && { was }),
    }
  })
  const isList = (type: string) => names.widgets[type].expression.startsWith('list')
  const unique = fields.flatMap(({ name, type, unique, uniqueWithin }): TablePlan['unique'] => [
    ...(unique ? [{ columns: [name], ...(isList(type) && { items: true as const }) }] : []),
    ...(uniqueWithin ? [{ columns: [uniqueWithin, name] }] : []),
  ])
  const stored = new Set(columns.map(({ name }) => name))
  const wanted = entity.indexes
    .filter((index) => index.every((name) => stored.has(name)))
    .map((index): Index => ({ columns: index, method: 'btree' }))
  const isUnique = (name: string) => unique.some(({ columns, items }) => !items && columns.join() === name)
  for (const key of lookedUp) {
    const isKnown = key.some(isUnique) || [...wanted, ...unique].some(({ columns }) => startsWith(columns, key))
    if (!isKnown && key.every((name) => stored.has(name) && !isList(entity.fields[name].type)))
      wanted.push({ columns: key, method: 'btree' })
  }
  // What is unique within a parent holds only the rows that have a value: it does not find all of a parent's.
  const leads = (name: string) =>
    [...wanted, ...unique.filter(({ items, columns: { length } }) => !items && length === 1)].some(
      (index) => index.columns[0] === name,
    )
  const followed = columns.filter(({ name, references }) => references && !standard.includes(name) && !leads(name))
  wanted.push(...followed.map(({ name }): Index => ({ columns: [name], method: 'btree' })))
  for (const name of filtered) {
    if (!stored.has(name)) continue
    const widget = names.widgets[entity.fields[name].type]
    if (widget.expression === 'string' && widget.operators.includes('contains'))
      wanted.push({ columns: [name], method: 'trigram' })
    else if (widget.expression.startsWith('list') && widget.operators.includes('overlaps'))
      wanted.push({ columns: [name], method: 'gin' })
  }
  // The engine itself has indexed who and when.
  if (entity.engine)
    return {
      name: `system_${entity.engine}`,
      view: true,
      columns,
      unique: [],
      indexes: wanted.filter(({ method }) => method === 'btree'),
    }
  return { name: entity.name, columns, unique, indexes: wanted }
}

/** Columns in any order: an index serves every prefix of its columns. */
const startsWith = (columns: string[], key: string[]): boolean =>
  columns.slice(0, key.length).toSorted().join() === key.toSorted().join()

/** The fields that the screens of each entity offer to filter by. A plan says so in `filters`, whatever its kind. */
export function filteredFields(screens: readonly ScreenPlan[]): (entity: string) => ReadonlySet<string> {
  const found = new Map<string, Set<string>>()
  for (const { entity, body } of screens.flatMap((screen) => [
    screen,
    ...Object.values(screen.variants?.plans ?? {}),
  ])) {
    if (entity === undefined) continue
    const fields = found.get(entity) ?? new Set()
    found.set(entity, fields)
    for (const { field } of (body as { filters?: { field: string }[] }).filters ?? []) fields.add(field)
  }
  return (entity) => found.get(entity) ?? new Set()
}
