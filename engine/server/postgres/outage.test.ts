import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createTestServer, type TestServer } from '../../../tests/server.ts'
import { Refusal } from '../errors.ts'
import { answerTo } from '../http/envelope.ts'
import { OutOfTimeError, outageOf } from './outage.ts'

const failure = (message: string, more: object = {}) => Object.assign(new Error(message), more)

describe('the kind of an outage', () => {
  it.each([
    [failure('terminating connection due to administrator command', { code: '57P01' }), 'unreachable'],
    [failure('the database system is starting up', { code: '57P03' }), 'unreachable'],
    [failure('cannot execute UPDATE in a read-only transaction', { code: '25006' }), 'unreachable'],
    [failure('connect ENOENT /tmp/x/.s.PGSQL.5432', { code: 'ENOENT', syscall: 'connect' }), 'unreachable'],
    [failure('connect ECONNREFUSED', { code: 'ECONNREFUSED' }), 'unreachable'],
    [failure('Connection terminated unexpectedly'), 'unreachable'],
    [failure('Query read timeout'), 'unreachable'],
    [failure('wrapped', { cause: failure('Connection terminated due to connection timeout') }), 'unreachable'],
    [failure('sorry, too many clients already', { code: '53300' }), 'overloaded'],
    [failure('timeout exceeded when trying to connect'), 'overloaded'],
    [failure('could not extend file: No space left on device', { code: '53100' }), 'full'],
    [failure('ENOSPC: no space left on device, write', { code: 'ENOSPC' }), 'full'],
    [new OutOfTimeError(), 'late'],
    [failure('ENOENT: no such file', { code: 'ENOENT', syscall: 'open' }), undefined],
    [failure('null is not an object'), undefined],
  ])('is recognised from %s', (error, outage) => expect(outageOf(error)).toBe(outage))
})

describe('the answer', () => {
  it('carries the incident number of the log entry', () => {
    const error = vi.fn<(details: object, message: string) => void>()
    const full = answerTo(failure('disk', { code: '53100' }) as never, { error })
    expect([full.refusal.status, full.refusal.text.cn, full.again]).toEqual([
      503,
      expect.stringContaining('存储空间已满'),
      30,
    ])
    expect(full.refusal.text.en).toContain(full.incident)
    expect(error).toHaveBeenCalledWith(expect.objectContaining({ incident: full.incident }), 'no service')
    const unknown = answerTo(failure('oops') as never, { error })
    expect(error).toHaveBeenLastCalledWith(expect.objectContaining({ incident: unknown.incident }), 'unexpected')
    expect(answerTo(new Refusal('busy'), { error })).toEqual({ refusal: expect.any(Refusal) })
    expect(error).toHaveBeenCalledTimes(2)
  })
})

describe('a database that becomes unavailable', () => {
  let house: TestServer
  beforeAll(async () => {
    house = await createTestServer()
  })
  afterAll(() => house?.close())

  /** Ends all sessions, as a restart or a failover does. */
  const endSessions = () =>
    house.database.administer(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${house.database.name}' and pid <> pg_backend_pid()`,
    )
  const allow = (allowed: boolean) =>
    house.database.administer(`alter database ${house.database.name} allow_connections ${allowed}`)

  it('does not end the process, idle or during a statement, and is used again at once', async () => {
    const { kysely, pool } = house.database
    await expect(
      kysely.transaction().execute(async () => {
        await endSessions()
        // The connection ends before another statement uses it.
        await vi.waitFor(() => expect(pool.idleCount).toBe(0))
        await new Promise((resolve) => {
          setImmediate(resolve)
        })
      }),
    ).rejects.toThrow(/Connection|connection/)
    const sleeping = pool.query('select pg_sleep(60)')
    const ended = expect(sleeping).rejects.toMatchObject({ code: '57P01' })
    await vi.waitFor(async () => {
      const { rowCount } = await pool.query("select from pg_stat_activity where query = 'select pg_sleep(60)'")
      expect(rowCount).toBe(1)
    })
    await endSessions()
    await ended
    await vi.waitFor(async () => expect(await house.admin.get('/customer/agency/list')).toMatchObject({ code: 1 }))
  })

  it('has no connection reused once it has become read-only', async () => {
    const { kysely, pool } = house.database
    // All connections of the pool: those of a primary that became a standby.
    const held = await Promise.all([1, 2, 3].map(() => pool.connect()))
    // Other errors of the database say nothing about its connections.
    await expect(held[0].query('select 1 / 0')).rejects.toMatchObject({ code: '22012' })
    const { rows } = await held[0].query('select pg_backend_pid() as pid')
    held[0].release()
    held[0] = await pool.connect()
    expect((await held[0].query('select pg_backend_pid() as pid')).rows).toEqual(rows)
    for (const client of held) await client.query('set default_transaction_read_only = on')
    for (const client of held) client.release()
    const health = async () => (await house.database.probe<{ pid: number }>('select pg_backend_pid() as pid'))[0].pid
    const watching = await health()
    expect(await health()).toBe(watching)
    const write = () => house.admin.post('/customer/customerClassification/create', { values: { name: '降级后' } })
    expect(await write()).toMatchObject({ status: 503, headers: { 'retry-after': '1' } })
    expect(await write()).toMatchObject({ code: 1 })
    expect(await health(), 'the one of the health check is no better').not.toBe(watching)
    expect((await kysely.selectFrom('customerClassification').selectAll().execute()).length).toBe(1)
  })

  it("is reported as an outage in the user's language, at sign-in too", async () => {
    await allow(false)
    await endSessions()
    try {
      const answer = await house.admin.get('/customer/agency/list', {}, { language: 'en-US' })
      expect(answer).toMatchObject({
        status: 503,
        code: 503,
        message: expect.stringContaining('The database cannot be reached at the moment'),
        headers: { 'retry-after': '1', 'x-incident': answer.incident },
      })
      expect(answer.message).toContain(answer.incident)
      const signIn = await house.server.inject({
        method: 'POST',
        url: '/api/vue-element-admin/user/login',
        payload: { username: 'admin', password: 'x' },
      })
      expect([signIn.statusCode, signIn.headers['retry-after'], signIn.json()]).toMatchObject([
        503,
        '1',
        { code: 50000, message: expect.stringContaining('数据库暂时无法访问') },
      ])
      expect((await house.server.inject({ url: '/api/health' })).statusCode).toBe(503)
    } finally {
      await allow(true)
    }
    // The first request afterwards succeeds.
    expect(await house.admin.get('/customer/agency/list')).toMatchObject({ code: 1 })
    expect((await house.server.inject({ url: '/api/health' })).statusCode).toBe(200)
  })
})
