/** The cases of customers, contracts, settlement and settings that a demonstration needs. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RecordData } from '../../engine/model/model.ts'
import { testWholeDemo } from '../../tests/demo.ts'
import { createSmallDemo } from '../../tests/smallDemo.ts'
import type { TestServer } from '../../tests/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await createSmallDemo()
})
afterAll(() => server.close())

const today = '2026-03-15'
const rows = async <T extends object>(query: ReturnType<typeof sql<T>>) =>
  (await query.execute(server.runtime.database.kysely)).rows
const count = async (query: ReturnType<typeof sql<{ count: number }>>): Promise<number> => (await rows(query))[0].count
/** How many records a list finds. */
const found = async (path: string, filters: object): Promise<number> =>
  (await server.admin.get(`${path}/list`, { size: 1, filters })).result.total
const all = async (path: string, filters: object = {}): Promise<RecordData[]> =>
  (await server.admin.get(`${path}/list`, { size: 100, filters })).result.list
const choices = (dictionary: string) =>
  server.runtime.derived.catalog.dictionaries[dictionary].choices.map(({ value }) => value)

describe('customers', () => {
  test('include one approved after a rejection, and one pending again after a change of name', async () => {
    expect(
      await count(sql`select count(*)::integer as count from customer c where c."approvalStatus" = 'approved' and exists (select from "customerApproval" r join "customerApproval" a on a.customer = r.customer and a.round > r.round
      where r.customer = c.id and r.action = 'reject' and a.action = 'agree')`),
    ).toBeGreaterThan(0)
    expect(
      await count(sql`select count(*)::integer as count from customer c where c."approvalStatus" = 'pending' and c."changedFields" ? 'corporateName'
      and exists (select from "customerApproval" a where a.customer = c.id and a.action = 'agree')`),
    ).toBeGreaterThan(0)
  })

  test('include one with a balance and receivables at once, and one above its credit limit', async () => {
    expect(
      await found('/customer', { balance: { between: ['0.01', null] }, receivable: { between: ['0.01', null] } }),
    ).toBeGreaterThan(0)
    const limited = await all('/customer', { creditLimit: { between: ['0.01', null] } })
    expect(
      limited.filter(({ receivable, creditLimit }) => Number(receivable) > Number(creditLimit)).length,
    ).toBeGreaterThan(0)
  })
})

describe('contracts', () => {
  test('include dispatch renewed twice, one without an end, and a service contract ending today', async () => {
    expect(
      await count(
        sql`select count(*)::integer as count from contract c join contract b on b.id = c."renewalOf" join contract a on a.id = b."renewalOf" where c.category = 'labor' and c."employmentForm" = 'dispatch'`,
      ),
    ).toBeGreaterThan(0)
    expect(
      await count(sql`select count(*)::integer as count from contract where "endDate" is null and stage = 'signed'`),
    ).toBeGreaterThan(0)
    expect(
      await count(
        sql`select count(*)::integer as count from contract where category = 'service' and "endDate" = ${today}`,
      ),
    ).toBeGreaterThan(0)
  })
})

describe('settlement cases', () => {
  testWholeDemo('include statements in every status, one disputed, one due today, and one of every age', async () => {
    for (const status of choices('statementStatus'))
      expect(await found('/settlement/statement', { status: { in: [status] } }), status).toBeGreaterThan(0)
    expect(await found('/settlement/statement', { disputed: { equals: true } })).toBeGreaterThan(0)
    expect(
      await found('/settlement/statement', {
        dueDate: { between: [today, today] },
        outstandingAmount: { between: ['0.01', null] },
      }),
    ).toBeGreaterThan(0)
    for (const ageing of choices('ageing'))
      expect(
        await found('/settlement/statement', { ageing: { in: [ageing] }, stage: { in: ['confirmed'] } }),
        ageing,
      ).toBeGreaterThan(0)
  })

  testWholeDemo(
    'include a receipt under an alias, 37 cents written off, and an application by support staff',
    async () => {
      expect(
        await count(
          sql`select count(*)::integer as count from receipt r join customer c on c.id = r.customer where r."payerName" <> c."corporateName" and c."payerNames"::jsonb ? r."payerName"`,
        ),
      ).toBeGreaterThan(0)
      expect(
        await count(sql`select count(*)::integer as count from "receiptMatch" where "writeOffAmount" = 0.37`),
      ).toBeGreaterThan(0)
      expect(
        await count(
          sql`select count(*)::integer as count from invoice i join "user" u on u.id = i.applicant where i.status = 'applied' and u."loginName" = 'support'`,
        ),
      ).toBeGreaterThan(0)
    },
  )
})

describe('settings', () => {
  test('include a banner ending tomorrow, banners of every period, and notices in every status', async () => {
    expect(
      await count(sql`select count(*)::integer as count from banner where "periodEnd"::date = '2026-03-16'`),
    ).toBeGreaterThan(0)
    const banners = await all('/setting/banner')
    expect([banners.length, [...new Set(banners.map(({ periodStatus }) => String(periodStatus)))].sort()]).toEqual([
      8,
      choices('periodStatus').sort(),
    ])
    const notices = await all('/setting/notice')
    expect([notices.length, [...new Set(notices.map(({ status }) => String(status)))].sort()]).toEqual([
      12,
      choices('noticeStatus').sort(),
    ])
  })

  test('include users with two roles, never signed in and disabled, and departments and versions', async () => {
    const users = await all('/setting/user')
    expect(users.some(({ roles }) => (roles as unknown[]).length === 2)).toBe(true)
    expect(users.filter(({ status }) => status === 'disabled')).toHaveLength(2)
    expect(users.some(({ lastLoginTime, status }) => lastLoginTime === null && status === 'enabled')).toBe(true)
    expect(users.length).toBeGreaterThanOrEqual(24)
    expect((await all('/setting/department')).length).toBe(8)
    expect((await all('/customer/customerClassification')).length).toBe(9)
    expect((await all('/setting/appVersion')).length).toBe(5)
  })

  test('include messages of most kinds, and a log with changes, exports, sign-ins and refusals', async () => {
    expect(await count(sql`select count(*)::integer as count from message`)).toBeGreaterThanOrEqual(200)
    const types = (await rows(sql<{ type: string }>`select distinct type from message`)).map(({ type }) => type)
    expect(types).toEqual(
      expect.arrayContaining([
        'customerPending',
        'customerApproved',
        'customerRejected',
        'contractExpiring',
        'statementDisputed',
        'statementOverdue',
        'receiptUnclaimed',
        'receiptClaimed',
        'invoiceApplied',
        'invoiceIssued',
        'budgetAlert',
        'cardFailed',
        'noticeReleased',
      ]),
    )
    const results = (await rows(sql<{ result: string }>`select distinct result from system_log`)).map(
      ({ result }) => result,
    )
    expect(results.sort()).toEqual(['denied', 'failed', 'success'])
    const actions = (await rows(sql<{ action: string }>`select distinct action from system_log`)).map(
      ({ action }) => action,
    )
    expect(actions).toEqual(expect.arrayContaining(['create', 'export', 'login', 'loginFailed']))
    expect(await count(sql`select count(*)::integer as count from system_log`)).toBeGreaterThanOrEqual(3000)
  })
})
