import type { Database } from '../../../engine/server/postgres/database.ts'
import type { ListPlan } from '../../../engine/screens/list/list.ts'
import { figureQuery, initialState, listQuery, mostCounted } from '../../../engine/screens/list/listState.ts'
import type { Envelope, ScreenBundle } from '../../../engine/model/model.ts'
import { hammer, load } from './requests.ts'
import type { Call, Load } from './requests.ts'
import type { Result } from './result.ts'

type Server = { url: string; token: string }
type Pool = Database['pool']

/** A list counts up to a limit; one more record shows that there are others. */
const counted = (condition: string) =>
  `select count(*) from (select from customer where ${condition} limit ${mostCounted + 1}) as found`

/** The balance of one customer, which the list sums below its column. */
const balance = `coalesce("openingBalance", 0)
  + (select coalesce(sum(case direction when 'in' then amount else -amount end), 0) from receipt
    where customer = customer.id and "voidReason" is null and "deletedAt" is null)
  - (select coalesce(sum(amount), 0) from "receiptMatch"
    where customer = customer.id and not cancelled and "deletedAt" is null)`
const receivable = `(select coalesce(sum("totalAmount" - coalesce("carriedAmount", 0)
    - (select coalesce(sum(amount + coalesce("writeOffAmount", 0)), 0) from "receiptMatch"
      where statement = statement.id and not cancelled and "deletedAt" is null)), 0)
  from statement where customer = customer.id and stage = 'confirmed' and "deletedAt" is null)`

const figuresOfList = `select count(*), sum(${balance}), sum(${receivable}), count(*) filter (where "approvalStatus" = 'pending'),
  count(*) filter (where "approvalStatus" = 'approved'), count(*) filter (where "approvalStatus" = 'rejected')
  from customer where "deletedAt" is null`

/** A request of the product, and the bare statements that it needs. */
interface Comparison {
  name: string
  ours(): Call
  bare(): [string, unknown[]?][]
}

/** Measures a list, its figures, a search, one customer and a save, each beside its bare statements. */
export async function measureRequests(server: Server, pool: Pool, seconds: number): Promise<Result[]> {
  const {
    rows: [{ count }],
  } = await pool.query('select count(*) as count from customer')
  const results: Result[] = []
  const times = { seconds, atOnce: 20 }
  for (const { name, ours, bare } of await comparisons(server, pool)) {
    const measured = await load(server, times, ours)
    if (measured.failed > 0)
      console.error(`${name}: ${measured.failed} failed, the first with ${measured.firstFailure}`)
    const yardstick = await hammer(times, async () => {
      for (const [statement, values] of bare()) await pool.query(statement, values)
      return undefined
    })
    results.push(...resultsOf(`${name}, ${count.toLocaleString('en')} customers`, measured, yardstick))
  }
  return results
}

/** Reports the time of a request rather than requests per second, so that less is better, as everywhere. */
const resultsOf = (name: string, ours: Load, bare: Load): Result[] => [
  {
    name: `${name}: ${ours.perSecond.toFixed(ours.perSecond < 10 ? 1 : 0)} a second`,
    unit: 'ms',
    ours: 1000 / ours.perSecond,
    yardstick: { name: 'bare SQL', value: 1000 / bare.perSecond },
    samples: { ours, bare },
  },
  {
    name: `${name}: p95 of 20 at once`,
    unit: 'ms',
    ours: ours.p95,
    yardstick: { name: 'bare SQL', value: bare.p95 },
  },
]

async function comparisons(server: Server, pool: Pool): Promise<Comparison[]> {
  const {
    rows: [{ highest }],
  } = await pool.query('select max(id) as highest from customer')
  const anyId = () => 1 + Math.floor(Math.random() * highest)
  const list = await listCall(server)
  const { rows: named } = await pool.query<{ name: string }>(
    'select distinct left(name, 4) as name from customer where length(name) >= 4 limit 500',
  )
  const anyName = () => named[Math.floor(Math.random() * named.length)].name
  return [
    {
      name: 'List',
      ours: () => list({}),
      bare: () => [
        ['select * from customer where "deletedAt" is null order by "submissionTime" desc, id desc limit 20'],
        [counted('"deletedAt" is null')],
      ],
    },
    { name: 'What the list adds up', ours: () => list({ figures: true }), bare: () => [[figuresOfList]] },
    {
      name: 'List, searched',
      ours: () => list({ search: anyName() }),
      bare() {
        const like = [`%${anyName()}%`]
        return [
          [
            `select * from customer where "deletedAt" is null and "searchText" like $1
        order by "submissionTime" desc, id desc limit 20`,
            like,
          ],
          [counted('"deletedAt" is null and "searchText" like $1'), like],
        ]
      },
    },
    {
      name: 'Detail',
      ours: () => ({ path: `/customer/detail?id=${anyId()}` }),
      bare() {
        const id = anyId()
        return [
          ['select * from customer where id = $1', [id]],
          ['select * from "customerContact" where customer = $1 and "deletedAt" is null', [id]],
        ]
      },
    },
    {
      name: 'Save',
      ours: await saveCalls(pool),
      bare: () => [
        [
          'update customer set remark = $2, revision = revision + 1, "updatedAt" = now() where id = $1',
          [anyId(), `备注${Math.random()}`],
        ],
      ],
    },
  ]
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

/** Saves approved customers one after the other, each with its current revision, so that no two saves collide. */
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
