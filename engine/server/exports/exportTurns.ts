import type { FastifyReply } from 'fastify'
import { Refusal } from '../errors.ts'
import type { Context, Runtime } from '../runtime.ts'
import { Turnstile } from '../turnstile.ts'

const turnstiles = new WeakMap<Runtime, Turnstile>()

/** As long as the browser waits for an answer: a client that reads nothing for this long is gone. */
const silence = 3 * 60_000

const turnsOf = (runtime: Runtime): Turnstile => {
  const { exportsAtOnce: atOnce, exportsPerUser: perKey } = runtime.safety
  const turns = turnstiles.get(runtime) ?? new Turnstile({ atOnce, perKey, waiting: 50, waitingPerKey: 5 })
  turnstiles.set(runtime, turns)
  return turns
}

/**
 * Makes a file when it is the user's turn, which ends once the file is sent or the request is abandoned.
 * @throws Refusal tooManyRequests, also if the waiting user has gone.
 */
export async function inExportTurn<T>(
  { runtime, user }: Pick<Context, 'runtime' | 'user'>,
  reply: FastifyReply,
  work: () => Promise<T>,
): Promise<T> {
  // Waiting exports would otherwise use up the user's turns.
  reply.request.leave?.()
  const leave = await turnsOf(runtime).enter(String(user.id))
  if (reply.raw.destroyed) {
    leave()
    // Nobody receives this answer; it only avoids making an abandoned file.
    throw new Refusal('tooManyRequests')
  }
  reply.raw.once('finish', leave).once('close', leave)
  reply.raw.setTimeout(silence, () => reply.raw.destroy())
  try {
    return await work()
  } catch (error) {
    leave()
    throw error
  }
}
