import type { Entity, ScreenPlan, TablePlan } from '../../model/model.ts'
import type { Names } from '../named.ts'

/** Nobody filters by these across all users. */
const standard = ['createdBy', 'updatedBy']

type Index = TablePlan['indexes'][number]

/**
 * Columns for which indexes are needed: those that screens filter by, those that the engine looks up, and the initial
 * sort orders, `field` or `-field`, of lists.
 */
interface IndexedColumns {
  filtered: ReadonlySet<string>
  lookedUp: readonly string[][]
  sorted: readonly string[]
}

/**
 * The columns and indexes of an entity's own fields. The server adds those of every table (id, revision, the deletion
 * mark, search texts). Columns are nullable, because rules decide what is required, and when.
 */
export function tableOf(entity: Entity, { filtered, lookedUp, sorted }: IndexedColumns, names: Names): TablePlan {
  const fields = Object.values(entity.fields).filter(({ name }) => names.isStored(entity.name, name))
  const initials = new Map(entity.states.map(({ field, initial }) => [field, initial]))
  const columns = fields.map(({ name, type, options, was }) => {
    const target = names.widgets[type].target?.(options)
    const initial = initials.get(name)
    return {
      name,
      type: names.widgets[type].column(options)!,
      nullable: true,
      ...(target && !target.many && { references: target.entity }),
      ...(was !== undefined && { was }),
      ...(initial !== undefined && { initial }),
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
    if (!key.every((name) => stored.has(name))) continue
    if (key.some((name) => isList(entity.fields[name].type))) {
      const isArray = columns.find(({ name }) => name === key[0])!.type.endsWith('[]')
      if (key.length === 1 && isArray && !unique.some(({ columns }) => columns.join() === key[0]))
        wanted.push({ columns: key, method: 'gin' })
      continue
    }
    // A unique index within a group holds only rows with a value, so it only serves queries by both.
    const isKnown =
      key.some(isUnique) ||
      wanted.some(({ columns }) => startsWith(columns, key)) ||
      unique.some(({ columns }) => columns.length === key.length && startsWith(columns, key))
    if (!isKnown) wanted.push({ columns: key, method: 'btree' })
  }
  // A unique index within a parent holds only rows with a value, so it does not find all of a parent's.
  const leads = (name: string) =>
    [...wanted, ...unique.filter(({ items, columns: { length } }) => !items && length === 1)].some(
      (index) => index.columns[0] === name,
    )
  const scoped = scopeFields(entity)
  const isFollowed = (name: string) => !standard.includes(name) || scoped.has(name)
  const followed = columns.filter(({ name, references }) => references && isFollowed(name) && !leads(name))
  wanted.push(...followed.map(({ name }): Index => ({ columns: [name], method: 'btree' })))
  // Each save looks for the records that share a limit with it.
  for (const { within } of entity.limits) {
    const own = within.filter((name) => stored.has(name) && !isList(entity.fields[name].type))
    if (own.length > 0 && !own.some(leads)) wanted.push({ columns: own, method: 'btree' })
  }
  const hasGin = (name: string) => wanted.some(({ columns, method }) => method === 'gin' && columns[0] === name)
  for (const name of filtered) {
    if (!stored.has(name)) continue
    const widget = names.widgets[entity.fields[name].type]
    if (widget.expression === 'string' && widget.operators.includes('contains'))
      wanted.push({ columns: [name], method: 'trigram' })
    else if (widget.expression.startsWith('list') && widget.operators.includes('overlaps') && !hasGin(name))
      wanted.push({ columns: [name], method: 'gin' })
  }
  for (const sort of sorted) {
    const name = sort.replace(/^-/, '')
    if (stored.has(name) && isPlain(entity.fields[name], names))
      wanted.push({ columns: [name], method: sort === name ? 'ascending' : 'descending' })
  }
  // The engine has its own indexes on who and when.
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

/** Whether it sorts by its column unchanged. Names, choices and formatted texts have their own order. */
function isPlain({ type, options }: Entity['fields'][string], { widgets }: Names): boolean {
  const widget = widgets[type]
  const isText = widget.column(options) === 'text' && !widget.series
  return widget.sortable && !isText && !widget.dictionary?.(options) && !widget.target?.(options)
}

/** The entity's own references in its data scope. */
function scopeFields({ scope }: Entity): ReadonlySet<string> {
  if (!scope) return new Set()
  const paths = 'only' in scope ? scope.only : 'via' in scope ? scope.via : [...scope.owners, ...scope.departments]
  return new Set(paths.map((path) => path.split('.')[0]))
}

/** Compares columns in any order, because an index serves every prefix of its columns. */
const startsWith = (columns: string[], key: string[]): boolean =>
  columns.slice(0, key.length).toSorted().join() === key.toSorted().join()

/** The fields that the screens of each entity offer as filters, whatever their kind. */
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

/** The initial sort orders of lists with an address; lists inside another screen show few records. */
export function initialSorts(screens: readonly ScreenPlan[]): (entity: string) => readonly string[] {
  const found = new Map<string, Set<string>>()
  for (const { entity, route, body } of screens) {
    const { sort } = body as { sort?: unknown }
    if (entity === undefined || route === undefined || typeof sort !== 'string') continue
    found.set(entity, (found.get(entity) ?? new Set()).add(sort.split(',')[0]))
  }
  return (entity) => [...(found.get(entity) ?? [])]
}
