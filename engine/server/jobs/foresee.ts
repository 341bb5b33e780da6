import { sql } from 'kysely'
import type { CallRequest, Entity, Outlook } from '../../model/model.ts'
import { demand } from '../identity/access.ts'
import type { Context } from '../runtime.ts'
import { calledOf, perform } from '../records/call.ts'
import { logListed } from '../records/logOperation.ts'
import { validateCall } from '../records/validateCall.ts'
import { madeBy } from '../records/madeBy.ts'
import { outlookOf } from '../records/outlook.ts'
import { procedureOf } from '../records/procedures.ts'
import { seeing } from '../records/seen.ts'
import { inTrial, inWork, type Work } from '../records/Work.ts'
import { isImpatient, limitedFrom, notAtOnce, oneAtOnce, type Trying, tryOut } from './tryOut.ts'

/**
 * Foresees a transition or an action: it is carried out, its outcome described, and rolled back. It uses no request key,
 * because nothing of it stays. @throws Refusal whatever the call itself would refuse.
 */
export async function foreseeCall(
  { request: _key, ...context }: Context,
  entity: Entity,
  name: string,
  request: CallRequest,
): Promise<Outlook> {
  demand(context.user, calledOf(entity, name).permission)
  return inWork(seeing(context, entity, request), { cause: `foresee:${name}` }, (work) =>
    foreseeWithin(work, entity, name, request),
  )
}

/** The same within the current work, whose other writes stay. @throws Refusal as `foreseeCall`, except permission. */
export async function foreseeWithin(work: Work, entity: Entity, name: string, request: CallRequest): Promise<Outlook> {
  if (!(await isOnly(work))) return { facts: [], lists: [], note: oneAtOnce }
  const { foresee } = calledOf(entity, name)
  const trying = { begun: performance.now(), name, request }
  try {
    return await (typeof foresee === 'string'
      ? describe(work, entity, foresee, trying)
      : tryFirst(work, entity, trying))
  } catch (error) {
    if (isImpatient(error)) return { facts: [], lists: [], note: notAtOnce, partial: true }
    throw error
  }
}

/** What the procedure reports of the call: everything or nothing, because it describes no part. */
async function describe(
  work: Work,
  entity: Entity,
  procedure: string,
  { begun, name, request }: Trying,
): Promise<Outlook> {
  return inTrial(work, async () => {
    const within = await limitedFrom(work, begun, request)
    const called = calledOf(entity, name)
    const given = await validateCall(within, entity, called, request)
    const act = () => perform(within, entity, called, request)
    const outlook = await procedureOf(
      within.context,
      entity,
      procedure,
    )({ ...within, entity: entity.name, ...given, act })
    return outlook as unknown as Outlook
  })
}

/**
 * What the call would create, as the engine itself reports it: of the parts that there is time for, and as far as the
 * user may see it.
 */
async function tryFirst(work: Work, entity: Entity, trying: Trying): Promise<Outlook> {
  const { begun, request } = trying
  const { trial, made } = await inTrial(work, async () => {
    const trial = await tryOut(work, entity, trying)
    return { trial, made: await madeBy(await limitedFrom(work, begun, request), entity) }
  })
  // Also what ends its reading must not end the work, which may be a job's.
  const { outlook, named } = await inTrial(work, async () =>
    outlookOf(await limitedFrom(work, begun, request), trial, made),
  )
  const { context, db } = work
  for (const { entity: shown, records } of named) await logListed(context, shown, records, { ids: idsOf(request), db })
  return outlook
}

const idsOf = ({ id, ids }: CallRequest): number[] | undefined => ids ?? (id === undefined ? undefined : [id])

/** Whether no other preview of the user runs: many at once would keep what they lock from others. */
async function isOnly({ context, db }: Work): Promise<boolean> {
  const { rows } = await sql<{ is: boolean }>`
    select pg_try_advisory_xact_lock(hashtext('preview'), ${context.user.id}) as is`.execute(db)
  return rows[0].is
}
