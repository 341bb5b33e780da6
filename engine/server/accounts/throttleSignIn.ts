import { setTimeout as after } from 'node:timers/promises'
import { sql } from 'kysely'
import { Refusal } from '../errors.ts'
import { noteFailure, lockMinutes, recentFailures } from './throttle.ts'
import { userEntity } from '../identity/identity.ts'
import { networkOf } from './networkOf.ts'
import { policy } from '../identity/policies.ts'
import type { Runtime } from '../runtime.ts'

/** An address may fail this many times as often as one name, because a whole office shares an address. */
const namesOfAnAddress = 10
const firstDelay = 250
const longestDelay = 8000
/** The most requests waiting for one name: more would only hold connections open for an attacker. */
const mostWaiting = 3

/** Doubles with every wrong guess beyond those allowed. */
export const delayAfter = (failures: number, allowed: number): number =>
  failures < allowed ? 0 : Math.min(firstDelay * 2 ** (failures - allowed), longestDelay)

const waiting = new Map<string, number>()

async function wait(name: string, milliseconds: number): Promise<void> {
  const count = waiting.get(name) ?? 0
  if (count >= mostWaiting) throw new Refusal('tooManySignIns', { parameters: { minutes: 1 } })
  waiting.set(name, count + 1)
  try {
    await after(milliseconds)
  } finally {
    const rest = waiting.get(name)! - 1
    if (rest > 0) waiting.set(name, rest)
    else waiting.delete(name)
  }
}

const ofName = (name: string) => ['name', name]
const ofAddress = (ip: string) => ['address', networkOf(ip)]

/**
 * Delays or refuses a sign-in before it is checked. Wrong guesses of one name, from anywhere, throttle it but never
 * lock it; those from one address, for any names, block the address for a while. Neither affects a user who has signed
 * in from there before, so that nobody can lock out anybody else.
 * @returns whether the address is blocked, so that a wrong password is to be refused like the name of a stranger: else
 * it would tell who has signed in from there
 * @throws Refusal tooManySignIns
 */
export async function throttleSignIn(
  runtime: Runtime,
  { name, ip, userId }: { name: string; ip: string; userId: number | undefined },
): Promise<boolean> {
  const allowed = policy(runtime, 'signInFailures')
  const delay = delayAfter(await recentFailures(runtime, ofName(name)), allowed)
  const isShut = (await recentFailures(runtime, ofAddress(ip))) >= allowed * namesOfAnAddress
  if ((delay === 0 && !isShut) || (await hasSignedInFrom(runtime, userId, ip))) return isShut
  if (isShut) throw blocked()
  await wait(name, delay)
  return false
}

export const blocked = () => new Refusal('tooManySignIns', { parameters: { minutes: lockMinutes } })

export async function countStranger(runtime: Runtime, { name, ip }: { name: string; ip: string }): Promise<void> {
  await noteFailure(runtime, ofName(name))
  await noteFailure(runtime, ofAddress(ip))
}

async function hasSignedInFrom({ database }: Runtime, userId: number | undefined, ip: string): Promise<boolean> {
  if (userId === undefined) return false
  const { rows } = await sql<{ ip: string }>`select distinct ip from system_history where entity = ${userEntity}
    and record_id = ${userId} and action = 'login' and ip is not null`.execute(database.kysely)
  return rows.some((known) => networkOf(known.ip) === networkOf(ip))
}
