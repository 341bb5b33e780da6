/** Every operation, called by users who may not. */
import { fixedOperations } from '../../engine/server/http/fixedOperations.ts'
import { isLong } from '../long.ts'
import type { Client, TestServer } from '../server.ts'

type Method = 'GET' | 'POST'

const send = (client: Client, method: Method, path: string) =>
  method === 'GET' ? client.get(path, { id: 1 }) : client.post(path, { id: 1, values: {} })

/** The operations differ in nothing but their names here, so the short run calls one in five. */
const sample = <T>(all: readonly T[]): T[] => all.filter((_, place) => isLong || place % 5 === 0)

interface Outcome {
  called: number
  /** The calls that were not refused. */
  done: string[]
}

/** Calls every operation without a session, except for ending the session, which is always allowed. */
export async function withoutSession({ client, runtime }: TestServer): Promise<Outcome> {
  const all = [
    ...[...runtime.derived.operations.values()].map(({ method, path }) => [method, path] as const),
    ...Object.entries(fixedOperations).flatMap(([key, { open }]) =>
      open || key === 'POST /logout' ? [] : [key.split(' ') as [Method, string]],
    ),
  ]
  const done = []
  const sampled = sample(all)
  for (const [method, path] of sampled) {
    // Calls of the older client are refused with a code of their own.
    const { status, code } = await send(client(''), method, path.replaceAll(/:\w+/g, '1'))
    if (status !== 401 && code !== 50008) done.push(`${method} ${path}: ${status}`)
  }
  return { called: sampled.length, done }
}

/** Calls the operations of which the user holds no permission. */
export async function withoutPermission(
  { runtime }: TestServer,
  client: Client,
  may: (permission: string) => boolean,
): Promise<Outcome> {
  const closed = [...runtime.derived.operations.values()].filter(
    ({ permissions }) => permissions.length > 0 && !permissions.some(may),
  )
  const done = []
  const sampled = sample(closed)
  for (const { method, path } of sampled) {
    const { status } = await send(client, method, path)
    if (status !== 403) done.push(`${method} ${path}: ${status}`)
  }
  return { called: sampled.length, done }
}
