/** Only a save that would otherwise succeed reveals whether a value that the user sees masked is taken. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { customerValues } from '../../../tests/customer.ts'
import { check, customerRow, rows, write } from '../../../tests/importing.ts'
import { isLong } from '../../../tests/long.ts'
import { type Client, createTestServer, type TestServer } from '../../../tests/server.ts'
import type { Catalog, Value } from '../../model/model.ts'
import { createContext, readSession } from '../identity/session.ts'
import type { Db } from '../runtime.ts'
import { noteTries, logTries } from './maskedTries.ts'
import { attemptWithin, inTrial, inWork } from './Work.ts'

/** A rule between an address and an account, which some users see masked. */
function change(catalog: Catalog): Catalog {
  const message = { cn: '地址应在账号之后', en: 'The address must come after the account' }
  catalog.entities.customer.rules.push({ check: 'account < address', at: 'address', message })
  return catalog
}

let house: TestServer
let taken: string
let blind: Client
beforeAll(async () => {
  house = await createTestServer({ change })
  const values = await customerValues(house)
  await house.create('/customer', values)
  taken = String(values.account)
  const functionPermissions = ['customer:customer:view', 'customer:customer:add', 'customer:customer:edit']
  functionPermissions.push('customer:import:view', 'customer:import:upload')
  await house.create('/setting/role', { code: 'blindone', name: '不见明文', functionPermissions, dataScope: 'all' })
  blind = await house.user('blinduser', ['blindone'])
})
afterAll(() => house?.close())

const tryCreate = async (as: Client, more: Record<string, Value>) => {
  const answer = await as.post('/customer/create', { values: await customerValues(house, more) })
  return answer.errors?.map(({ field, code }) => `${field} ${code}`) ?? answer.status
}
const tries = async (): Promise<{ user_id: number; message: string }[]> =>
  (
    await sql<{
      user_id: number
      message: string
    }>`select user_id, changes->'message'->>'cn' as message from system_history
      where action = 'viewSensitive' and changes->>'result' = 'denied' order by id`.execute(
      house.runtime.database.kysely,
    )
  ).rows

const heldLocks = async (db: Db = house.runtime.database.kysely) =>
  (
    await sql`select 1 from pg_locks where locktype = 'advisory' and granted
      and database = (select oid from pg_database where datname = current_database())`.execute(db)
  ).rows

test('reveals nothing while anything else is wrong, so that no refused save tries a value', async () => {
  const wrong = { name: '甲' }
  expect(await tryCreate(house.admin, { account: taken, ...wrong })).toEqual(['name minLength', 'account unique'])
  expect(await tryCreate(blind, { account: taken, ...wrong })).toEqual(['name minLength'])
  expect(await tryCreate(blind, { account: 'nobody-has-it', ...wrong })).toEqual(['name minLength'])
  expect(await tries()).toEqual([])
})

test('reveals it to a user whose record is otherwise valid, and logs it without the value', async () => {
  expect(await tryCreate(blind, { account: taken })).toEqual(['account unique'])
  expect(await tryCreate(blind, {})).toBe(200)
  const found = await tries()
  expect(found).toHaveLength(1)
  expect(found[0].message).toContain('客户账号')
  expect(found[0].message).not.toContain(taken)
})

test('the check of an import does not reveal it, and its writing does', async () => {
  // Nor is it revealed to a user who sees such values, but not the record that has this one.
  const functionPermissions = ['customer:customer:viewSensitive', 'customer:import:view', 'customer:import:upload']
  await house.create('/setting/role', { code: 'narrowone', name: '只见本人', functionPermissions, dataScope: 'self' })
  const narrow = await house.user('narrowuser', ['narrowone'])
  for (const [index, as] of [blind, narrow].entries()) {
    const first = 701 + 2 * index
    const id = await check(house, [customerRow(first, { account: taken }), customerRow(first + 1)], { as })
    const statuses = async () => (await rows(house, id, as)).map(({ rowStatus }) => rowStatus)
    expect(await statuses()).toEqual(['toCreate', 'toCreate'])
    await write(house, id, as)
    expect(await statuses()).toEqual(['failed', 'created'])
  }
})

test('answers no more than twenty tries an hour, right or wrong, unless the user sees the values', async () => {
  const own = new Map<Client, number>()
  for (const as of [blind, house.admin]) own.set(as, await house.create('/customer', await customerValues(house), as))
  const guess = async (as: Client, account: string) => {
    const id = own.get(as)
    const { revision } = (await house.admin.get('/customer/detail', { id })).result
    return (await as.post('/customer/update', { id, revision, values: { account } })).status
  }
  for (let number = (await tries()).length; number < 20; number++)
    expect(await guess(blind, number % 2 === 0 ? taken : `guess-${number}`)).toBe(number % 2 === 0 ? 422 : 200)
  expect([await guess(blind, taken), await guess(blind, 'one-more')]).toEqual([429, 429])
  expect([await guess(house.admin, taken), await guess(house.admin, 'one-more')]).toEqual([422, 200])
})

test('answers no more after two hundred records created with such values, even if deleted', async () => {
  const maker = await house.user('makeruser', ['blindone'])
  expect(await tryCreate(maker, { account: taken })).toEqual(['account unique'])
  expect(await tryCreate(maker, {})).toBe(200)
  // The log entries of the other records, which are gone.
  await sql`insert into system_history (entity, area, record_id, label, action, user_id, at, changes)
    select entity, area, record_id + number, label, action, user_id, at, changes
    from system_history, generate_series(1, 198) as number
    where user_id = ${maker.id} and entity = 'customer' and action = 'create'`.execute(house.runtime.database.kysely)
  expect(await tryCreate(maker, {})).toBe(200)
  expect([await tryCreate(maker, { account: taken }), await tryCreate(maker, {})]).toEqual([429, 429])
  expect(await tryCreate(house.admin, {})).toBe(200)
})

test('answers no more tries if they are sent at once', async () => {
  const sender = await house.user('senderuser', ['blindone'])
  const values = []
  for (let number = 0; number < (isLong ? 60 : 30); number++)
    values.push(await customerValues(house, { account: taken }))
  const answers = await Promise.all(values.map((each) => sender.post('/customer/create', { values: each })))
  expect(answers.filter(({ status }) => status !== 422 && status !== 429)).toEqual([])
  expect(answers.filter(({ status }) => status === 422).length).toBe(20)
})

test('the tries of a part stay logged and counted if the whole call is refused', async () => {
  const { token } = await house.user('partuser', ['blindone'])
  const { mustChangePassword: _, ...user } = await readSession(house.runtime, token)
  const entity = house.runtime.derived.catalog.entities.customer
  const before = (await tries()).length
  const refused = inWork(createContext(house.runtime, user, 'cn'), { cause: 'form' }, async (work) => {
    await attemptWithin(work, async () => {
      await noteTries(work.context, work.db, [{ entity, fields: new Set([entity.fields.account]), id: 0 }])
      throw new Error('the part')
    }).catch(() => {})
    throw new Error('the whole')
  })
  await expect(refused).rejects.toThrow('the whole')
  expect((await tries()).slice(before)).toMatchObject([{ user_id: user.id }])
  expect(await heldLocks()).toEqual([])
})

test('tries of a trial are counted before the same user tries again', async () => {
  const { token } = await house.user('trialuser', ['blindone'])
  const { mustChangePassword: _, ...user } = await readSession(house.runtime, token)
  const entity = house.runtime.derived.catalog.entities.customer
  await inWork(createContext(house.runtime, user, 'cn'), { cause: 'form' }, async (work) => {
    const before = await heldLocks(work.db)
    await inTrial(work, () =>
      noteTries(work.context, work.db, [{ entity, fields: new Set([entity.fields.account]), id: 0 }]),
    )
    await logTries(work.context, work.db)
    // Others do not see it until this is committed.
    expect(await heldLocks(work.db)).toHaveLength(before.length + 1)
  })
  expect(await heldLocks()).toEqual([])
})

test('leaves no lock behind if the log cannot be written', async () => {
  const { kysely } = house.runtime.database
  const sender = await house.user('unloggeduser', ['blindone'])
  await sql`create function unlogged() returns trigger language plpgsql as 'begin raise exception ''broken''; end'`.execute(
    kysely,
  )
  await sql`create trigger unlogged before insert on system_history for each row when (new.action = 'viewSensitive')
    execute function unlogged()`.execute(kysely)
  try {
    expect(await tryCreate(sender, { account: taken })).toBe(500)
  } finally {
    await sql`drop trigger unlogged on system_history`.execute(kysely)
    await sql`drop function unlogged`.execute(kysely)
  }
  expect(await heldLocks()).toEqual([])
})

test('a rule that reads a masked value reveals nothing beside other problems, and its answer is logged', async () => {
  const seer = await house.user('anotherblind', ['blindone'])
  const own = new Map<Client, number>()
  for (const as of [seer, house.admin]) own.set(as, await house.create('/customer', await customerValues(house), as))
  const before = (await tries()).length
  const answered = async (as: Client, values: Record<string, Value>) => {
    const id = own.get(as)
    const { revision } = (await house.admin.get('/customer/detail', { id })).result
    const answer = await as.post('/customer/update', { id, revision, values })
    return answer.errors?.map(({ field, code }) => `${field} ${code}`) ?? answer.status
  }
  expect(await answered(house.admin, { address: '0000000000', name: '甲' })).toEqual(['name minLength', 'address rule'])
  expect(await answered(seer, { address: '0000000000', name: '甲' })).toEqual(['name minLength'])
  expect(await tries()).toHaveLength(before)
  expect(await answered(seer, { address: '0000000000' })).toEqual(['address rule'])
  expect((await tries()).slice(before)).toMatchObject([
    { user_id: seer.id, message: expect.stringContaining('未保存') },
  ])
  expect(await answered(seer, { address: '演示路101号' })).toBe(200)
  for (let number = 1; number < 20; number++) await answered(seer, { address: '0000000000' })
  expect(await answered(seer, { address: '0000000000' })).toBe(429)
  expect(await tries()).toHaveLength(before + 20)
})
