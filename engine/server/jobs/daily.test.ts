import { afterAll, beforeAll, expect, test } from 'vitest'
import { contracts, employee, employer, serviceValues, sign } from '../../../tests/contract.ts'
import { clockOn } from '../../../tests/clock.ts'
import { isRepeated } from '../../../tests/repeated.ts'
import { createTestServer, type TestServer } from '../../../tests/server.ts'
import { runDaily } from './daily.ts'
import { derive } from '../derived.ts'

let house: TestServer
const query = (text: string, values: unknown[] = []) => house.database.pool.query(text, values)
const yesterday = () => query("update system_daily_rule set day = '2026-03-14'")
const status = async (id: number) => (await house.admin.get('/staff/person/detail', { id })).result.employmentStatus

beforeAll(async () => {
  house = await createTestServer()
})
afterAll(() => house?.close())

test('once a day, joiners join, leavers leave, and approaching dates are reported', async () => {
  const { customer, agency } = await employer(house)
  const service = await house.create(
    contracts,
    serviceValues(customer, agency, { startDate: '2026-01-01', endDate: '2026-05-14' }),
  )
  await sign(house, service, '2026-01-05')
  const [joiner, later, leaver] = [
    await employee(house, { customer, agency, service }),
    await employee(house, { customer, agency, service }),
    await employee(house, { customer, agency, service }),
  ].map(({ id }) => id)
  await query(
    "update person set \"employmentStatus\" = 'pending', \"entryDate\" = case when id = $1 then date '2026-03-15' else date '2026-03-20' end where id in ($1, $2)",
    [joiner, later],
  )
  await query(
    'update person set "employmentStatus" = \'leaving\', "leaveDate" = \'2026-03-14\', "leaveReason" = \'resignation\' where id = $1',
    [leaver],
  )
  const messageTitles = async () =>
    (await query("select title->>'cn' as title from message where type = 'contractExpiring'")).rows.map(
      ({ title }) => title,
    )

  await runDaily(house.runtime)
  expect(await status(joiner), 'a new database begins with the next day').toBe('pending')
  await yesterday()
  // Several processes run the rules at the same time.
  await Promise.all([runDaily(house.runtime), runDaily(house.runtime)])
  expect([await status(joiner), await status(later), await status(leaver)]).toEqual(['active', 'pending', 'left'])
  expect(await messageTitles()).toEqual([expect.stringContaining('合同即将到期：')])
  expect(
    (
      await query(
        "select action, user_id from system_history where entity = 'person' and record_id = $1 order by id desc limit 1",
        [joiner],
      )
    ).rows,
  ).toEqual([{ action: 'onboard', user_id: null }])

  await query('update person set "employmentStatus" = \'pending\' where id = $1', [joiner])
  await runDaily(house.runtime)
  expect([await status(joiner), await messageTitles()], 'no second time on the same day').toEqual([
    'pending',
    [expect.any(String)],
  ])
})

test.skipIf(isRepeated())(
  'a service contract with automatic renewal gets one draft of equal length after its end',
  async () => {
    const { customer, agency } = await employer(house)
    const values = { startDate: '2025-03-15', endDate: '2026-03-14', autoRenew: true }
    const [service, other] = [
      await house.create(contracts, serviceValues(customer, agency, values)),
      await house.create(
        contracts,
        serviceValues((await employer(house)).customer, agency, { ...values, autoRenew: false }),
      ),
    ]
    for (const id of [service, other]) await sign(house, id, '2025-03-15')
    const drafts = async () =>
      (
        await query(
          'select "renewalOf", "startDate"::text as start, "endDate"::text as end, stage, "unitPrice" from contract where "renewalOf" in ($1, $2)',
          [service, other],
        )
      ).rows
    const rules = async (contract: number) =>
      (await query('select "feeMode", "unitPrice" from "contractFeeRule" where contract = $1 order by id', [contract]))
        .rows
    for (let day = 0; day < 2; day++) {
      await yesterday()
      await runDaily(house.runtime)
      expect(await drafts()).toEqual([
        expect.objectContaining({ renewalOf: service, start: '2026-03-15', end: '2027-03-14', stage: 'drafted' }),
      ])
    }
    const {
      rows: [{ id }],
    } = await query('select id from contract where "renewalOf" = $1', [service])
    expect(await rules(Number(id))).toEqual(await rules(service))
  },
)

test.skipIf(isRepeated())('a record that fails does not stop others or later rules, and is retried', async () => {
  const { customer, agency } = await employer(house)
  const service = await house.create(contracts, serviceValues(customer, agency, { startDate: '2026-01-01' }))
  await sign(house, service, '2026-01-05')
  const people = [
    await employee(house, { customer, agency, service }),
    await employee(house, { customer, agency, service }),
  ]
  const [broken, sound] = people.map(({ id }) => id)
  await query(
    'update person set "employmentStatus" = \'leaving\', "leaveDate" = \'2026-03-14\', "leaveReason" = \'resignation\' where id in ($1, $2)',
    [broken, sound],
  )
  await query(
    `create function break_person() returns trigger language plpgsql as 'begin raise exception ''broken''; end'`,
  )
  await query(
    `create trigger broken before update on person for each row when (old.id = ${broken}) execute function break_person()`,
  )
  const logged: string[] = []
  const run = () => runDaily(house.runtime, { log: (error) => logged.push(String(error)) })
  const pending = async () =>
    (await query("select distinct unnest(pending)::int as id from system_daily_rule where entity = 'person'")).rows
  try {
    for (let day = 0; day < 2; day++) {
      await yesterday()
      await run()
      expect([await status(broken), await status(sound)]).toEqual(['leaving', 'left'])
      expect(await pending()).toEqual([{ id: broken }])
    }
    expect(logged).toContainEqual(expect.stringContaining(`person ${broken}: `))
  } finally {
    await query('drop trigger broken on person')
    await query('drop function break_person')
  }
  await run()
  expect(await status(broken)).toBe('left')
  expect(await pending()).toEqual([])
})

test.skipIf(isRepeated())(
  'an interrupted day is continued by the next process: nobody is left out or done twice',
  async () => {
    const { customer, agency } = await employer(house)
    const service = await house.create(contracts, serviceValues(customer, agency, { startDate: '2026-01-01' }))
    await sign(house, service, '2026-01-05')
    const leavers: number[] = []
    for (let person = 0; person < 3; person++) leavers.push((await employee(house, { customer, agency, service })).id)
    await query(
      `update person set "employmentStatus" = 'leaving', "leaveDate" = '2026-03-14', "leaveReason" = 'resignation' where id = any($1)`,
      [leavers],
    )
    const all = () => Promise.all(leavers.map(status))
    await query(
      `create function cut_off() returns trigger language plpgsql as 'begin raise exception ''terminated'' using errcode = ''57P01''; end'`,
    )
    await query(
      `create trigger cut_off before update on person for each row when (old.id = ${leavers[1]}) execute function cut_off()`,
    )
    try {
      await yesterday()
      await expect(runDaily(house.runtime)).rejects.toMatchObject({ code: '57P01' })
      expect(await all()).toEqual(['left', 'leaving', 'leaving'])
    } finally {
      await query('drop trigger cut_off on person')
      await query('drop function cut_off')
    }
    await Promise.all([runDaily(house.runtime), runDaily(house.runtime)])
    expect(await all()).toEqual(['left', 'left', 'left'])
    const { rows } = await query(
      "select count(*)::integer as count from system_history where entity = 'person' and action = 'close' and record_id = any($1)",
      [leavers],
    )
    expect(rows).toEqual([{ count: 3 }])
  },
)

test('drops a record deleted meanwhile', async () => {
  const { customer, agency } = await employer(house)
  const service = await house.create(contracts, serviceValues(customer, agency, { startDate: '2026-01-01' }))
  const { id } = await employee(house, { customer, agency, service })
  await query('update person set "deletedAt" = now() where id = $1', [id])
  await query(
    "update system_daily_rule set pending = array[$1::bigint] where entity = 'person' or entity = 'contract'",
    [id],
  )
  const logged: unknown[] = []
  await runDaily(house.runtime, { log: (error) => logged.push(error) })
  expect(logged).toEqual([])
  const { rows } = await query("select rule from system_daily_rule where pending <> '{}'")
  expect(rows).toEqual([])
})

test.skipIf(isRepeated())('a draft that cannot be created does not stop the others', async () => {
  const { customer, agency } = await employer(house)
  const service = await house.create(
    contracts,
    serviceValues(customer, agency, { startDate: '2025-03-15', endDate: '2026-03-14', autoRenew: true }),
  )
  const later = await house.create(
    contracts,
    serviceValues((await employer(house)).customer, agency, {
      startDate: '2025-03-15',
      endDate: '2026-03-14',
      autoRenew: true,
    }),
  )
  for (const id of [service, later]) await sign(house, id, '2025-03-15')
  await query('update customer set "accountStatus" = \'disabled\' where id = $1', [customer])
  await yesterday()
  await runDaily(house.runtime)
  expect(
    (await query('select "renewalOf" from contract where "renewalOf" in ($1, $2)', [service, later])).rows,
  ).toEqual([{ renewalOf: later }])
})

test.skipIf(isRepeated())(
  'a rule inserted before others leaves their state unchanged, and starts the next day',
  async () => {
    const { customer, agency } = await employer(house)
    const service = await house.create(contracts, serviceValues(customer, agency, { startDate: '2026-01-01' }))
    await sign(house, service, '2026-01-05')
    const [{ id: joiner }, { id: leaver }] = [
      await employee(house, { customer, agency, service }),
      await employee(house, { customer, agency, service }),
    ]
    await runDaily(house.runtime)
    await query('update person set "employmentStatus" = \'pending\', "entryDate" = \'2026-03-15\' where id = $1', [
      joiner,
    ])
    await query(
      'update person set "employmentStatus" = \'leaving\', "leaveDate" = \'2026-03-14\', "leaveReason" = \'resignation\' where id = $1',
      [leaver],
    )
    // Today the first of the two rules has run, and the second has not.
    await query("update system_daily_rule set day = '2026-03-14' where entity = 'person' and rule = 'close'")
    const before = house.runtime.derived
    const catalog = structuredClone(before.catalog)
    const { daily } = catalog.entities.person
    catalog.entities.person.daily = { welcome: { ...daily!.onboard }, ...daily }
    house.runtime.derived = derive(catalog, house.runtime.widgets)
    try {
      await runDaily(house.runtime)
      expect([await status(joiner), await status(leaver)]).toEqual(['pending', 'left'])
      await query("update system_daily_rule set day = '2026-03-14' where entity = 'person' and rule = 'welcome'")
      await runDaily(house.runtime)
      expect(await status(joiner)).toBe('active')
    } finally {
      house.runtime.derived = before
    }
  },
)

test('a database that numbered its rules keeps what each had done', async () => {
  await runDaily(house.runtime)
  await query("delete from system_daily_rule where entity = 'person'")
  await query('create table system_daily (entity text, place integer, day text)')
  await query(
    "insert into system_daily values ('person', 0, '2026-03-15'), ('person', 1, '2026-03-12'), ('gone', 0, '2026-03-15')",
  )
  await runDaily(house.runtime)
  const { rows } = await query(
    "select rule, day from system_daily_rule where entity in ('person', 'gone') order by rule",
  )
  expect(rows).toEqual([
    { rule: 'close', day: '2026-03-15' },
    { rule: 'onboard', day: '2026-03-15' },
  ])
  expect((await query("select to_regclass('system_daily') as old")).rows).toEqual([{ old: null }])
})

test('approvers are reminded once when a customer has waited for too many working days', async () => {
  const { customer } = await employer(house)
  const overdue = async () =>
    (
      await query(
        "select title->>'cn' as title from message where title->>'cn' like '客户审核已超时%' and link like $1",
        [`%=${customer}`],
      )
    ).rows
  await query(
    'update customer set "approvalStatus" = \'pending\', "submissionTime" = \'2026-03-13 09:00:00\' where id = $1',
    [customer],
  )
  // The working days after a Friday are Monday and Tuesday.
  for (const [day, reminders] of [
    ['2026-03-16', 0],
    ['2026-03-17', 1],
    ['2026-03-18', 1],
  ] as const) {
    house.runtime.clock = clockOn(day)
    await runDaily(house.runtime)
    expect([day, (await overdue()).length]).toEqual([day, reminders])
  }
})

test('an approaching date is reported once, even if no process ran on its first day', async () => {
  const messageTitles = async (type: string) =>
    (await query("select title->>'cn' as title from message where type = $1", [type])).rows.map(({ title }) => title)
  const look = async (day: string) => {
    house.runtime.clock = clockOn(day)
    await runDaily(house.runtime)
    return new Set(await messageTitles('lawEnding')).size
  }
  expect(await look('2027-09-30')).toBe(0)
  // The server was down from two months before the end.
  expect(await look('2027-10-20')).toBe(1)
  const once = await messageTitles('lawEnding')
  expect(once).toEqual(once.map(() => '税率表即将失效：全年一次性奖金'))
  expect(await look('2027-10-21')).toBe(1)
  expect(await messageTitles('lawEnding'), 'no second time').toEqual(once)
  // A table that became open-ended in between is reported again once it gets an end.
  const end = (day: string | null) =>
    query('update "taxBracket" set "effectiveTo" = $1 where "table" = \'bonus\'', [day])
  await end(null)
  await look('2027-10-22')
  await end('2027-12')
  await look('2027-10-23')
  expect(await messageTitles('lawEnding')).toHaveLength(2 * once.length)
})

test('retries on the same day to delete old entries and keys that could not be deleted', async () => {
  const old = async () =>
    (
      await query(
        `select (select count(*) from system_history where client = 'housekept') + (select count(*) from system_request where key = 'housekept') as left`,
      )
    ).rows[0].left
  await query(
    "insert into system_history (entity, record_id, action, at, changes, client) values ('user', 1, 'login', '2020-01-01', '{}', 'housekept')",
  )
  await query(
    "insert into system_request (user_id, operation, key, part, digest, at) values (1, 'x', 'housekept', '', '', '2020-01-01')",
  )
  await runDaily(house.runtime)
  await query(`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'killed'; end $$`)
  await query('create trigger refuse before delete on system_request for each row execute function refuse()')
  await yesterday()
  await expect(runDaily(house.runtime)).rejects.toThrow('killed')
  await query('drop trigger refuse on system_request')
  await runDaily(house.runtime)
  expect(Number(await old())).toBe(0)
})
