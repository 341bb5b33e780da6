import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Catalog } from '../../model/model.ts'
import { customerValues } from '../../../tests/customer.ts'
import { createTestServer, type TestServer } from '../../../tests/server.ts'
import { clockOn } from '../../../tests/clock.ts'
import { prepareRuntime } from '../prepare.ts'
import { applyAdministered } from './administered.ts'
import { createServer } from '../server.ts'
import { isLong } from '../../../tests/long.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer({
    change(catalog: Catalog) {
      const { fields } = catalog.entities.customer
      // A formula that needs both the date and a setting has no column.
      fields.young = {
        ...fields.establishedDate,
        name: 'young',
        type: 'boolean',
        options: {},
        readOnly: true,
        computed: {
          kind: 'formula',
          formula: 'establishedDate >= addDays(today(), -settings.parameter.expiringDaysService)',
        },
      }
      return catalog
    },
  })
})
afterAll(() => server.close())

const read = async (path = '/setting/parameter', as = server.admin) => (await as.get(`${path}/detail`)).result
async function set(values: object, path = '/setting/parameter', as = server.admin) {
  const { id, revision } = await read(path)
  return as.post(`${path}/update`, { id, revision, values })
}

describe('an entity with one record', () => {
  test('exists from the start with its defaults, and is read without an id', async () => {
    expect(await read()).toMatchObject({
      revision: 1,
      passwordDays: 90,
      taxSurcharge: '12.0000',
      matchTolerance: '1.00',
      cardDoubleCheck: true,
      minimumWages: [],
    })
    await applyAdministered(server.runtime)
    expect((await server.admin.get('/setting/parameter/list')).result.total).toBe(1)
  })

  test('has no operation to create or delete', async () => {
    const { id } = await read()
    for (const [operation, body] of [
      ['create', { values: {} }],
      ['delete', { id }],
    ] as const) {
      expect(await server.admin.post(`/setting/parameter/${operation}`, body)).toMatchObject({ code: 404 })
    }
    expect(
      server.runtime.derived.catalog.permissions
        .map(({ value }) => value)
        .filter((value) => value.startsWith('setting:parameter:')),
    ).toEqual(['setting:parameter:view', 'setting:parameter:edit'])
  })

  test('is saved like any other record: checks, rules, rows, history', async () => {
    expect((await set({ taxSurcharge: '16', loginFailLimit: 2 })).errors).toMatchObject([
      { field: 'loginFailLimit' },
      { field: 'taxSurcharge' },
    ])
    expect(await set({ closedMonth: '2026-02', minimumWages: [{ city: '310100', amount: '2740' }] })).toMatchObject({
      code: 1,
    })
    expect((await set({ closedMonth: '2026-01' })).errors).toMatchObject([
      { field: 'closedMonth', message: '已关账月份只能向后' },
    ])
    const { list } = (await server.admin.get('/setting/parameter/history')).result
    expect(
      list[0].changes.map(({ label, new: next }: { label: { cn: string }; new: string }) => [label.cn, next]),
    ).toEqual([
      ['最低工资', '上海 / ￥2,740.00'],
      ['已关账月份', '2026-02'],
    ])
  })

  test('fills a required field that was added later with its default', async () => {
    await server.database.pool.query('update "parameter" set "badgeMax" = null, "closedMonth" = null')
    await applyAdministered(server.runtime)
    expect(await read()).toMatchObject({ badgeMax: 99, closedMonth: null })
  })

  test('is read and saved by its own permissions', async () => {
    const clerk = await server.user('clerkone', ['cashier'])
    for (const path of [
      'parameter',
      'selfPickupSetting',
      'offlineTransferSetting',
      'otherSettings',
      'paymentParameters',
    ]) {
      expect(await clerk.get(`/setting/${path}/detail`)).toMatchObject({ code: 403 })
      expect(await set({}, `/setting/${path}`, clerk)).toMatchObject({ code: 403 })
    }
  })
})

describe('payment keys', () => {
  const path = '/setting/paymentParameters'
  const secrets = { walletPrivateKey: 'PRIVATE-key-of-the-wallet-1234', walletMerchantSecret: 'merchant-SECRET-5678' }
  const channel = { walletEnabled: true, walletAppId: 'app-1', walletPublicKey: 'public', walletMerchantNo: 'M1' }

  test('are required the first time their channel is enabled', async () => {
    expect((await set({ ...channel, walletPrivateKey: secrets.walletPrivateKey }, path)).errors).toMatchObject([
      { field: 'walletMerchantSecret', code: 'required' },
    ])
    expect(await set({ ...channel, ...secrets }, path)).toMatchObject({ code: 1 })
    expect(await set({ walletAppId: 'app-2', walletPrivateKey: null }, path)).toMatchObject({ code: 1 })
  })

  test('never leave the server, whatever the call', async () => {
    const record = await read(path)
    expect(record).toMatchObject({ walletPrivateKey: '******1234', walletMerchantSecret: '******5678' })
    const plans = Object.values(server.runtime.derived.catalog.screens).map(
      ({ name }) => ['/plans/screen', { name }] as const,
    )
    const answers = await Promise.all(
      [
        ...['list', 'detail', 'history', 'options'].map((operation) => [`${path}/${operation}`, {}] as const),
        [`${path}/export`, { screen: 'paymentParameters.settings' }] as const,
        ...plans,
        ['/openapi.json', {}] as const,
      ].map(([url, query]) => server.admin.get(url, query)),
    )
    const text = answers.map((answer) => JSON.stringify(answer)).join('\n')
    expect(text).toContain('******1234')
    for (const secret of Object.values(secrets)) expect(text).not.toContain(secret)
    const { rows } = await server.database.pool.query('select "walletPrivateKey" as kept from "paymentParameters"')
    expect(rows[0].kept).toMatch(/^v1\./)
    expect(JSON.stringify(server.runtime.overlay.settings.paymentParameters)).toContain('app-2')
    expect(JSON.stringify(server.runtime.overlay)).not.toContain('v1.')
  })

  test('at least one payment method stays enabled', async () => {
    expect((await set({ walletEnabled: false, offlineEnabled: false }, path)).errors).toMatchObject([
      { field: 'offlineEnabled', message: '至少启用一种支付方式' },
    ])
  })
})

describe('expressions read settings', () => {
  test('on the server: whether users may approve their own customers', async () => {
    const id = await server.create('/customer', await customerValues(server))
    expect(await server.admin.post('/customer/agree', { id })).toMatchObject({
      code: 409,
      message: '不能审核本人提交的客户',
    })
    await set({ approveBySelf: true })
    expect(await server.admin.post('/customer/agree', { id })).toMatchObject({ code: 1 })
    await set({ approveBySelf: false })
  })

  test('in the database: a field without a column filters and counts by them', async () => {
    await server.create('/customer', await customerValues(server, { establishedDate: '2026-01-01' }))
    const count = async (young: boolean) =>
      (await server.admin.get('/customer/list', { filters: { young: { equals: young } } })).result.total
    expect([await count(true), await count(false)]).toEqual([0, 1])
    await set({ expiringDaysService: 90 })
    expect([await count(true), await count(false)]).toEqual([1, 0])
  })

  test.skipIf(!isLong)('in the browser: a screen carries only the settings that it reads', async () => {
    const { settings, entities } = (await server.admin.get('/plans/screen', { route: '/customer' })).result
    expect(settings).toEqual({
      parameter: { approveBySelf: false, approvalDays: 1, statementDay: 10, expiringDaysService: 90 },
    })
    expect(Object.keys(entities.parameter.fields)).toEqual([
      'approveBySelf',
      'approvalDays',
      'expiringDaysService',
      'statementDay',
    ])
    expect((await server.admin.get('/plans/screen', { route: '/setting/banner' })).result.settings).toEqual({})
  })

  test('in every process on the database, from the next request on', async () => {
    const { runtime, database, dataDir, admin } = server
    const { catalog, widgets } = runtime.derived
    const other = await createServer({
      runtime: await prepareRuntime({ catalog, widgets, database, dataDir, clock: clockOn('2026-03-15') }),
      compile: () => ({ catalog, issues: [] }),
    })
    const seen = async () => {
      const answer = await other.inject({ url: '/api/plans/screen?route=/customer', headers: { token: admin.token } })
      return [answer.json().result.settings.parameter.expiringDaysService, Number(answer.headers['x-settings-version'])]
    }
    const [before, version] = await seen()
    expect(before).toBe(90)
    await set({ expiringDaysService: 45 })
    expect(await seen()).toEqual([45, version + 1])
    await other.close()
  })
})
