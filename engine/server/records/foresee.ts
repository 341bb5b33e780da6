import type { CallRequest, Entity, Outlook } from '../../model/model.ts'
import { demand } from '../identity/access.ts'
import type { Context } from '../runtime.ts'
import { calledOf, perform } from './call.ts'
import { goodCall } from './goodCall.ts'
import { procedureOf } from './procedures.ts'
import { seeing } from './seen.ts'
import { attemptWithin, inWork, type Work } from './Work.ts'

/** Ends the work by rolling it back. */
class OnlyForeseen extends Error {
  constructor(readonly outlook: Outlook) {
    super('Nothing of this stays')
  }
}

/**
 * Foresees a transition or an action: it is carried out, its outcome described by the procedure that its file names,
 * and rolled back. @throws Refusal whatever the call itself would refuse.
 */
export async function foreseeCall(
  context: Context,
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
  const called = calledOf(entity, name)
  try {
    return await attemptWithin(work, async () => {
      const given = await goodCall(work, entity, called, request)
      const outlook = await procedureOf(
        work.context,
        entity,
        called.foresee!,
      )({
        ...work,
        entity: entity.name,
        ...given,
        act: () => perform(work, entity, called, request),
      })
      throw new OnlyForeseen(outlook as unknown as Outlook)
    })
  } catch (error) {
    if (error instanceof OnlyForeseen) return error.outlook
    throw error
  }
}
