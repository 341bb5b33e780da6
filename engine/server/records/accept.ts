import sanitizeHtml from 'sanitize-html'
import { completed, withFormulas, computeFormula } from '../../expression/withFormulas.ts'
import { inputs } from '../../expression/conditions.ts'
import { isReadOnly, isRequired, isVisible, isWritable } from '../../expression/verdict.ts'
import { normalizeRecord } from '../../expression/normalizeRecord.ts'
import type { ScopeUser } from '../../expression/index.ts'
import type { VerdictContext } from '../../expression/VerdictContext.ts'
import type { Entity, Field, FieldProblem, RecordData, RowsOf, Value } from '../../model/model.ts'
import { scopeUser, seesWhole } from '../identity/access.ts'
import { fill, problems as messages, unknownField } from '../errors.ts'
import type { Context } from '../runtime.ts'
import type { SessionUser } from '../SessionUser.ts'
import { canonicalValue, changedFields, isEqual, isRecord } from './reading/canonical.ts'
import { isMaskOf, masked, sharedContextOf } from './reading/words.ts'

/** A client's values, merged into the record as it would be saved. */
export interface Accepted {
  /** Canonical, in stored form; a new secret is still plain text. */
  record: RecordData
  /** The fields that the client changed, or guessed. */
  given: string[]
  problems: FieldProblem[]
}

const readers = new WeakMap<SessionUser, ScopeUser>()

function readerOf(user: SessionUser): ScopeUser {
  let known = readers.get(user)
  if (!known) readers.set(user, (known = scopeUser(user)))
  return known
}

export function verdictContext(
  context: Context,
  old: RecordData | null,
  { changed, fields }: Pick<VerdictContext, 'changed' | 'fields'> = {},
): VerdictContext {
  const { derived, user, settings } = context
  const { dictionary, now } = sharedContextOf(context)
  return {
    widgets: derived.widgets,
    entities: derived.catalog.entities,
    dictionary,
    now,
    user: readerOf(user),
    settings,
    old,
    changed,
    fields,
  }
}

/**
 * @param values what the client sent: unknown fields, and fields that it may not write, are problems, unless nothing
 * would change
 * @param old the stored record; null for a new one, which gets the defaults
 * @param lookups looked-up values of the records that the values refer to
 * @param follows fills in defaults of empty fields that follow from the changes, even in a stored record
 */
export function accept(
  context: Context,
  entity: Entity,
  values: Record<string, Value | undefined>,
  old: RecordData | null,
  { lookups = {}, follows = false }: { lookups?: RecordData; follows?: boolean } = {},
): Accepted {
  const record: RecordData = { ...(old ?? newRecord(context, entity)), ...lookups }
  const given: string[] = []
  const found: FieldProblem[] = []
  const sent = new Set<string>()

  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || name === 'id' || name === 'revision') continue
    const field = Object.hasOwn(entity.fields, name) ? entity.fields[name] : undefined
    if (!field) {
      found.push(unknownField(name))
      continue
    }
    sent.add(name)
    if (isKept(context, entity, field, value, old)) continue
    const target = context.derived.target(field)
    if (target?.rows) {
      const rows = acceptRows(context, field, target.entity, target.rows, value, old)
      found.push(...rows.problems)
      if (isEqual(rows.value, old?.[name])) continue
      record[name] = rows.value
    } else {
      const canonical = clean(context, field, canonicalValue(context, field, value))
      if (isEqual(canonical, record[name]) && !isGuess(context, entity, field, { record, old, lookups })) continue
      if (!isWritable(field, context.derived.widgets)) {
        found.push(readOnly(field))
        continue
      }
      record[name] = canonical
    }
    given.push(name)
  }

  const verdict = verdictContext(context, old)
  if (!old) fillDefaults(context, entity, record, (name) => !sent.has(name))
  else if (follows) fillDefaults(context, entity, record, followsFrom(entity, record, old, verdict))
  const whole = completed(entity, record, verdict)
  for (const name of given) {
    if (isReadOnly(entity, entity.fields[name], whole, verdict)) found.push(readOnly(entity.fields[name]))
  }
  hide(entity, record, verdict)
  return { record, given, problems: found }
}

const readOnly = (field: Field): FieldProblem => ({
  field: field.name,
  code: 'read-only',
  message: fill(messages.readOnly, { label: field.label }),
})

const hidingFields = new WeakMap<Entity['fields'], readonly Field[]>()

/** Hidden fields are cleared. Hiding one field can hide another. */
function hide(entity: Entity, record: RecordData, verdict: VerdictContext): void {
  let hiding = hidingFields.get(entity.fields)
  if (!hiding) {
    hiding = Object.values(entity.fields).filter((field) => field.visibleWhen !== undefined)
    hidingFields.set(entity.fields, hiding)
  }
  for (let again = true; again;) {
    again = false
    const whole = hiding.length > 0 ? completed(entity, record, verdict) : record
    for (const field of hiding) {
      if ((record[field.name] ?? null) === null || isVisible(entity, field, whole, verdict)) continue
      record[field.name] = null
      again = true
    }
  }
}

/** An empty value keeps a secret, and a mask that is sent back keeps the value. */
function isKept(context: Context, entity: Entity, field: Field, value: Value, old: RecordData | null): boolean {
  const { protect } = context.derived.widget(field)
  const empty = value === null || value === ''
  if (protect === 'hash') return empty
  const before = old?.[field.name] ?? null
  if (before === null) return false
  if (protect === 'encrypt')
    return empty || value === masked(context, field, context.runtime.secrets.decrypt(String(before)))
  return isMaskOf(context, entity, field, value, before)
}

/**
 * A value equal to one that the user only sees masked counts as a change: otherwise "nothing would change" would
 * confirm a guess.
 */
function isGuess(
  context: Context,
  entity: Entity,
  field: Field,
  { record, old, lookups }: { record: RecordData; old: RecordData | null; lookups: RecordData },
): boolean {
  const isKnown = !old && (field.computed?.kind === 'formula' || !Object.hasOwn(lookups, field.name))
  return !isKnown && (record[field.name] ?? null) !== null && !seesWhole(context, entity, field)
}

const clean = (context: Context, field: Field, value: Value): Value =>
  context.derived.widget(field).html && typeof value === 'string' ? sanitizeHtml(value, allowedHtml) : value

/** What the rich text editor can produce; images must be our own uploads. */
const allowedHtml: sanitizeHtml.IOptions = {
  allowedTags: [
    'p',
    'br',
    'hr',
    'h1',
    'h2',
    'h3',
    'h4',
    'strong',
    'b',
    'em',
    'i',
    'u',
    's',
    'code',
    'pre',
    'blockquote',
    'ul',
    'ol',
    'li',
    'a',
    'img',
  ],
  allowedAttributes: { a: ['href', 'target', 'rel'], img: ['src', 'alt', 'width', 'height'] },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  exclusiveFilter: ({ tag, attribs }) => tag === 'img' && !attribs.src?.startsWith('/api/files/'),
  transformTags: { a: sanitizeHtml.simpleTransform('a', { rel: 'noopener noreferrer' }) },
}

/** Cached by the fields of an entity, because a file of a hundred thousand rows needs as many. */
const emptyRecords = new WeakMap<Entity['fields'], { record: RecordData; shared: readonly string[] }>()

/** A record with every field: empty, or with its literal default. */
function newRecord(context: Context, entity: Entity): RecordData {
  let known = emptyRecords.get(entity.fields)
  if (!known) {
    const record = emptyRecord(context, entity)
    const shared = Object.keys(record).filter((name) => typeof record[name] === 'object' && record[name] !== null)
    emptyRecords.set(entity.fields, (known = { record, shared }))
  }
  const record = { ...known.record }
  for (const name of known.shared) record[name] = structuredClone(record[name])
  return record
}

function emptyRecord(context: Context, entity: Entity): RecordData {
  const record: RecordData = Object.fromEntries(
    Object.values(entity.fields).map((field) => {
      const nothing =
        field.computed?.kind === 'aggregate' && ['sum', 'count'].includes(field.computed.function) ? 0 : null
      return [field.name, canonicalValue(context, field, field.default ?? nothing)]
    }),
  )
  for (const machine of entity.states) record[machine.field] = machine.initial
  return record
}

/** Fills in those of these fields that are empty, except those that the client left empty on purpose. */
function fillDefaults(context: Context, entity: Entity, record: RecordData, isMeant: (name: string) => boolean): void {
  const verdict = verdictContext(context, null)
  for (const field of Object.values(entity.fields)) {
    if (field.defaultFrom === undefined || (record[field.name] ?? null) !== null || !isMeant(field.name)) continue
    record[field.name] = canonicalValue(context, field, computeFormula(field.defaultFrom, entity, record, verdict))
  }
}

/**
 * The fields of a stored record that the changes make necessary, or that follow from them. Those that the changes
 * cleared stay empty.
 */
function followsFrom(entity: Entity, record: RecordData, old: RecordData, verdict: VerdictContext) {
  const changed = new Set(changedFields(entity, old, record))
  const whole = completed(entity, record, verdict)
  return (name: string): boolean => {
    const field = entity.fields[name]
    if (changed.has(name)) return false
    return (
      inputs(field.defaultFrom!, entity).some((input) => changed.has(input)) ||
      isRequired(entity, field, whole, verdict)
    )
  }
}

/**
 * Treats each row as its own record: matched by id, or new; fields that it omits stay unchanged. Absent rows are
 * deleted.
 */
function acceptRows(
  context: Context,
  field: Field,
  entity: Entity,
  { by, where }: RowsOf,
  value: Value,
  old: RecordData | null,
) {
  const given: Value = context.derived.widget(field).normalize(value, field.options)
  const before = (old?.[field.name] ?? []) as RecordData[]
  const found: FieldProblem[] = []
  // If it is not a list of rows, the widget refuses it.
  if (!Array.isArray(given) || !given.every((row) => isRecord(row))) return { value: given, problems: found }
  const seen = new Set<number>()
  const verdict = verdictContext(context, null)
  const rows = (given as RecordData[]).map((row, index) => {
    const cells = Object.fromEntries(Object.entries(row).filter(([name]) => name !== by && !Object.hasOwn(where, name)))
    const former = row.id === undefined || row.id === null ? null : before.find(({ id }) => id === row.id)
    if (former === undefined || (former && seen.has(former.id!))) {
      found.push({ field: `${field.name}.${index}`, code: 'row', message: fill(messages.row, { label: field.label }) })
      return row
    }
    if (former) seen.add(former.id!)
    const given = normalizeRecord(entity, { ...(former ?? newRecord(context, entity)), ...cells, ...where }, verdict)
    const worked = Object.entries(withFormulas(entity, given, verdict)).filter(
      ([name]) => entity.fields[name]?.computed?.kind === 'formula',
    )
    const accepted = accept(context, entity, cells, former, {
      lookups: { ...where, ...Object.fromEntries(worked) },
    })
    found.push(
      ...accepted.problems.map((problem) => ({ ...problem, field: `${field.name}.${index}.${problem.field}` })),
    )
    return accepted.record
  })
  return { value: rows as Value, problems: found }
}
