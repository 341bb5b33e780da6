import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { percentile } from './result.ts'

export interface Load {
  perSecond: number
  p95: number
  failed: number
  firstFailure?: string
}

/** One call of the API: its path below /api, and what is posted. */
export interface Call {
  path: string
  body?: object
}

const connections = 20

/**
 * Twenty connections that each ask again as soon as they were answered, for so many seconds; the first one, or half of
 * less than two, comes before and warms up.
 */
export async function load(server: Server, seconds: number, next: () => Call): Promise<Load> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const answer = send(agent, server)
  return hammer(seconds, async () => answer(next())).finally(() => agent.destroy())
}

/** Any work, as often as twenty at a time can do it. It resolves with what went wrong. */
export async function hammer(seconds: number, work: () => Promise<string | undefined>): Promise<Load> {
  const times: number[] = []
  const failures: string[] = []
  const begin = performance.now() + Math.min(1, seconds / 2) * 1000
  const end = begin + seconds * 1000
  // What takes long may end later: it counts, and so does its time.
  let last = end
  await Promise.all(
    Array.from({ length: connections }, async () => {
      for (let start = performance.now(); start < end; start = performance.now()) {
        const failure = await work()
        const now = performance.now()
        if (now < begin) continue
        last = Math.max(last, now)
        if (failure === undefined) times.push(now - start)
        else failures.push(failure)
      }
    }),
  )
  return {
    perSecond: (times.length / (last - begin)) * 1000,
    p95: times.length ? percentile(times, 0.95) : 0,
    failed: failures.length,
    firstFailure: failures[0],
  }
}

type Server = { url: string; token: string }

/** Resolves with the answer where it is no success. */
const send =
  (agent: Agent, { url, token }: Server) =>
  ({ path, body }: Call) =>
    new Promise<string | undefined>((resolve, reject) => {
      const payload = body && JSON.stringify(body)
      const call = request(
        `${url}/api${path}`,
        {
          agent,
          method: payload ? 'POST' : 'GET',
          headers: {
            token,
            language: 'zh-CN',
            ...(payload && {
              'content-type': 'application/json',
              'content-length': Buffer.byteLength(payload),
              'idempotency-key': randomUUID(),
            }),
          },
        },
        (answer) => {
          const chunks: Buffer[] = []
          answer.on('data', (chunk: Buffer) => {
            chunks.push(chunk)
          })
          answer.on('end', () =>
            resolve(answer.statusCode === 200 ? undefined : Buffer.concat(chunks).toString().slice(0, 500)),
          )
          answer.on('error', reject)
        },
      )
      call.on('error', reject)
      call.end(payload)
    })
