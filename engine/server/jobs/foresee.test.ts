import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { uscc } from '../../../tests/customer.ts'
import { createTestServer, type TestServer } from '../../../tests/server.ts'
import type { Catalog } from '../../model/model.ts'
import { storeFile } from '../files/storeFile.ts'
import { insertRecords } from '../records/write.ts'
import { recordHistory } from '../records/history.ts'
import { createCallWorker } from './callWorker.ts'
import { notAtOnce, oneAtOnce } from './tryOut.ts'
import type { Db, Procedure } from '../runtime.ts'

const reading = vi.hoisted((): { fails?: (db: Db) => Promise<unknown> } => ({}))
vi.mock('../records/outlook.ts', async (original) => {
  const { outlookOf, ...others } = await original<typeof import('../records/outlook.ts')>()
  return {
    ...others,
    outlookOf: async (...given: Parameters<typeof outlookOf>) => {
      await reading.fails?.(given[0].db)
      return outlookOf(...given)
    },
  }
})

/** An action in parts, which renames an agency in each, the same described by a procedure, and one that makes a customer. */
function change(catalog: Catalog): Catalog {
  const { agency, customer } = catalog.entities
  const common = { permission: 'setting:agency:edit', guards: [], danger: false, label: { cn: '改名', en: 'Rename' } }
  const effects = {
    set: {},
    append: [],
    updates: [],
    notify: [],
    form: [{ field: 'address', required: false }],
    foresee: true,
  }
  agency.actions.rename = { name: 'rename', ...common, ...effects, run: 'rename', job: 'divideRename' }
  agency.actions.describedRename = { ...agency.actions.rename, name: 'describedRename', foresee: 'describeRename' }
  customer.actions.found = { name: 'found', ...common, ...effects, run: 'found' }
  return catalog
}

let house: TestServer
let ids: number[]
let isIdle = false
const idle = { cn: '均已改名', en: 'All have been renamed' }
let during: (place: number, db: Db) => Promise<unknown> | void
beforeAll(async () => {
  house = await createTestServer({ change })
  const { derived, procedures, uploads } = house.runtime
  derived.alone = new Set([
    ...derived.alone,
    '/customer/agency/rename',
    '/customer/agency/describedRename',
    '/customer/found',
  ])
  ids = []
  for (const n of [1, 2, 3])
    ids.push(
      await house.create('/customer/agency', {
        code: `J90${n}`,
        name: `机构${n}`,
        kind: 'partner',
        uscc: uscc(700 + n),
        cities: ['310100'],
      }),
    )
  const rename: Procedure = async ({ values, ...call }) => {
    if (isIdle) {
      await during(Number(values.address ?? 2), call.db)
      return { succeeded: 0, summary: idle }
    }
    for (const place of typeof values.address !== 'string' ? ids.keys() : [Number(values.address)])
      await renamed(call, place)
    return { succeeded: 1 }
  }
  const renamed = async ({ context, db }: Pick<Parameters<Procedure>[0], 'context' | 'db'>, place: number) => {
    await during(place, db)
    const { agency: entity } = context.derived.catalog.entities
    await sql`update agency set name = ${`改名${place}`}, revision = revision + 1 where id = ${ids[place]}`.execute(db)
    const { rows } = await sql<{ id: number }>`select * from agency where id = ${ids[place]}`.execute(db)
    const record = rows[0] as { id: number; revision: number }
    const old = { ...record, name: '', revision: record.revision - 1 }
    await recordHistory({ context, db }, [{ entity, record, old, action: 'rename', effects: [], changed: [] }])
  }
  const divideRename: Procedure = async () => ({
    parts: ids.map((id, place) => ({ id, name: `第${place}`, values: { address: String(place) } })),
  })
  const found: Procedure = async ({ context, db }) => {
    await storeFile(context, db, '章程.pdf', new TextEncoder().encode('%PDF-1.4'))
    const { customer: entity } = context.derived.catalog.entities
    const record = { corporateName: '新客户', name: '新客户' }
    await insertRecords(context, db, entity, [record])
    await recordHistory({ context, db }, [{ entity, record, old: null, action: 'found', effects: [], changed: [] }])
    return { succeeded: 1, summary: { cn: '已建立', en: 'Founded' } }
  }
  const describeRename: Procedure = async ({ act, db }) => {
    await act!()
    const { rows } = await sql<{ n: string }>`select count(*) as n from agency where name like '改名%'`.execute(db)
    return { facts: [changed(Number(rows[0].n))], lists: [] }
  }
  vi.spyOn(uploads, 'write')
  Object.assign(procedures, { rename, divideRename, describeRename, found })
})
afterAll(() => house?.close())

const foreseen = async (path: string, more = {}) =>
  (await house.admin.post(`${path}/foresee`, { values: {}, ...more })).result
const changed = (n: number) => ({
  label: { cn: '变更服务机构', en: 'Agency: changed' },
  value: { cn: String(n), en: String(n) },
})

/** Runs while another transaction has locked a record. */
async function whileLocked(id: number, act: () => Promise<void>): Promise<void> {
  const holder = await house.database.pool.connect()
  try {
    await holder.query('begin')
    await holder.query('select from agency where id = $1 for update', [id])
    await act()
  } finally {
    await holder.query('rollback')
    holder.release()
  }
}

it('describes what all parts make together', async () => {
  during = () => {}
  expect(await foreseen('/customer/agency/rename')).toMatchObject({ facts: [changed(3)] })
  const { rows } = await house.database.pool.query(
    'select distinct left(name, 2) as name from agency where id = any($1)',
    [ids],
  )
  expect(rows).toEqual([{ name: '机构' }])
})

/** Previews while time passes only within parts: so many milliseconds in each. */
async function foreseenAfter(
  passing: number[],
  place: number,
  {
    look,
    path = '/customer/agency/rename',
    ...more
  }: { look?: (db: Db) => Promise<unknown>; path?: string; thorough?: boolean } = {},
) {
  const clock = vi.spyOn(performance, 'now')
  let time = 1_000_000
  clock.mockImplementation(() => time)
  during = async (at, db) => {
    await look?.(db)
    if (at === place) time += passing.shift() ?? 0
  }
  try {
    return await foreseen(path, more)
  } finally {
    clock.mockRestore()
  }
}

it('describes the parts that there was time for, and says how many', async () => {
  expect(await foreseenAfter([1600, 1450], 2)).toMatchObject({
    facts: [
      { label: { cn: '试算范围', en: 'Previewed' }, value: { cn: '前2项，共3项', en: 'the first 2 of 3' } },
      changed(2),
    ],
    partial: true,
  })
})

it('tells of all parts to users who take the time', async () => {
  const outlook = await foreseenAfter([1600, 1450], 2, { thorough: true })
  expect(outlook).toMatchObject({ facts: [changed(3)] })
  expect(outlook.partial).toBeUndefined()
})

it('has one time for everything, also for reading what was made', async () => {
  const left: number[] = []
  const look = async (db: Db) => {
    const { rows } = await sql<{ ms: number }>`select setting::integer as ms from pg_settings
      where name = 'statement_timeout'`.execute(db)
    left.push(rows[0].ms)
  }
  expect(await foreseenAfter([2000], 0, { look })).toMatchObject({ facts: [changed(3)] })
  expect(left).toEqual([1500, 1000, 1000, 1000])
  expect(await foreseenAfter([4500], 0)).toEqual({ facts: [], lists: [], note: notAtOnce, partial: true })
  expect(await foreseenAfter([1600, 3000], 2)).toEqual({ facts: [], lists: [], note: notAtOnce, partial: true })
})

it('says why there is nothing to describe', async () => {
  during = () => {}
  isIdle = true
  try {
    expect(await foreseen('/customer/agency/rename')).toMatchObject({ facts: [], note: idle })
    expect(await foreseenAfter([1600, 1450], 2)).toMatchObject({
      facts: [{ value: { cn: '前2项，共3项' } }],
      note: { cn: '已试算部分没有变更', en: 'The previewed part would change nothing' },
    })
  } finally {
    isIdle = false
  }
  const functionPermissions = ['setting:agency:view', 'setting:agency:edit']
  await house.create('/setting/role', { code: 'founder', name: '建立', dataScope: 'all', functionPermissions })
  const founder = await house.user('founder', ['founder'])
  // It says "founded", but nobody has confirmed that.
  expect((await founder.post('/customer/found/foresee', { values: {} })).result).toMatchObject({
    facts: [],
    note: { cn: '有变更，但您无权查看', en: 'Only data that you may not see would change' },
  })
})

it('previews once at a time for each user', async () => {
  let other: Promise<unknown> | undefined
  during = async () => {
    if (other) return
    // Assigned before it is awaited, because the other one would come here, too.
    await (other = foreseen('/customer/agency/rename'))
  }
  expect(await foreseen('/customer/agency/rename')).toMatchObject({ facts: [changed(3)] })
  expect(await other).toEqual({ facts: [], lists: [], note: oneAtOnce })
})

describe('a preview that a procedure describes', () => {
  const path = '/customer/agency/describedRename'

  it('has the same time, and as much for users who take it', async () => {
    const left: number[] = []
    const look = async (db: Db) => {
      const { rows } = await sql<{ ms: number }>`select setting::integer as ms from pg_settings
        where name = 'statement_timeout'`.execute(db)
      left.push(rows[0].ms)
    }
    expect(await foreseenAfter([2000], 2, { path, look })).toEqual({ facts: [changed(3)], lists: [] })
    expect(await foreseenAfter([4500], 2, { path })).toEqual({ facts: [], lists: [], note: notAtOnce, partial: true })
    expect(await foreseenAfter([4500], 2, { path, look, thorough: true })).toEqual({ facts: [changed(3)], lists: [] })
    expect(left).toEqual([4000, 4000, 4000, 60_000, 60_000, 60_000])
    expect(await foreseenAfter([61_000], 2, { path, thorough: true })).toMatchObject({ note: notAtOnce })
  })

  it('takes turns with all other previews of the user', async () => {
    for (const [outer, inner] of [
      [path, path],
      [path, '/customer/agency/rename'],
      ['/customer/agency/rename', path],
    ]) {
      let other: Promise<unknown> | undefined
      during = async () => {
        if (other) return
        await (other = foreseen(inner))
      }
      expect(await foreseen(outer)).toMatchObject({ facts: [changed(3)] })
      expect(await other, `${inner} within ${outer}`).toEqual({ facts: [], lists: [], note: oneAtOnce })
    }
  })

  it('waits only briefly for what others have locked', async () => {
    during = () => {}
    await whileLocked(ids[0], async () => {
      expect(await foreseen(path)).toEqual({ facts: [], lists: [], note: notAtOnce, partial: true })
    })
  })
})

it('is not reported if it meets with a deadlock', async () => {
  during = (_, db) => sql`do $$ begin raise exception 'deadlock' using errcode = '40P01'; end $$`.execute(db)
  expect(await foreseen('/customer/agency/rename')).toEqual({ facts: [], lists: [], note: notAtOnce, partial: true })
})

it('a reading that takes too long does not end the job', async () => {
  during = () => {}
  reading.fails = (db) => sql`do $$ begin raise exception 'too long' using errcode = '57014'; end $$`.execute(db)
  try {
    const headers = { prefer: 'respond-async' }
    const { result } = await house.admin.post('/customer/agency/rename/foresee', { values: {} }, headers)
    await createCallWorker(house.runtime).drain()
    expect((await house.admin.get(`/jobs/${result.job.id}`)).result).toMatchObject({
      state: 'done',
      result: { note: notAtOnce },
    })
  } finally {
    delete reading.fails
  }
})

it('keeps no request key of a long preview', async () => {
  during = () => {}
  const keys = async () => (await house.database.pool.query('select from system_request')).rowCount
  const before = await keys()
  const headers = { prefer: 'respond-async', 'idempotency-key': 'preview-of-renaming' }
  const { status } = await house.admin.post('/customer/agency/rename/foresee', { values: {} }, headers)
  expect([status, await keys()]).toEqual([202, before])
  await createCallWorker(house.runtime).drain()
})

it('waits only briefly for what others have locked, and says so', async () => {
  during = () => {}
  await whileLocked(ids[0], async () => {
    expect(await foreseen('/customer/agency/rename')).toEqual({ facts: [], lists: [], note: notAtOnce, partial: true })
  })
  await whileLocked(ids[1], async () => {
    const { facts } = await foreseen('/customer/agency/rename')
    expect(facts.map(({ value }: { value: { cn: string } }) => value.cn)).toEqual(['前1项，共3项', '1'])
  })
})

it('stores no file and no request key, and takes no number that others wait for', async () => {
  const written = async () => {
    const { rows } = await house.database.pool.query(`select
      (select count(*) from system_file)::integer as files, (select count(*) from system_request)::integer as keys,
      (select count(*) from system_work)::integer as works, (select sum(value) from system_sequence)::integer as numbers`)
    return rows[0]
  }
  const before = await written()
  const holder = await house.database.pool.connect()
  try {
    await holder.query('begin')
    await holder.query('select from system_sequence for update')
    const { facts } = await foreseen('/customer/found')
    expect(facts[0]).toMatchObject({ value: { cn: '1' } })
  } finally {
    await holder.query('rollback')
    holder.release()
  }
  expect(house.runtime.uploads.write).not.toHaveBeenCalled()
  expect(await written()).toEqual(before)
})
