import { sql } from 'kysely'
import { textIn } from '../../model/language.ts'
import type { CallRequest, CallResult, Entity } from '../../model/model.ts'
import { callAtOnce, oneByOne, partsOf } from '../records/call.ts'
import { requestedIds } from '../records/requestedIds.ts'
import { nameOf } from '../records/nameOf.ts'
import { canonicalRecord, isEqual } from '../records/reading/canonical.ts'
import { main } from '../records/reading/columnOf.ts'
import { readStored } from '../records/reading/read.ts'
import { visibleConditions } from '../records/reading/visibleConditions.ts'
import { addTallies, withTallySummary } from '../records/tallySummary.ts'
import { attemptWithin, type Work } from '../records/Work.ts'
import { Refusal } from '../errors.ts'
import type { CallPart } from '../runtime.ts'
import type { Job, Outcome } from './Job.ts'

/** The steps of a call: its records, or the parts that its procedure divides it into. @throws Refusal. */
export async function stepsOf(
  work: Work,
  entity: Entity,
  name: string,
  request: CallRequest,
): Promise<{ steps: number; parts?: CallPart[] }> {
  if (oneByOne(work.context, entity, name, request)) return { steps: requestedIds(request).length }
  const action = entity.actions[name]
  if (typeof action.job !== 'string') return { steps: 1 }
  const parts = await partsOf(work, entity, action, request)
  // An empty call still reports why there is nothing to do.
  return parts.length > 0 ? { steps: parts.length, parts } : { steps: 1 }
}

/**
 * Carries out one step of a call. A refusal is that of a record or part, but for a call without parts it is the whole
 * call's. @throws Refusal then.
 */
export async function carryOut(
  work: Work,
  entity: Entity,
  { operation, input: { request, parts }, place, outcome }: Pick<Job, 'operation' | 'input' | 'place' | 'outcome'>,
): Promise<Outcome> {
  const run = (act: () => Promise<CallResult | void>) =>
    attemptWithin(work, async () => (await act()) ?? { succeeded: 1, failed: [] })
  const apart = oneByOne(work.context, entity, operation, request)
  if (apart) {
    const id = requestedIds(request)[place]
    const result = await refusedAs({ id }, request.ids !== undefined, work, entity, () =>
      run(() => apart.act(work, id, place)),
    )
    return { result: added(outcome.result, result) }
  }
  const part = parts?.[place]
  const values = { ...request.values, ...part?.values }
  const result = await refusedAs(
    { id: part?.id ?? place + 1, ...(part?.name !== undefined && { name: part.name }) },
    part !== undefined,
    work,
    entity,
    () => run(() => callAtOnce(work, entity, operation, { ...request, values })),
  )
  return { result: added(outcome.result, result) }
}

async function refusedAs(
  named: { id: number; name?: string },
  isOneOfMany: boolean,
  work: Work,
  entity: Entity,
  act: () => Promise<CallResult>,
): Promise<CallResult> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof Refusal) || !isOneOfMany) throw error
    const name = named.name ?? (await nameIn(work, entity, named.id))
    return {
      succeeded: 0,
      failed: [{ id: named.id, ...(name !== null && { name }), message: textIn(error.text, work.context.language) }],
    }
  }
}

/** A record's name, for users who may see it. */
async function nameIn({ context, db }: Work, entity: Entity, id: number): Promise<string | null> {
  const where = [sql<boolean>`${sql.ref(`${main}.id`)} = ${id}`, ...visibleConditions(context, entity)]
  const [stored] = await readStored(context, db, entity, where)
  return stored ? nameOf(context, entity, canonicalRecord(context, entity, stored)) : null
}

type Result = Record<string, unknown>

/** Combines the outcomes of the steps. A message is kept only if all steps have the same; counts add up. */
export function added(former: Result | undefined, result: CallResult): Result {
  const before = (former ?? { succeeded: 0, failed: [], summary: result.summary }) as unknown as CallResult
  const lists = Object.fromEntries(
    (['files', 'passwords'] as const).flatMap((name) => {
      const all = [...(before[name] ?? []), ...(result[name] ?? [])]
      return all.length > 0 ? [[name, all]] : []
    }),
  )
  const tally = addTallies(before.tally, result.tally)
  const { summary: _told, ...all } = { ...before, ...result, ...lists }
  return withTallySummary({
    ...all,
    ...(result.summary && isEqual(before.summary, result.summary) && { summary: result.summary }),
    ...(tally.length > 0 && { tally }),
    succeeded: before.succeeded + result.succeeded,
    failed: [...before.failed, ...result.failed],
  })
}
