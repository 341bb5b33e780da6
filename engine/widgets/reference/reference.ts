import { boolean, entityName, filter, optional, shape } from '../../model/model.ts'
import type { Static, Unread, Value, Widget } from '../../model/model.ts'
import { invalidSelection, isNothing } from '../selection.ts'

export const referenceOptions = shape({
  entity: entityName({ about: { cn: '引用哪个实体', en: 'The entity it points to' } }),
  filter: optional(filter({ reaches: true, about: { cn: '只提供符合条件的记录', en: 'Limits the records offered' } })),
  offersFirst: optional(
    filter({
      reaches: true,
      about: {
        cn: '输入搜索之前只列出这些记录；其余可提供的记录靠搜索找到',
        en: 'The records listed before the user types; the others are found by searching',
      },
    }),
  ),
  offersAll: optional(
    boolean({
      about: {
        cn: '实体平常不提供的记录（如已停用的）也提供，仍按filter筛选',
        en: 'Also offers records that the entity usually leaves out, such as disabled ones; `filter` still applies',
      },
    }),
  ),
})
export type ReferenceOptions = Static<typeof referenceOptions>

/**
 * A reference in wire form. Read: `{ id, code, name }`, in a tree also `path`, the names from the root. Written: only
 * `id` is used, so `{ id }` is enough. Only the server knows whether the record exists and may be chosen.
 */
export type Reference = { [key: string]: Value } & { id: number; code?: string | null; name?: string; path?: string[] }

const isId = (value: unknown): value is number => typeof value === 'number' && Number.isSafeInteger(value) && value > 0
const isRecord = (value: unknown): value is Record<string, Value> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * An id, its digits, or an object with an id → `{ id, … }` with what else is known. Anything else is passed on for
 * `check` to refuse.
 */
export function normalizeReference(value: unknown): Unread {
  if (isNothing(value)) return null
  if (typeof value === 'string') {
    const text = value.trim()
    if (text === '') return null
    return /^[1-9]\d{0,15}$/.test(text) ? { id: Number(text) } : text
  }
  if (typeof value === 'number') return isId(value) ? { id: value } : value
  if (!isRecord(value)) return value
  const id = typeof value.id === 'string' && /^[1-9]\d{0,15}$/.test(value.id) ? Number(value.id) : value.id
  return { ...value, id }
}

export const isReference = (value: unknown): value is Reference => isRecord(value) && isId(value.id)

/** Names first; the number only if nothing better is known. */
export const referenceText = (value: Reference): string => value.name || value.code || `#${value.id}`

/** A reference to one record of an entity. */
export const reference: Widget<ReferenceOptions, Reference> = {
  type: 'reference',
  alsoCalled: ['lookup', 'relation'],
  label: { cn: '引用', en: 'Reference' },
  options: referenceOptions,
  prompt: 'select',
  expression: 'map',
  column: () => 'bigint',
  target: (options) => ({ entity: options.entity, many: false }),
  normalize: normalizeReference,
  check: (value, _options, context) => (isReference(value) ? undefined : invalidSelection(context)),
  text: referenceText,
  width: () => 150,
  operators: ['equals', 'in', 'empty'],
  sortable: true,
  sheet: {
    write: referenceText,
    // A code or a name: the import looks up a whole column at once and passes ids to `normalize`.
    read: (cell) => (typeof cell === 'string' ? cell.trim() : cell),
  },
}
