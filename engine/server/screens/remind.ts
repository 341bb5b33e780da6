import { isDeepStrictEqual } from 'node:util'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { isRemindable } from '../../model/model.ts'
import type { ActionPlan, Entity, Label, RecordData, ScreenPlan } from '../../model/model.ts'
import { fill, Refusal } from '../errors.ts'
import { answer } from '../http/envelope.ts'
import { demand, may, mayOpen } from '../identity/access.ts'
import { usersHolding } from '../identity/holders.ts'
import { engineMessages, messageEntity, messageFields, userEntity } from '../identity/identity.ts'
import { tableOf } from '../identity/scope.ts'
import { send } from '../records/deliver.ts'
import { isTrue, scopeOf } from '../records/effects.ts'
import { once, requestKey } from '../records/idempotency.ts'
import { nameOf } from '../records/nameOf.ts'
import { canonicalRecord } from '../records/reading/canonical.ts'
import { main } from '../records/reading/columnOf.ts'
import { readStored } from '../records/reading/read.ts'
import { visibleConditions } from '../records/reading/visibleConditions.ts'
import { refuseMissing } from '../records/save.ts'
import type { Context, Db } from '../runtime.ts'

/** The type of these messages. */
const type = engineMessages.reminder
/** The most reminders that one user may send a day. */
const mostADay = 50

interface ReminderRequest {
  /** The screen that offers the action. */
  screen: string
  /** The entity of the record. */
  entity: string
  action: string
  id: number
}

const schema = {
  body: {
    type: 'object',
    required: ['screen', 'entity', 'action', 'id'],
    properties: {
      screen: { type: 'string', maxLength: 100 },
      entity: { type: 'string', maxLength: 100 },
      action: { type: 'string', maxLength: 100 },
      id: { type: 'integer', minimum: 1 },
    },
  },
}

export function remindRoute(api: FastifyInstance): void {
  api.post<{ Body: ReminderRequest }>('/messages/remind', { schema }, async ({ context, body, headers }) => {
    const request = requestKey(headers['idempotency-key']?.toString(), '/messages/remind', body)
    return answer(
      await context.runtime.database.kysely
        .transaction()
        .execute((db) => once({ context: { ...context, request }, db }, '', () => remind(context, db, body))),
    )
  })
}

/**
 * Asks the users who may carry out an action on a record, and see the record, to do so. Once a day for each record and
 * action.
 * @returns how many were reminded.
 * @throws Refusal unknownPath, permission, unknownRecord, outOfScope, notAllowed, remindedToday, tooManyRequests,
 * nobodyToRemind.
 */
async function remind(
  context: Context,
  db: Db,
  { screen, entity: name, action, id }: ReminderRequest,
): Promise<{ reminded: number }> {
  const { entities, screens } = context.derived.catalog
  const entity = Object.hasOwn(entities, name) ? entities[name] : undefined
  const plan = Object.hasOwn(screens, screen) ? screens[screen] : undefined
  const offered = entity && plan ? actionsOf(plan, entity).filter((each) => each.name === action) : []
  if (!entity || !plan || offered.length === 0) throw new Refusal('unknownPath')
  demand(context.user, entity.permissions.view)
  if (!mayOpen(context.user, plan)) throw new Refusal('permission')
  const [stored] = await readStored(context, db, entity, [
    sql<boolean>`${sql.ref(`${main}.id`)} = ${id}`,
    ...visibleConditions(context, entity),
  ])
  if (!stored) refuseMissing(context, entity)
  const record = canonicalRecord(context, entity, stored)
  const refused = offered.find(
    ({ permission, shownWhen }) =>
      !may(context.user, permission) && isTrue(context, entity, shownWhen, scopeOf(context, entity, record, record)),
  )
  if (!refused) throw new Refusal('notAllowed')

  const [title, link] = [titleOf(context, entity, refused, record), linkTo(context, entity, id)]
  await refuseRepeats(context, db, { title, link })
  const receivers = await usersHolding(context, db, refused.permission)
  const reminded = await send(context, db, entity, { type }, [
    { records: [{ id, receivers }], texts: { title, content: null, link } },
  ])
  if (reminded === 0) throw new Refusal('nobodyToRemind')
  return { reminded }
}

/** The actions of a screen on records of the entity, with the decisions of its reviews. */
function actionsOf(plan: ScreenPlan, { name, endpoint }: Entity): ActionPlan[] {
  const isOf = ({ do: what }: ActionPlan) =>
    what.kind === 'call' ? what.path.slice(0, what.path.lastIndexOf('/')) === endpoint : plan.entity === name
  return [plan, ...Object.values(plan.variants?.plans ?? {})]
    .flatMap(({ body }) => actionsIn(body))
    .filter((action) => isRemindable(action) && isOf(action))
}

/** Every action anywhere below. */
function actionsIn(value: unknown): ActionPlan[] {
  if (typeof value !== 'object' || value === null) return []
  const below = Object.values(value).flatMap(actionsIn)
  return 'do' in value && 'permission' in value ? [value as ActionPlan, ...below] : below
}

/** "Lin Wei is waiting for you: Approve, Payroll GZ202603-01", in every language. */
const titleOf = (context: Context, entity: Entity, { label }: ActionPlan, record: RecordData): Label =>
  fill(
    { cn: '{who}提醒您办理：{action}，{kind}{about}', en: '{who} is waiting for you: {action}, {kind} {about}' },
    {
      who: context.user.name,
      action: label,
      kind: entity.label,
      about: nameOf(context, entity, record) ?? String(record.id),
    },
  )

/** @throws Refusal remindedToday, tooManyRequests. */
async function refuseRepeats(context: Context, db: Db, reminder: { title: Label; link: string | null }): Promise<void> {
  const { entities } = context.derived.catalog
  // A user's reminders are sent one after the other, so that two simultaneous ones do not both count as the first.
  await sql`select 1 from ${tableOf(context, entities[userEntity])} where id = ${context.user.id} for update`.execute(
    db,
  )
  const { rows } = await sql<typeof reminder>`
    select distinct ${sql.ref(messageFields.title)} as title, ${sql.ref(messageFields.link)} as link
    from ${tableOf(context, entities[messageEntity])}
    where "createdBy" = ${context.user.id} and ${sql.ref(messageFields.type)} = ${type}
      and "createdAt" >= ${context.now.slice(0, 10)}::timestamp`.execute(db)
  if (rows.some((row) => isDeepStrictEqual(row, reminder))) throw new Refusal('remindedToday')
  if (rows.length >= mostADay) throw new Refusal('tooManyRequests')
}

/** The screen that is opened with the record's id alone, else the list that the menu leads to. */
function linkTo({ derived }: Context, { name }: Entity, id: number): string | null {
  const screens = Object.values(derived.catalog.screens).filter(({ entity, route }) => entity === name && route)
  const own = screens.find(({ parameters: [first, ...more] }) => first?.name === 'id' && more.length === 0)
  return own ? `${own.route}?id=${id}` : (screens.find(({ menu }) => menu)?.route ?? null)
}
