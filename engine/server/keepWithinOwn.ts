import { sql } from 'kysely'
import type { Entity, RecordData } from '../schema/model.ts'
import { fill, invalid, problems as messages, Refusal } from './errors.ts'
import { type Held, isUnbounded, ownRights, readHeld, readUsers, rightsOf, rightsOfUser } from './heldRights.ts'
import { departmentEntity, enabled, roleEntity, roleFields, userEntity, userFields } from './identity.ts'
import { addedRights, excessOf, isWithin, noRights, type Rights } from './rights.ts'
import type { Context, Db } from './runtime.ts'
import { isEqual } from './stored.ts'

export interface WrittenPair {
  record: RecordData
  old: RecordData | null
}

/** What somebody has before and after a write, and at which of its fields it is told what went beyond. */
interface Change {
  before: Rights
  after: Rights
  fieldOf(excess: Excess): string
}
type Excess = NonNullable<ReturnType<typeof excessOf>>

/**
 * After a write of users, roles or departments, before its transaction ends: has anybody got what the writer does not
 * hold, in what they may do or for more records? Every write passes here: a form, an action, a row of an import, what
 * follows another save. @throws Refusal invalid, at the field that grants too much.
 */
export async function keepWithinOwn(
  context: Context,
  db: Db,
  entity: Entity,
  written: readonly WrittenPair[],
): Promise<void> {
  const changesOf = judged[entity.name]
  if (!changesOf || written.length === 0 || isUnbounded(context.user)) return
  // Two grants at once, each within what its writer holds, may be more than that together.
  await sql`select pg_advisory_xact_lock(hashtext('rights'))`.execute(db)
  const after = await readHeld(context, db)
  const before = heldBefore(after, entity, written)
  const own = ownRights(before, context.user)
  for (const change of await changesOf(context, db, { before, after, written })) {
    const excess = excessOf(addedRights(change.before, change.after), own)
    if (!excess) continue
    const field = change.fieldOf(excess)
    const { label } = entity.fields[field]
    throw invalid([{ field, code: 'beyondOwn', message: fill(messages.beyondOwn, { label }) }])
  }
}

/** As it was before this write, which stands in the tables already. */
function heldBefore(held: Held, { name, tree }: Entity, written: readonly WrittenPair[]): Held {
  if (name === roleEntity) {
    const roles = new Map(held.roles)
    for (const { record, old } of written) {
      if (old) roles.set(record.id!, old)
      else roles.delete(record.id!)
    }
    return { ...held, roles }
  }
  if (name === departmentEntity && tree) {
    const parents = new Map(held.parents)
    for (const { record, old } of written) if (old) parents.set(record.id!, (old[tree.parent] ?? null) as number | null)
    return { ...held, parents }
  }
  return held
}

interface Moment {
  before: Held
  after: Held
  written: readonly WrittenPair[]
}

type Changes = (context: Context, db: Db, moment: Moment) => Promise<Change[]> | Change[]

/**
 * What was disabled counted for nothing, so that whoever enables it grants all of it; what is disabled and stays so is
 * judged as if it were not, as another may enable it without looking.
 */
const counted = ({ record, old }: WrittenPair, status: string): boolean =>
  old !== null && (old[status] === enabled || record[status] !== enabled)

const changed = ({ record, old }: WrittenPair, name: string): boolean =>
  record[name] !== undefined && !isEqual(record[name], old?.[name])

const ofUsers: Changes = (_context, _db, { before, after, written }) =>
  written.map((pair) => ({
    before: counted(pair, userFields.status) ? rightsOfUser(before, pair.old!) : noRights,
    after: rightsOfUser(after, { ...pair.old, ...pair.record }),
    fieldOf: () => [userFields.roles, userFields.department].find((name) => changed(pair, name)) ?? userFields.status,
  }))

/** Of the role itself, for somebody like the writer; and of everybody who has it, together with their other roles. */
const ofRoles: Changes = async (context, db, { before, after, written }) => {
  const fieldOf = (pair: WrittenPair) => (excess: Excess) =>
    [fieldsOfRoles[excess], roleFields.dataScope].find((name) => changed(pair, name)) ?? roleFields.status
  const content = written.map((pair) => ({
    before: counted(pair, roleFields.status) ? rightsOf(before, [pair.old!], context.user.department) : noRights,
    after: rightsOf(after, [{ ...pair.old, ...pair.record }], context.user.department),
    fieldOf: fieldOf(pair),
  }))
  const users = await readUsers(context, db, { withRoles: written.map(({ record }) => record.id!) })
  return [
    ...content,
    ...users.map((user) => ({
      before: rightsOfUser(before, user),
      after: rightsOfUser(after, user),
      fieldOf: fieldOf(written[0]),
    })),
  ]
}

const fieldsOfRoles: Record<Excess, string> = {
  reach: roleFields.dataScope,
  permissions: roleFields.permissions,
  messages: roleFields.messages,
  codes: roleFields.code,
}

/** A department that moves comes into the reach of others. */
const ofDepartments: Changes = async (context, db, { before, after, written }) => {
  const field = context.derived.catalog.entities[departmentEntity].tree?.parent
  if (field === undefined || !written.some((pair) => pair.old && changed(pair, field))) return []
  const users = await readUsers(context, db, 'enabled')
  return users.map((user) => ({
    before: rightsOfUser(before, user),
    after: rightsOfUser(after, user),
    fieldOf: () => field,
  }))
}

const judged: Record<string, Changes> = {
  [userEntity]: ofUsers,
  [roleEntity]: ofRoles,
  [departmentEntity]: ofDepartments,
}

/**
 * Whoever gives somebody a new password can sign in as them: only those may be given one who hold no more, and whose
 * records the user sees anyhow. @throws Refusal holdsMore.
 */
export async function demandWithinOwn(context: Context, db: Db, ids: readonly number[]): Promise<void> {
  if (isUnbounded(context.user)) return
  const held = await readHeld(context, db)
  const own = ownRights(held, context.user)
  for (const user of await readUsers(context, db, { ids: [...ids] })) {
    const theirs = rightsOfUser(held, user)
    const sees = own.seesAll || own.departments.has(user[userFields.department] as number)
    if (user.id !== context.user.id && !(sees && isWithin(theirs, own))) throw new Refusal('holdsMore')
  }
}
