import { textIn } from '../../model/language.ts'
import type { CallRequest, CallResult, Entity, EntityAction, Transition } from '../../model/model.ts'
import { demand } from '../identity/access.ts'
import { procedureOf } from './procedures.ts'
import { Refusal } from '../errors.ts'
import type { CallPart, Context, Cause } from '../runtime.ts'
import { lockRecords } from './save.ts'
import { seeing } from './seen.ts'
import { withTallySummary } from './tallySummary.ts'
import { valuesOfEach } from './valuesOfEach.ts'
import { transit } from './transit.ts'
import { inWork, type Work } from './Work.ts'
import { requestedIds } from './requestedIds.ts'
import { remove } from './remove.ts'
import { runsOnAll, actOn } from './actOn.ts'
import { validateCall } from './validateCall.ts'

/** A call that handles one record after another. */
export interface OneByOne {
  cause: Cause
  act(work: Work, id: number, place: number): Promise<void>
}

/**
 * Handles each record in its own transaction, so that a refused record does not affect the others. A single one refuses
 * with its own answer.
 */
async function each(context: Context, request: CallRequest, { cause, act }: OneByOne): Promise<CallResult> {
  const ids = requestedIds(request)
  const failed: CallResult['failed'] = []
  const together: Context = { ...context, act: {} }
  for (const [place, id] of ids.entries()) {
    try {
      await inWork(together, { cause, part: String(id) }, (work) => act(work, id, place))
    } catch (error) {
      const isOfOne = error instanceof Refusal && !['repeated', 'underWay'].includes(error.code)
      if (!isOfOne || request.ids === undefined) throw error
      failed.push({ id, message: textIn(error.text, context.language) })
    }
  }
  return { succeeded: ids.length - failed.length, failed }
}

/** The transition or action of this name. */
export const calledOf = (entity: Entity, name: string): Transition | EntityAction =>
  entity.states.map(({ transitions }) => transitions[name]).find(Boolean) ?? entity.actions[name]

/**
 * How a transition, an action or `delete` handles one record; undefined if a procedure gets all records at once.
 * @throws Refusal as `valuesOfEach`.
 */
export function oneByOne(context: Context, entity: Entity, name: string, request: CallRequest): OneByOne | undefined {
  if (name === 'delete') return { cause: 'delete', act: (work, id) => remove(work, entity, id) }
  const called = calledOf(entity, name)
  if ('to' in called) {
    const values = valuesOfEach(context, entity, called.form, {
      count: requestedIds(request).length,
      values: request.values,
    })
    const act = (work: Work, id: number, place: number) => transit(work, entity, called, { id, values: values[place] })
    return { cause: `transition:${name}`, act }
  }
  if (runsOnAll(called)) return undefined
  return {
    cause: `action:${name}`,
    act: (work, id) => actOn(work, entity, called, { id, values: request.values }),
  }
}

/** The permission that a call takes. */
export const permissionOf = (entity: Entity, name: string): string =>
  name === 'delete' ? entity.permissions.delete : calledOf(entity, name).permission

/**
 * A transition, an action or `delete`.
 * @throws Refusal permission, and for a single record unknownRecord, outOfScope, notAllowed, stale, invalid; for a
 * deletion inUse.
 */
export async function callOperation(
  context: Context,
  entity: Entity,
  name: string,
  request: CallRequest,
): Promise<CallResult> {
  demand(context.user, permissionOf(entity, name))
  const seen = seeing(context, entity, request)
  const apart = oneByOne(context, entity, name, request)
  if (apart) return each(seen, request, apart)
  return inWork(seen, { cause: `action:${name}` }, (work) => callAtOnce(work, entity, name, request))
}

/** On all records at once, within the current work. @throws Refusal, except permission. */
export const callAtOnce = (work: Work, entity: Entity, name: string, request: CallRequest): Promise<CallResult> =>
  runProcedure(work, entity, entity.actions[name] as EntityAction & { run: string }, request)

/**
 * Carries out a transition or an action on all records within the current work; if one is refused, all are.
 * @throws Refusal as `callOperation`, except permission.
 */
export async function perform(
  work: Work,
  entity: Entity,
  called: Transition | EntityAction,
  request: CallRequest,
): Promise<CallResult> {
  if (!('to' in called) && runsOnAll(called)) return runProcedure(work, entity, called, request)
  const ids = requestedIds(request)
  await lockRecords(work.context, work.db, entity, ids)
  for (const id of ids) {
    if ('to' in called) await transit(work, entity, called, { id, values: request.values })
    else await actOn(work, entity, called, { id, values: request.values })
  }
  return { succeeded: ids.length, failed: [] }
}

/** How a procedure splits a long call, each part becoming its own work. @throws Refusal as `perform`. */
export async function partsOf(
  work: Work,
  entity: Entity,
  action: EntityAction,
  request: CallRequest,
): Promise<CallPart[]> {
  const divide = procedureOf(work.context, entity, String(action.job))
  const given = await validateCall(work, entity, action, request)
  const { parts } = (await divide({ ...work, entity: entity.name, action: action.name, ...given })) as {
    parts: CallPart[]
  }
  return parts
}

async function runProcedure(
  work: Work,
  entity: Entity,
  action: EntityAction & { run: string },
  request: CallRequest,
): Promise<CallResult> {
  const { context } = work
  const { records, values } = await validateCall(work, entity, action, request)
  const result = await procedureOf(
    context,
    entity,
    action.run,
  )({
    ...work,
    entity: entity.name,
    action: action.name,
    records,
    values,
  })
  return withTallySummary({ succeeded: records.length, failed: [], ...result })
}
