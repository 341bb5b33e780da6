import { administratorPassword, type TestServer } from '../server.ts'
import type { FuzzedRequest } from './FuzzedRequest.ts'
import { randomOf } from './random.ts'
import { requestsOf } from './requests.ts'

/** A request that was answered with an unexpected error. */
export interface Broken extends FuzzedRequest {
  number: number
  as: string
  answer: string
}

/** A long run reports its progress each time it has sent this many requests. */
const told = 2000

const isBroken = (status: number, text: string): boolean =>
  status === 500 || text.startsWith('{"code":50000,') || text.includes('"message":"系统错误"')

/**
 * Sends `count` requests made from this seed, as several users and without a session. Writes stay, so that later
 * requests meet them. `statuses` counts the answers by status; `uploads` and `signIns` count theirs separately as well.
 */
export async function fuzz(
  house: TestServer,
  { seed, count }: { seed: number; count: number },
): Promise<{ broken: Broken[] } & Record<'statuses' | 'uploads' | 'signIns', Map<number, number>>> {
  const random = randomOf(seed)
  const made = requestsOf(house.runtime.derived)
  const tokens: Record<string, string> = { nobody: '', admin: house.admin.token }
  for (const role of ['support', 'auditor', 'financeManager'])
    tokens[role] = (await house.user(`fuzz${role}`, [role])).token
  const broken: Broken[] = []
  const statuses = new Map<number, number>()
  const uploads = new Map<number, number>()
  const signIns = new Map<number, number>()
  for (let number = 0; number < count; number++) {
    const as = random.chance(0.75) ? 'admin' : random.pick(Object.keys(tokens))
    const request = made(random)
    const answer = await house.server.inject({
      method: request.method,
      url: request.url,
      headers: {
        ...(request.body !== undefined && { 'content-type': 'application/json' }),
        ...request.headers,
        token: tokens[as],
      },
      ...(request.remoteAddress !== undefined && { remoteAddress: request.remoteAddress }),
      ...(request.body !== undefined && { payload: request.body }),
    })
    const isUpload = request.url === '/api/common/upload'
    const counted = [statuses, ...(isUpload ? [uploads] : request.remoteAddress === undefined ? [] : [signIns])]
    for (const one of counted) one.set(answer.statusCode, (one.get(answer.statusCode) ?? 0) + 1)
    const text = String(answer.headers['content-type']).startsWith('application/json') ? answer.body : ''
    if (isBroken(answer.statusCode, text)) broken.push({ ...request, number, as, answer: text.slice(0, 200) })
    // An earlier request may have changed the administrator's name or password.
    if (answer.statusCode === 401 && as === 'admin') tokens.admin = await again(house)
    // Shows how far a long run came, should it be interrupted.
    if ((number + 1) % told === 0) console.log(`${number + 1} requests, ${broken.length} answers of 500`)
  }
  return { broken, statuses, uploads, signIns }
}

const again = async (house: TestServer): Promise<string> => {
  const answer = await house.server.inject({
    method: 'POST',
    url: '/api/vue-element-admin/user/login',
    payload: { username: 'admin', password: administratorPassword },
  })
  return answer.json().data?.token ?? ''
}
