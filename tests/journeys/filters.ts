/** The filters that an operator would enter, and what must be true of every record found. */
import type { Entity, Field, FilterValue, Operator, RecordData, Value } from '../../engine/model/model.ts'
import type { Language } from './app.ts'
import { known } from './app.ts'
import { catalog, idsUnder, textOf, widgets } from './catalog.ts'
import type { Entry } from './controls.ts'

/** Whether the field is empty; a file has no id but still counts as a value. */
const isEmpty = (record: RecordData, { name }: Field): boolean =>
  [record[name] ?? null].flat().every((value) => value === null || value === '')

/** What to enter into the filter so that it finds this record; undefined if the record has no value to look for. */
export function entryFor(field: Field, operator: Operator, record: RecordData, language: Language): Entry | undefined {
  const value = record[field.name]
  if (operator === 'empty')
    return isEmpty(record, field) ? { cn: '为空', en: 'Empty' }[language] : { cn: '不为空', en: 'Not empty' }[language]
  if (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) return undefined
  if (operator === 'between') {
    // A moment is filtered by its day, an amount by its plain digits.
    const plain = String(value).replace(/^(\d{4}-\d\d-\d\d) .*/, '$1')
    return [plain, plain]
  }
  if (Array.isArray(value)) return [textOf(field, [value[0]], language)]
  return operator === 'contains' ? String(value).slice(0, 12) : textOf(field, value, language)
}

/** The same filter as the screen would send it to the server. */
export function filterFor(field: Field, operator: Operator, record: RecordData): FilterValue | undefined {
  const [value] = [record[field.name] ?? null].flat()
  const plain = typeof value === 'object' && value !== null && !Array.isArray(value) ? (value.id ?? null) : value
  if (operator === 'empty') return { empty: isEmpty(record, field) }
  if (plain === null) return undefined
  if (operator === 'between') return { between: [plain, plain] }
  if (operator === 'contains') return { contains: String(plain).slice(0, 12) }
  return (operator === 'in' || operator === 'overlaps' ? { [operator]: [plain] } : { [operator]: plain }) as FilterValue
}

/** A predicate for the records that match the filter, derived from the words of the contract alone. */
export async function stands(
  entity: Entity,
  field: Field,
  filter: FilterValue,
): Promise<(record: RecordData) => boolean> {
  const [[operator, operand]] = Object.entries(filter) as [Operator, Value][]
  const values = (record: RecordData): Value[] =>
    [record[field.name] ?? null]
      .flat()
      .map((value) =>
        typeof value === 'object' && value !== null && !Array.isArray(value) ? (value.id ?? null) : value,
      )
  const wanted = [operand].flat()
  switch (operator) {
    case 'equals':
      return (record) => values(record).some((value) => String(value) === String(operand))
    case 'in':
    case 'overlaps':
      return (record) => values(record).some((value) => wanted.map(String).includes(String(value)))
    case 'contains':
      return (record) =>
        values(record).some((value) => String(value).toLowerCase().includes(String(operand).toLowerCase()))
    case 'empty':
      return (record) => operand === isEmpty(record, field)
    case 'between': {
      const [from, to] = wanted
      const key = (value: Value) => (widgets[field.type].expression === 'decimal' ? Number(value) : String(value))
      return (record) =>
        record[field.name] !== null &&
        values(record).every(
          (value) => (from === null || key(value) >= key(from)) && (to === null || key(value) <= key(to)),
        )
    }
    case 'under': {
      const ids = await idsUnder(catalog.entities[widgets[field.type].target!(field.options)!.entity], Number(operand))
      return (record) => values(record).some((value) => ids.has(Number(value)))
    }
    default:
      throw new Error(`${entity.name}.${field.name}: nothing is known of the operator ${String(operator)}`)
  }
}

/** A predicate for the records whose references are identified by their names. */
export async function identifiedBy(field: Field): Promise<(record: RecordData) => boolean> {
  const target = widgets[field.type].target?.(field.options)
  // For a tree, the options show the whole path.
  if (!target || target.rows || catalog.entities[target.entity].tree) return () => true
  const { list: offered } = await known<{ list: { name: string }[] }>(
    `${catalog.entities[target.entity].endpoint}/options`,
    { page: 1, size: 1000 },
  )
  const names = (record: RecordData) =>
    [record[field.name] ?? []].flat().map((value) => (value as { name: string }).name)
  return (record) => names(record).every((name) => offered.filter((option) => option.name === name).length < 2)
}

/** A predicate for the records that match all filters. */
export async function meeting(
  entity: Entity,
  filters: Record<string, FilterValue> = {},
): Promise<(record: RecordData) => boolean> {
  const conditions = await Promise.all(
    Object.entries(filters).map(([name, filter]) => stands(entity, entity.fields[name], filter)),
  )
  return (record) => conditions.every((stood) => stood(record))
}

const chinese = new Intl.Collator('zh-CN')
const byCodePoints = (left: string, right: string) => (left < right ? -1 : Number(left !== right))

/**
 * Whether the values are in the order of a sorted list: numbers by size, days and moments by time, choices as in their
 * dictionary, references by name, texts as a Chinese reader expects them or, where an index holds the order, by code
 * points.
 */
export function isInOrder(field: Field, values: Value[], descending: boolean): boolean {
  const known = values.filter((value) => value !== null)
  const widget = widgets[field.type]
  const choices = widget.dictionary?.(field.options)
  const places = choices === undefined ? undefined : catalog.dictionaries[choices].choices.map(({ value }) => value)
  const name = (value: Value) =>
    String(typeof value === 'object' && value !== null && !Array.isArray(value) ? value.name : value)
  const orders: ((left: Value, right: Value) => number)[] =
    widget.expression === 'decimal'
      ? [(left, right) => Number(left) - Number(right)]
      : widget.expression === 'boolean'
        ? [(left, right) => Number(left) - Number(right)]
        : places
          ? [(left, right) => places.indexOf(String(left)) - places.indexOf(String(right))]
          : [
              (left, right) => chinese.compare(name(left), name(right)),
              (left, right) => byCodePoints(name(left), name(right)),
            ]
  return orders.some((rank) =>
    known.every(
      (value, index) =>
        index === 0 || (descending ? rank(known[index - 1], value) >= 0 : rank(known[index - 1], value) <= 0),
    ),
  )
}
