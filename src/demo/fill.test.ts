import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemUser } from '../../engine/server/identity/access.ts'
import { verdictContext } from '../../engine/server/records/accept.ts'
import { recompute, storedFormulas } from '../../engine/server/records/effects.ts'
import { isEqual } from '../../engine/server/records/reading/canonical.ts'
import type { Context } from '../../engine/server/runtime.ts'
import type { Entity, RecordData } from '../../engine/model/model.ts'
import { reading } from '../../engine/server/records/records.ts'
import { checkRecord } from '../../engine/expression/verdict.ts'
import { createContext } from '../../engine/server/identity/session.ts'
import { differentEntities } from '../../tests/alike.ts'
import { testWholeDemo } from '../../tests/demo.ts'
import { createSmallDemo } from '../../tests/smallDemo.ts'
import { isLong } from '../../tests/long.ts'
import type { TestServer } from '../../tests/server.ts'
import { fill } from './fill.ts'

let server: TestServer
const rows = async <T>(query: ReturnType<typeof sql<T>>) => (await query.execute(server.runtime.database.kysely)).rows

beforeAll(async () => {
  server = await createSmallDemo()
})
afterAll(() => server.close())

testWholeDemo('has customers in all required states', async () => {
  const counts = await rows(
    sql<{
      status: string
      count: number
    }>`select "approvalStatus" as status, count(*)::integer as count from customer group by 1 order by 1`,
  )
  expect(counts).toEqual([
    { status: 'approved', count: 51 },
    { status: 'pending', count: 6 },
    { status: 'rejected', count: 3 },
  ])
  const [{ disabled }] = await rows(
    sql<{
      disabled: number
    }>`select count(*)::integer as disabled from customer where "approvalStatus" = 'approved' and "accountStatus" = 'disabled'`,
  )
  expect(disabled).toBe(4)
})

test('has customers approved after a rejection and waiting again, and a user with two roles', async () => {
  const actions = await rows(
    sql<{
      actions: string
    }>`select string_agg(action, ' ' order by round) as actions from "customerApproval" group by customer`,
  )
  expect(actions.map((row) => row.actions)).toEqual(
    expect.arrayContaining(['submit reject resubmit agree', 'submit agree resubmit']),
  )
  const [{ two }] = await rows(
    sql<{ two: number }>`select count(*)::integer as two from "user" where cardinality(roles) = 2`,
  )
  expect(two).toBe(1)
})

test('has one user for each preset role, named after it', async () => {
  const roles = server.runtime.derived.catalog.presets
    .find(({ entity }) => entity === 'role')!
    .rows.map(({ code }) => String(code))
  expect(roles.toSorted((a, b) => a.localeCompare(b))).toEqual([
    'admin',
    'auditor',
    'cashier',
    'contractClerk',
    'customerManager',
    'financeManager',
    'invoiceClerk',
    'payrollClerk',
    'policyClerk',
    'publisher',
    'sales',
    'settlementClerk',
    'support',
    'welfareClerk',
  ])
  const named = await rows(
    sql<{
      name: string
    }>`select u."loginName" as name from "user" as u join role as r on r.code = u."loginName" and u.roles = array[r.id] where u.status = 'enabled'`,
  )
  expect(named.map(({ name }) => name)).toEqual(expect.arrayContaining(roles))
})

testWholeDemo('no two customers share a payer name', async () => {
  const names = await rows(sql<{ name: string }>`select jsonb_array_elements_text("payerNames") as name from customer`)
  expect(names.length).toBeGreaterThan(3)
  expect(new Set(names.map(({ name }) => name)).size).toBe(names.length)
})

testWholeDemo('a second fill changes nothing', async () => {
  await fill(createContext(server.runtime, systemUser, 'cn'), { customers: 5, months: 1 })
  const [{ count }] = await rows(sql<{ count: number }>`select count(*)::integer as count from customer`)
  expect(count).toBe(60)
})

test('every customer has contacts, approvals and history, made by users and in the past', async () => {
  const [bad] = await rows(sql<{
    count: number
  }>`select count(*)::integer as count from customer c where c."createdBy" is null or c."createdAt" > now() at time zone 'Asia/Shanghai' + interval '1 minute'
    or not exists (select 1 from "customerContact" where customer = c.id) or not exists (select 1 from "customerApproval" where customer = c.id)
    or not exists (select 1 from system_history h where h.entity = 'customer' and h.record_id = c.id)`)
  expect(bad.count).toBe(0)
})

test('has announcements in every status, and banners of every period, one ending tomorrow', async () => {
  const statuses = await rows(
    sql<{ status: string; count: number }>`select status, count(*)::integer as count from notice group by 1 order by 1`,
  )
  expect(statuses).toEqual([
    { status: 'cancelled', count: 2 },
    { status: 'released', count: 7 },
    { status: 'unreleased', count: 3 },
  ])
  const context = createContext(server.runtime, systemUser, 'cn')
  const { list } = await reading.list(context, context.derived.catalog.entities.banner, { page: 1, size: 20 })
  expect(list.map(({ periodStatus }) => String(periodStatus)).toSorted((a, b) => a.localeCompare(b))).toEqual([
    'ended',
    'inUse',
    'inUse',
    'inUse',
    'inUse',
    'inUse',
    'notStarted',
    'notStarted',
  ])
  const tomorrow = new Date(Date.parse(`${context.now.slice(0, 10)}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10)
  expect(list.some(({ periodEnd }) => String(periodEnd).startsWith(tomorrow))).toBe(true)
  const [{ wrong }] = await rows(
    sql<{
      wrong: number
    }>`select count(*)::integer as wrong from notice where coalesce("readCount", 0) <> (select count(*) from system_reader where entity = 'notice' and record_id = notice.id)`,
  )
  expect(wrong).toBe(0)
})

test('has the messages that the rules would have sent, some of them unread', async () => {
  const [{ count, unread, types, late }] = await rows(sql<{
    count: number
    unread: number
    types: string
    late: number
  }>`select count(*)::integer as count,
    count(*) filter (where "readAt" is null)::integer as unread, string_agg(distinct type, ' ' order by type) as types,
    count(*) filter (where "createdAt" > now() at time zone 'Asia/Shanghai' + interval '1 minute')::integer as late from message`)
  expect([types, late]).toEqual([
    'budgetAlert cardFailed contractExpiring customerApproved customerPending customerRejected invoiceApplied invoiceIssued noticeReleased receiptClaimed receiptUnclaimed statementDisputed statementOverdue',
    0,
  ])
  expect(count).toBeGreaterThanOrEqual(200)
  expect(unread).toBeGreaterThan(10)
  const [{ strangers }] = await rows(sql<{
    strangers: number
  }>`select count(*)::integer as strangers from message m join "user" u on u.id = m.receiver
    where u.status <> 'enabled' or not exists (select 1 from role r where r.id = any(u.roles) and m.type = any(r."messageAuthorization"))`)
  expect(strangers).toBe(0)
})

/** How many records of an entity are judged at most. */
const each = isLong ? 60 : 15
/** Rules of new records, which were met when these were. */
const ofNew = ['计划代发日不能早于今天', '预算月份不能早于上月']

/** The stored formulas of the record and its rows that differ when recomputed. */
function wrongFormulas(context: Context, entity: Entity, record: RecordData): string[] {
  const again = structuredClone(record)
  recompute(context, entity, again)
  const own = storedFormulas(context.derived, entity).filter(
    ({ field }) => !isEqual(again[field.name], record[field.name]),
  )
  const below = Object.values(entity.fields).flatMap((field) => {
    const target = context.derived.target(field)
    return target?.rows
      ? ((record[field.name] ?? []) as RecordData[]).flatMap((row) => wrongFormulas(context, target.entity, row))
      : []
  })
  return [
    ...own.map(({ field }) => `${entity.name} ${record.id} ${field.name} is ${JSON.stringify(record[field.name])}`),
    ...below,
  ]
}

test('every record is one that its form would accept', async () => {
  const context = createContext(server.runtime, systemUser, 'cn')
  const judged: Record<string, number> = {}
  const wrong: string[] = []
  for (const entity of differentEntities(context.derived.catalog).filter(
    ({ rowOf, name }) => !rowOf && !['region', 'message'].includes(name),
  )) {
    // The first user is an exception below.
    const size = entity.name === 'user' ? 60 : each
    const { list } = await reading.list(context, entity, { page: 1, size })
    for (const { id } of list) {
      const record = await reading.detail(context, entity, id!)
      judged[entity.name] = (judged[entity.name] ?? 0) + 1
      wrong.push(...wrongFormulas(context, entity, record))
      const problems = checkRecord(entity, record, verdictContext(context, null))
      wrong.push(
        ...problems.map(
          ({ field, message }) => `${entity.name} ${id} ${field}: ${message.cn} (${JSON.stringify(record[field])})`,
        ),
      )
    }
  }
  // The first administrator is created before anyone can enter a mobile number.
  expect(wrong.filter((text) => ofNew.every((rule) => !text.includes(rule)))).toEqual([
    'user 1 mobile: 请输入手机号 (null)',
  ])
  expect(judged).toMatchObject({
    customer: each,
    contract: each,
    person: each,
    bank: Math.min(each, 25),
    companyAccount: 10,
    notice: 12,
    banner: 8,
  })
})

testWholeDemo(
  'has contracts in every status, mostly active, with the special cases, and one for every person',
  async () => {
    const context = createContext(server.runtime, systemUser, 'cn')
    const { contract, person } = context.derived.catalog.entities
    const statuses = ['drafted', 'upcoming', 'active', 'expiring', 'expired', 'terminated'].map((status) => ({
      status: { equals: status },
    }))
    const read = (filters: Record<string, object>) =>
      reading.list(context, contract, { page: 1, size: 1, filters, counts: statuses })
    const [service, labor] = [
      await read({ category: { equals: 'service' } }),
      await read({ category: { equals: 'labor' } }),
    ]
    expect(service.total).toBeGreaterThan(40)
    expect(service.counts!.every((count) => count > 0)).toBe(true)
    expect(labor.total).toBeGreaterThan(600)
    expect(labor.counts!.every((count) => count > 0)).toBe(true)
    expect(labor.counts![2] / labor.total).toBeGreaterThan(0.5)
    const countOf = async (filters: Record<string, object>) =>
      (await reading.list(context, contract, { page: 1, size: 1, filters })).total
    expect(
      await countOf({ category: { equals: 'service' }, remainingDays: { equals: 0 }, status: { equals: 'expiring' } }),
    ).toBeGreaterThan(0)
    expect(await countOf({ termType: { equals: 'openEnded' }, endDate: { empty: true } })).toBeGreaterThan(0)
    expect(
      await countOf({
        employmentForm: { equals: 'dispatch' },
        renewalCount: { equals: 2 },
        termType: { equals: 'fixed' },
      }),
    ).toBeGreaterThan(0)
    expect(await countOf({ archived: { equals: true }, renewedBy: { empty: false } })).toBeGreaterThan(0)
    const without = await reading.list(context, person, {
      page: 1,
      size: 1,
      filters: { contract: { empty: true }, employmentStatus: { in: ['active'] } },
    })
    expect(without.total).toBe(0)
  },
)

test("six cities have current and last year's policies of both kinds, with accounts for every family", async () => {
  const counts = await rows(
    sql<{
      kind: string
      status: string
      cities: number
    }>`select kind, status, count(distinct city)::integer as cities from policy group by 1, 2 order by 1, 2`,
  )
  expect(counts).toEqual(
    ['fund', 'social'].flatMap((kind) =>
      [
        ['draft', 3],
        ['enabled', 6],
        ['history', 6],
      ].map(([status, cities]) => ({ kind, status, cities })),
    ),
  )
  const floors = await rows(sql<{
    floor: string
  }>`select i."baseFloor"::text as floor from "policyItem" i join policy p on p.id = i.policy
    where p.city = '110100' and i.item = 'pension' and coalesce(cardinality(p."householdTypes"), 0) = 0 order by p.version`)
  expect(floors.map(({ floor }) => floor)).toEqual(['6548.00', '6821.00'])
  const [{ pooled, own }] = await rows(sql<{
    pooled: number
    own: number
  }>`select count(*) filter (where "ownerType" = 'provider')::integer as pooled, count(*) filter (where "ownerType" = 'customer')::integer as own
    from "policyAccount" a join policy p on p.id = a.policy where p.status = 'enabled'`)
  // One city has an additional policy of each kind for people from abroad, and another will have one.
  expect([pooled, own > 0]).toEqual([4 * (6 + 2) * 3, true])
})
