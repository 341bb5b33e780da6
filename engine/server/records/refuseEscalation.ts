import { sql } from 'kysely'
import type { Entity, RecordData } from '../../model/model.ts'
import { fill, invalid, problems as messages, Refusal } from '../errors.ts'
import { type Held, isUnbounded, ownRights, readHeld, readUsers, rightsOf, rightsOfUser } from './rightsOf.ts'
import { departmentEntity, enabled, roleEntity, roleFields, userEntity, userFields } from '../identity/identity.ts'
import { addedRights, excessOf, isWithin, noRights, type Rights } from '../identity/rights.ts'
import { idsOf } from './reading/references.ts'
import type { Context, Db } from '../runtime.ts'
import { isEqual } from './reading/canonical.ts'

export interface WrittenPair {
  record: RecordData
  old: RecordData | null
}

/** A user's rights before and after a write, and the field at which an excess is reported. */
interface Change {
  before: Rights
  after: Rights
  fieldOf(excess: Excess): string
}
type Excess = NonNullable<ReturnType<typeof excessOf>>

/**
 * Checks, after a write of users, roles or departments and within its transaction, that nobody has gained rights which
 * the writer does not hold. Every write passes here: a form, an action, an imported row, or what follows from another
 * save. @throws Refusal invalid, at the field that grants too much.
 */
export async function refuseEscalation(
  context: Context,
  db: Db,
  entity: Entity,
  written: readonly WrittenPair[],
): Promise<void> {
  if (written.length === 0 || isUnbounded(context.user)) return
  await keepOutOfReach(context, db, entity, written)
  const changesOf = judged[entity.name]
  if (!changesOf) return
  // Two concurrent grants, each within its writer's rights, could exceed them together.
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

/**
 * Whoever owns records (a user, an agency) and moves to another department takes them into its scope, so the writer
 * must have seen them in the old one. @throws Refusal invalid.
 */
async function keepOutOfReach(
  context: Context,
  db: Db,
  entity: Entity,
  written: readonly WrittenPair[],
): Promise<void> {
  if (context.user.dataScope === 'all') return
  for (const name of departmentsOf(context, entity)) {
    const moved = written.filter((pair) => pair.old && changed(pair, name) && idsOf(pair.record[name]).length > 0)
    if (moved.length === 0) continue
    const { departments } = ownRights(await readHeld(context, db), context.user)
    const isSeen = (ids: number[]) => ids.length > 0 && ids.every((id) => departments.has(id))
    if (moved.every(({ old }) => isSeen(idsOf(old![name])))) continue
    throw invalid([
      { field: name, code: 'beyondOwn', message: fill(messages.beyondOwn, { label: entity.fields[name].label }) },
    ])
  }
}

const known = new WeakMap<Context['derived']['catalog'], ReadonlyMap<string, ReadonlySet<string>>>()

/** The fields by which data scopes lead from its records on to departments: the last of `supportStaff.department`. */
function departmentsOf({ derived }: Context, { name }: Entity): ReadonlySet<string> {
  let all = known.get(derived.catalog)
  if (!all) {
    const found = new Map<string, Set<string>>()
    for (const entity of Object.values(derived.catalog.entities)) {
      const paths = entity.scope && 'departments' in entity.scope ? entity.scope.departments : []
      for (const path of paths.map((each) => each.split('.')).filter(({ length }) => length > 1)) {
        const owner = path.slice(0, -1).reduce((at, step) => derived.target(at.fields[step])!.entity, entity)
        found.set(owner.name, (found.get(owner.name) ?? new Set()).add(path.at(-1)!))
      }
    }
    known.set(derived.catalog, (all = found))
  }
  return all.get(name) ?? new Set()
}

/** The state before this write, which the tables already contain. */
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
 * Enabling grants everything, because a disabled record had no rights. One that stays disabled is checked as if
 * enabled, since another user may enable it without looking.
 */
const counted = ({ record, old }: WrittenPair, status: string): boolean =>
  old !== null && (old[status] === enabled || record[status] !== enabled)

const changed = ({ record, old }: WrittenPair, name: string): boolean =>
  record[name] !== undefined && !isEqual(record[name], old?.[name])

/** The rights that users have, and those that they would have if all their roles were enabled. */
const ofUsers: Changes = (_context, _db, { before, after, written }) =>
  [
    { before, after },
    { before: asIfEnabled(before), after: asIfEnabled(after) },
  ].flatMap((held) =>
    written.map((pair) => ({
      before: counted(pair, userFields.status) ? rightsOfUser(held.before, pair.old!) : noRights,
      after: rightsOfUser(held.after, { ...pair.old, ...pair.record }),
      fieldOf: () => [userFields.roles, userFields.department].find((name) => changed(pair, name)) ?? userFields.status,
    })),
  )

const asIfEnabled = (held: Held): Held => ({
  ...held,
  roles: new Map([...held.roles].map(([id, role]) => [id, { ...role, [roleFields.status]: enabled }])),
})

/**
 * The rights of the role itself, for a user like the writer, and those of every user who has it, together with their
 * other roles.
 */
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

/** A department that moves comes within the scope of other users. */
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
 * A user who resets a password can sign in as that user, so they must hold all of that user's rights and see that
 * user's records. @throws Refusal holdsMore.
 */
export async function demandWithinOwn(context: Context, db: Db, ids: readonly number[]): Promise<void> {
  if (isUnbounded(context.user)) return
  const held = await readHeld(context, db)
  const own = ownRights(held, context.user)
  for (const user of await readUsers(context, db, { ids: [...ids] })) {
    const sees = own.seesAll || own.departments.has(user[userFields.department] as number)
    // Disabled roles count, because another user may enable them without looking at who has them.
    const isWithinAll = [held, asIfEnabled(held)].every((roles) => isWithin(rightsOfUser(roles, user), own))
    if (user.id !== context.user.id && !(sees && isWithinAll)) throw new Refusal('holdsMore')
  }
}
