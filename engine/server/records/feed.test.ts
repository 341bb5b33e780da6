import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestServer, type TestServer } from '../../../tests/server.ts'
import { feedStart, type FedWork, readFeed } from './feed.ts'
import { recordHistory } from './history.ts'
import { lockRecord, updateRecordOf } from './save.ts'
import { inWork } from './Work.ts'

let house: TestServer
beforeAll(async () => {
  house = await createTestServer()
})
afterAll(() => house?.close())

/** Waits until no transaction of the cluster, which other tests share, is older than a committed work. */
const settled = () =>
  expect
    .poll(async () => {
      const { rows } = await sql<{ settled: boolean }>`
          select max(xid) < pg_snapshot_xmin(pg_current_snapshot()) as settled from system_work`.execute(
        house.database.kysely,
      )
      return rows[0].settled
    })
    .toBe(true)

/** A work that changes one record, and ends on command. */
function openWork(record: number) {
  let end = () => {}
  const open = new Promise<void>((resolve) => {
    end = resolve
  })
  let begun = () => {}
  const written = new Promise<void>((resolve) => {
    begun = resolve
  })
  const done = inWork(house.context(), { cause: `job:${record}` }, async ({ context, db }) => {
    const entity = context.derived.catalog.entities.customer
    const [now, old] = [2, 1].map((revision) => ({ id: record, revision }))
    await recordHistory({ context, db }, [{ entity, record: now, old, action: 'update', effects: [], changed: [] }])
    begun()
    await open
  })
  return { written, done, end: () => end() }
}

test('a follower of the feed sees each work once, in whatever order they commit', async () => {
  const db = house.database.kysely
  const seen: FedWork[] = []
  let position = (await readFeed(db, feedStart, 1000)).at(-1)?.position ?? feedStart
  const follow = async () => {
    for (;;) {
      const found = await readFeed(db, position, 2)
      if (found.length === 0) return
      seen.push(...found)
      position = found.at(-1)!.position
    }
  }
  const works = [0, 1, 2, 3, 4, 5].map((number) => openWork(1_000_000 + number))
  await Promise.all(works.map(({ written }) => written))
  // The work that begins first is not the first to commit.
  for (const number of [3, 5, 1, 4, 2, 0]) {
    works[number].end()
    await works[number].done
    await follow()
  }
  await settled()
  await follow()
  const records = seen.map(({ changes }) => changes[0].id)
  expect(records.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5].map((number) => 1_000_000 + number))
  expect(seen.map(({ changes }) => changes.length)).toEqual([1, 1, 1, 1, 1, 1])
})

test('changes of a record are in the order of transactions, and revisions show the latest', async () => {
  const db = house.database.kysely
  const id = await house.create('/bank/bank', {
    bankName: '北辰示范银行',
    branchName: '北辰示范银行演示支行',
    cnapsCode: '991100000012',
    kind: 'jointStock',
    city: '320500',
  })
  const position = (await readFeed(db, feedStart, 1000)).at(-1)?.position ?? feedStart
  const entity = house.runtime.derived.catalog.entities.bank
  const update = (cause: 'job:older' | 'job:newer', before: () => Promise<void>) => {
    const request = { key: cause, operation: 'test', digest: '' }
    return inWork({ ...house.context(), request }, { cause }, async (work) => {
      await before()
      const { revision } = await lockRecord(work.context, work.db, entity, id)
      await updateRecordOf(work, entity, { id, revision, values: { remark: cause } })
    })
  }
  let begun = () => {}
  const older = new Promise<void>((resolve) => {
    begun = resolve
  })
  let goOn = () => {}
  const newer = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const first = update('job:older', async () => {
    begun()
    await newer
  })
  await older
  await update('job:newer', async () => {})
  goOn()
  await first
  await settled()
  const found = (await readFeed(db, position, 1000)).filter(({ cause }) => cause.startsWith('job:'))
  const last = (await house.admin.get('/bank/bank/detail', { id })).result
  expect(found.map(({ cause, changes }) => [cause, ...changes])).toEqual([
    ['job:older', { entity: 'bank', id, action: 'update', revision: 3 }],
    ['job:newer', { entity: 'bank', id, action: 'update', revision: 2 }],
  ])
  expect(last).toMatchObject({ remark: 'job:older', revision: 3 })
})

test('a follower that reads while many write misses nothing and sees nothing twice', async () => {
  const db = house.database.kysely
  let position = (await readFeed(db, feedStart, 1000)).at(-1)?.position ?? feedStart
  const heard: number[] = []
  let writing = true
  const follow = async () => {
    for (;;) {
      const last = !writing
      const found = await readFeed(db, position, 7)
      heard.push(...found.flatMap(({ changes }) => changes.map(({ id }) => id)))
      position = found.at(-1)?.position ?? position
      if (last && found.length === 0) return
    }
  }
  const writer = async (first: number) => {
    for (let number = first; number < first + 25; number++) {
      const work = openWork(number)
      await work.written
      work.end()
      await work.done
    }
  }
  const following = follow()
  await Promise.all([2_000_000, 2_100_000, 2_200_000, 2_300_000].map(writer))
  await settled()
  writing = false
  await following
  expect(heard).toHaveLength(100)
  expect(new Set(heard).size).toBe(100)
})
