import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { percentile } from './result.ts'

export interface Load {
  perSecond: number
  p50: number
  p95: number
  failed: number
  firstFailure?: string
}

/** One call of the API: its path below /api, and its body. */
export interface Call {
  path: string
  body?: object
}

/** For this many seconds, with this many clients that each repeat as soon as they are answered. */
export interface Times {
  seconds: number
  atOnce: number
}

/** Measures after a warm-up of one second, or of half the time if that is under two seconds. */
export async function load(server: Server, times: Times, next: (client: number) => Call): Promise<Load> {
  const agent = new Agent({ keepAlive: true, maxSockets: times.atOnce })
  const answer = send(agent, server)
  return hammer(times, async (client) => answer(next(client))).finally(() => agent.destroy())
}

/** Any work, as often as this many clients, numbered from 0, can do it. Resolves with what went wrong. */
export async function hammer(
  { seconds, atOnce }: Times,
  work: (client: number) => Promise<string | undefined>,
): Promise<Load> {
  const times: number[] = []
  const failures: string[] = []
  const begin = performance.now() + Math.min(1, seconds / 2) * 1000
  const end = begin + seconds * 1000
  // Slow requests may end later: they count, and so does their time.
  let last = end
  await Promise.all(
    Array.from({ length: atOnce }, async (_, client) => {
      for (let start = performance.now(); start < end; start = performance.now()) {
        const failure = await work(client)
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
    p50: times.length ? percentile(times, 0.5) : 0,
    p95: times.length ? percentile(times, 0.95) : 0,
    failed: failures.length,
    firstFailure: failures[0],
  }
}

type Server = { url: string; token: string }

/** Resolves with the answer if it is not a success. */
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
