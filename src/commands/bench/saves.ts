import { randomUUID } from 'node:crypto'
import type { Database } from '../../../engine/server/postgres/database.ts'
import { hammer, load } from './requests.ts'
import type { Call } from './requests.ts'
import type { Result } from './result.ts'

type Server = { url: string; token: string }
type Pool = Database['pool']

/** How many people save a form at once. */
const crowds = [1, 10]

/**
 * Saves a form with history, an effect on another record, and a request key: a person's position, which their
 * employment takes over. Compared with the bare statements that it needs.
 */
export async function measureSaves(server: Server, pool: Pool, seconds: number): Promise<Result[]> {
  const people = await readEmployed(pool)
  const results: Result[] = []
  for (const atOnce of crowds) {
    const times = { seconds, atOnce }
    const ours = await load(server, times, callsOf(people, atOnce))
    if (ours.failed > 0) console.error(`Form save: ${ours.failed} failed, the first with ${ours.firstFailure}`)
    const bare = await withOwnTables(pool, () => hammer(times, bareSave(pool, people)))
    for (const share of ['p50', 'p95'] as const)
      results.push({
        name: `Form save, ${atOnce} at once: ${share}`,
        unit: 'ms',
        ours: ours[share],
        yardstick: { name: 'bare SQL', value: bare[share] },
        samples: { ours, bare },
      })
  }
  return results
}

interface Employed {
  id: number
  revision: number
  stint: number
}

async function readEmployed(pool: Pool): Promise<Employed[]> {
  const { rows } = await pool.query<Employed>(
    `select p.id, p.revision, max(e.id) as stint from person p join "employmentRecord" e on e.person = p.id
      where p."employmentStatus" = 'active' and p."deletedAt" is null and e."leaveDate" is null and e."deletedAt" is null
      group by p.id order by p.id limit 1000`,
  )
  if (rows.length < Math.max(...crowds)) throw new Error('Too few people are employed to save their forms at once.')
  return rows
}

/** Each client saves people of its own, with their current revisions, so that no save conflicts with another. */
function callsOf(people: readonly Employed[], clients: number): (client: number) => Call {
  let count = 0
  return (client) => {
    const own = Math.ceil((people.length - client) / clients)
    const person = people[client + (count++ % own) * clients]
    return {
      path: '/staff/person/update',
      body: { id: person.id, revision: person.revision++, values: { position: `岗位${count}` } },
    }
  }
}

/** The record, its effect, a row of history for each, and the key, in one transaction. */
const bareSave = (pool: Pool, people: readonly Employed[]): (() => Promise<undefined>) => {
  let next = 0
  return async () => {
    const { id, stint } = people[next++ % people.length]
    const position = `岗位${next}`
    const client = await pool.connect()
    try {
      await client.query('begin')
      await client.query('insert into bench_key (key) values ($1)', [randomUUID()])
      await client.query('update person set position = $2 where id = $1', [id, position])
      await client.query('update "employmentRecord" set position = $2 where id = $1', [stint, position])
      for (const record of [id, stint])
        await client.query('insert into bench_history (record, changes) values ($1, $2)', [
          record,
          JSON.stringify({ position: [null, position] }),
        ])
      await client.query('commit')
    } finally {
      client.release()
    }
    return undefined
  }
}

/** Tables of keys and of history that only the bare statements use. */
async function withOwnTables<T>(pool: Pool, act: () => Promise<T>): Promise<T> {
  await pool.query('create table bench_key (key text primary key)')
  await pool.query(
    'create table bench_history (id bigint generated always as identity primary key, record bigint, changes jsonb)',
  )
  try {
    return await act()
  } finally {
    await pool.query('drop table bench_key, bench_history')
  }
}
