import { type KyselyPlugin, sql } from 'kysely'
import type { CallRequest, CallResult, Entity, Label } from '../../model/model.ts'
import { Refusal } from '../errors.ts'
import type { Work } from '../records/Work.ts'
import type { Trial } from '../records/outlook.ts'
import { carryOut, stepsOf } from './carryOut.ts'
import type { Outcome } from './Job.ts'

/** Milliseconds that a trial may take: less than others wait for the records that it locks. */
const patience = 4000
/** Milliseconds that it waits for what others have locked. */
const lockPatience = 1000

export const notAtOnce: Label = {
  cn: '数据较多或正被他人修改，暂时无法试算；可以直接办理',
  en: 'The outcome cannot be previewed right now, because there is too much data or others are changing it; you can proceed',
}

/** The trial's time is up. */
class OutOfPatience extends Error {}

/** PostgreSQL's codes for a statement that took too long, and for a lock that could not be had in time. */
const limits = ['57014', '55P03']
export const isImpatient = (error: unknown): boolean =>
  error instanceof OutOfPatience || limits.includes((error as { code?: string }).code ?? '')

/**
 * Carries out a call within a work that the caller rolls back: all at once, or as many of its steps as there is time for.
 * @throws Refusal if the whole call is refused; what `isImpatient` tells if not even the first step was in time.
 */
export async function tryOut(work: Work, entity: Entity, name: string, request: CallRequest): Promise<Trial> {
  await sql.raw(`set local statement_timeout = ${patience}; set local lock_timeout = ${lockPatience}`).execute(work.db)
  const { steps, parts } = await stepsOf(limited(work), entity, name, request)
  const asked = { request, parts, origin: undefined }
  if (parts && steps > 1) {
    // Divided calls do the same at once, in far fewer statements, if no part is refused.
    const whole = await inTime(() =>
      carryOut(limited(work), entity, {
        operation: name,
        asked: { ...asked, parts: undefined },
        place: 0,
        outcome: {},
      }),
    )
    if (whole) return { result: whole.result as unknown as CallResult, tried: 1, of: 1 }
  }
  const until = performance.now() + patience
  const within = limited(work)
  let outcome: Outcome = {}
  let place = 0
  try {
    while (place < steps && performance.now() < until) {
      outcome = await carryOut(within, entity, { operation: name, asked, place, outcome })
      place++
    }
  } catch (error) {
    if (place === 0 || !isImpatient(error)) throw error
  }
  return { result: outcome.result as unknown as CallResult, tried: place, of: steps }
}

/** Undefined if it was refused, or not done in time. */
async function inTime<T>(act: () => Promise<T>): Promise<T | undefined> {
  try {
    return await act()
  } catch (error) {
    if (error instanceof Refusal || isImpatient(error)) return undefined
    throw error
  }
}

const limited = ({ context, db }: Work): Work => ({
  context,
  db: db.withPlugin(endingAt(performance.now() + patience)),
})

/** Refuses the first statement after that time; those that roll back what was begun still run. */
function endingAt(until: number): KyselyPlugin {
  let isOver = false
  return {
    transformQuery({ node }) {
      if (!isOver && performance.now() >= until) {
        isOver = true
        throw new OutOfPatience()
      }
      return node
    },
    transformResult: async ({ result }) => result,
  }
}
