import type { Database } from '../../../engine/server/postgres/database.ts'
import type { ListPlan } from '../../../engine/screens/list/list.ts'
import { figureQuery, initialState, listQuery, mostCounted } from '../../../engine/screens/list/listState.ts'
import type { Envelope, ScreenBundle } from '../../../engine/model/model.ts'
import { hammer, load } from './requests.ts'
import type { Call, Load } from './requests.ts'
import type { Result } from './result.ts'

type Server = { url: string; token: string }
type Pool = Database['pool']

/** A list is counted only so far, and one more tells that there are more. */
const counted = (condition: string) =>
  `select count(*) from (select from customer where ${condition} limit ${mostCounted + 1}) as found`

/** What the list adds up below its columns, of one customer. */
const balance = `coalesce("openingBalance", 0)
  + (select coalesce(sum(case direction when 'in' then amount else -amount end), 0) from receipt
    where customer = customer.id and "voidReason" is null and "deletedAt" is null)
  - (select coalesce(sum(amount), 0) from "receiptMatch"
    where customer = customer.id and not cancelled and "deletedAt" is null)`
const receivable = `(select coalesce(sum("totalAmount" - coalesce("carriedAmount", 0)
    - (select coalesce(sum(amount + coalesce("writeOffAmount", 0)), 0) from "receiptMatch"
      where statement = statement.id and not cancelled and "deletedAt" is null)), 0)
  from statement where customer = customer.id and stage = 'confirmed' and "deletedAt" is null)`

/**
 * The list as its screen asks for it, what it adds up beside its rows, one customer, and the save of one field; beside
 * each the bare statements that it cannot do without.
 */
export async function measureRequests(server: Server, pool: Pool, seconds: number): Promise<Result[]> {
  const {
    rows: [{ count, highest }],
  } = await pool.query('select count(*) as count, max(id) as highest from customer')
  const anyId = () => 1 + Math.floor(Math.random() * highest)
  const results: Result[] = []
  const times = { seconds, atOnce: 20 }
  const note = (name: string, ours: Load, bare: Load) => {
    const at = `${name}, ${count.toLocaleString('en')} customers`
    if (ours.failed > 0) console.error(`${name}: ${ours.failed} failed, the first with ${ours.firstFailure}`)
    results.push(
      // Seconds for a request, so that less is better as everywhere.
      {
        name: `${at}: ${ours.perSecond.toFixed(ours.perSecond < 10 ? 1 : 0)} a second`,
        unit: 'ms',
        ours: 1000 / ours.perSecond,
        yardstick: { name: 'bare SQL', value: 1000 / bare.perSecond },
        samples: { ours, bare },
      },
      {
        name: `${at}: p95 of 20 at once`,
        unit: 'ms',
        ours: ours.p95,
        yardstick: { name: 'bare SQL', value: bare.p95 },
      },
    )
  }
  const bare = (text: () => [string, unknown[]?][]) =>
    hammer(times, async () => {
      for (const [statement, values] of text()) await pool.query(statement, values)
      return undefined
    })

  const list = await listCall(server)
  const { rows: named } = await pool.query<{ name: string }>(
    'select distinct left(name, 4) as name from customer where length(name) >= 4 limit 500',
  )
  const anyName = () => named[Math.floor(Math.random() * named.length)].name
  note(
    'List',
    await load(server, times, () => list({})),
    await bare(() => [
      ['select * from customer where "deletedAt" is null order by "submissionTime" desc, id desc limit 20'],
      [counted('"deletedAt" is null')],
    ]),
  )
  note(
    'What the list adds up',
    await load(server, times, () => list({ figures: true })),
    await bare(() => [
      [
        `select count(*), sum(${balance}), sum(${receivable}), count(*) filter (where "approvalStatus" = 'pending'),
      count(*) filter (where "approvalStatus" = 'approved'), count(*) filter (where "approvalStatus" = 'rejected')
      from customer where "deletedAt" is null`,
      ],
    ]),
  )
  note(
    'List, searched',
    await load(server, times, () => list({ search: anyName() })),
    await bare(() => {
      const like = [`%${anyName()}%`]
      return [
        [
          `select * from customer where "deletedAt" is null and "searchText" like $1
        order by "submissionTime" desc, id desc limit 20`,
          like,
        ],
        [counted('"deletedAt" is null and "searchText" like $1'), like],
      ]
    }),
  )
  note(
    'Detail',
    await load(server, times, () => ({ path: `/customer/detail?id=${anyId()}` })),
    await bare(() => {
      const id = anyId()
      return [
        ['select * from customer where id = $1', [id]],
        ['select * from "customerContact" where customer = $1 and "deletedAt" is null', [id]],
      ]
    }),
  )
  note(
    'Save',
    await load(server, times, await saveCalls(pool)),
    await bare(() => {
      const text = `备注${Math.random()}`
      return [
        [
          'update customer set remark = $2, revision = revision + 1, "updatedAt" = now() where id = $1',
          [anyId(), text],
        ],
      ]
    }),
  )
  return results
}

async function listCall({ url, token }: Server): Promise<(change: { search?: string; figures?: boolean }) => Call> {
  const answer = await fetch(`${url}/api/plans/screen?route=/customer`, { headers: { token } })
  const { result } = (await answer.json()) as Envelope<ScreenBundle>
  const plan = result.plan.body as ListPlan
  return ({ figures, ...change }) => {
    const query = listQuery({ ...initialState(plan), ...change }, plan)
    const written = Object.entries(figures ? figureQuery(query) : query).map(([name, value]) => [
      name,
      typeof value === 'object' ? JSON.stringify(value) : String(value),
    ])
    return { path: `${plan.paths.list}?${new URLSearchParams(written)}` }
  }
}

/** Approved customers one after the other, each with the revision that it has: no save meets another. */
async function saveCalls(pool: Pool): Promise<() => Call> {
  const { rows } = await pool.query<{ id: number; revision: number }>(
    'select id, revision from customer where "approvalStatus" = \'approved\' order by random() limit 100000',
  )
  let next = 0
  return () => {
    const row = rows[next++ % rows.length]
    return {
      path: '/customer/update',
      body: { id: row.id, revision: row.revision++, values: { remark: `备注${next}` } },
    }
  }
}
