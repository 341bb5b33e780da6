import { type KyselyPlugin, sql } from 'kysely'
import type { CallRequest, CallResult, Entity, Label } from '../../model/model.ts'
import { Refusal } from '../errors.ts'
import type { Work } from '../records/Work.ts'
import type { Trial } from '../records/outlook.ts'
import { carryOut, stepsOf } from './carryOut.ts'
import type { Outcome } from './Job.ts'

/** Milliseconds. */
interface Patience {
  /** For everything. */
  all: number
  /** When it must have been carried out: the rest is for reading what it made. */
  carriedOutIn: number
  /** When all parts at once must have been carried out: the rest is for one after another. */
  atOnceIn: number
}
/** Less than others wait for the records that a trial locks. */
const brief: Patience = { all: 4000, carriedOutIn: 3000, atOnceIn: 1500 }
/** For users who prefer to wait, and to let others wait, for a preview of everything. */
const thorough: Patience = { all: 60_000, carriedOutIn: 50_000, atOnceIn: 30_000 }
const patienceOf = (request: CallRequest): Patience => (request.thorough ? thorough : brief)
/** Milliseconds that it waits for each record that others have locked. */
const lockPatience = 1000

export const notAtOnce: Label = {
  cn: '数据较多或正被他人修改，暂时无法试算；可以直接办理',
  en: 'The outcome cannot be previewed right now, because there is too much data or others are changing it; you can proceed',
}

export const oneAtOnce: Label = {
  cn: '您的另一项试算尚未结束，暂时无法试算；可以稍后重试，也可以直接办理',
  en: 'The outcome cannot be previewed while another of your previews runs; you can try again later, or proceed',
}

/** A call to be tried. */
export interface Trying {
  /** When the trial began. */
  begun: number
  name: string
  request: CallRequest
}

/** The trial's time is up. */
class OutOfPatience extends Error {}

/** PostgreSQL's codes for a statement that took too long, a lock that could not be had in time, and crossing others. */
const limits = ['57014', '55P03', '40P01', '40001']
export const isImpatient = (error: unknown): boolean =>
  error instanceof OutOfPatience || limits.includes((error as { code?: string }).code ?? '')

/**
 * Carries out a call within a work that the caller rolls back: all at once, or as many of its steps as there is time
 * for.
 * @throws Refusal if the whole call is refused; an error that `isImpatient` recognises if not even the first step was
 * in time.
 */
export async function tryOut(work: Work, entity: Entity, { begun, name, request }: Trying): Promise<Trial> {
  const { carriedOutIn, atOnceIn } = patienceOf(request)
  const { steps, parts } = await stepsOf(await limited(work, begun + carriedOutIn), entity, name, request)
  const input = { request, parts, origin: undefined }
  if (parts && steps > 1) {
    // Divided calls do the same at once, in far fewer statements, if no part is refused.
    const whole = await inTime(async () =>
      carryOut(await limited(work, begun + atOnceIn), entity, {
        operation: name,
        input: { ...input, parts: undefined },
        place: 0,
        outcome: {},
      }),
    )
    if (whole) return { result: whole.result as unknown as CallResult, tried: 1, total: 1 }
  }
  let outcome: Outcome = {}
  let place = 0
  try {
    while (place < steps) {
      const within = await limited(work, begun + carriedOutIn)
      outcome = await carryOut(within, entity, { operation: name, input, place, outcome })
      place++
    }
  } catch (error) {
    if (place === 0 || !isImpatient(error)) throw error
  }
  return { result: outcome.result as unknown as CallResult, tried: place, total: steps }
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

/**
 * The work until the end of a trial that began then, reading included. @throws an error that `isImpatient` recognises,
 * if there is no time left.
 */
export const limitedFrom = (work: Work, begun: number, request: CallRequest): Promise<Work> =>
  limited(work, begun + patienceOf(request).all)

/** The work until then: no statement begins later, nor takes longer than there is time for now. */
async function limited({ context, db }: Work, until: number): Promise<Work> {
  const left = Math.floor(until - performance.now())
  if (left < 1) throw new OutOfPatience()
  const waits = Math.min(left, lockPatience)
  await sql.raw(`set local statement_timeout = ${left}; set local lock_timeout = ${waits}`).execute(db)
  return { context, db: db.withPlugin(endingAt(until)) }
}

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
