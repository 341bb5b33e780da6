import { describe, expect, test } from 'vitest'
import { readXlsx } from 'hucre/xlsx'
import { grants } from '../../engine/model/model.ts'
import type { Entity, RecordData } from '../../engine/model/model.ts'
import { derive } from '../../engine/server/derived.ts'
import { api, call, detail, list, open, ready, route, tokenOf, url, useDemo } from './app.ts'
import { catalog, covering, languages, routed, widgets } from './catalog.ts'
import { addCustomer, idOf, newMobile } from './customer.ts'
import { differentEntities } from '../alike.ts'
import { isLong } from '../long.ts'

useDemo({ isShared: true })

const refusal = {
  cn: '您没有操作权限，请向上级获取权限后再试！',
  en: 'You have no operation permission, please obtain permission from the higher-level authority and try again!',
}
const permissionsOf = (role: string) =>
  catalog.presets.find(({ entity }) => entity === 'role')!.rows.find(({ code }) => code === role)!
    .functionPermissions as string[]
const may = (role: string, permission: string) => permissionsOf(role).some((pattern) => grants(pattern, permission))
const { operations, choosing } = derive(catalog, widgets)
/** The answer to a refused call; an operation that the entity lacks, such as listing its single record, answers 404. */
const refused = (method: 'GET' | 'POST', path: string, language: 'cn' | 'en') =>
  operations.has(`${method} ${path}`)
    ? { status: 403, code: 403, message: refusal[language], result: null }
    : { status: 404, code: 404, result: null }
const all = differentEntities(catalog).filter(({ rowOf }) => !rowOf)
/** `tests/masks` asks for every operation without a session and without its permission. */
const reachable = isLong
  ? all
  : covering(all, ({ permissions, downloads, states, actions, single }) => [
      single ? 'settings' : 'records',
      may('sales', permissions.view) ? 'seen' : 'unseen',
      ...(downloads ? ['downloads'] : []),
      ...(states.length > 0 ? ['states'] : []),
      ...(Object.keys(actions).length > 0 ? ['actions'] : []),
    ])

describe('signed out', () => {
  // The redirect comes before any screen, so one address of each kind is enough; the calls below prove that no route
  // answers.
  const kinds = covering(routed, ({ plan: { parameters } }) => [
    parameters.length > 0 ? 'with parameters' : 'with none',
  ])
  test.each(kinds.map(({ plan }) => plan.route!))(
    '%s leads to the sign-in page, which remembers the address',
    async (wanted) => {
      const page = await open(`${wanted}?page=2`, { user: '' })
      await expect.poll(() => route(page)).toBe(`/login?redirectUrl=${encodeURIComponent(`${wanted}?page=2`)}`)
      expect(await page.getByRole('navigation').count(), 'nothing of the frame is shown').toBe(0)
    },
  )

  test.each(reachable.map((entity) => ({ name: entity.name, entity })))(
    'no call on $name is answered',
    async ({ entity }) => {
      for (const name of [
        'list',
        'detail',
        'options',
        'history',
        'export',
        'unique',
        ...Object.keys(entity.downloads ?? {}),
      ])
        expect(await api('GET', `${entity.endpoint}/${name}`, { id: 1 }, { user: '' }), name).toMatchObject({
          status: 401,
          code: 401,
          result: null,
        })
      for (const name of writes(entity))
        expect(
          await api('POST', `${entity.endpoint}/${name}`, { id: 1, revision: 1, values: {} }, { user: '' }),
          name,
        ).toMatchObject({ status: 401, code: 401, result: null })
    },
  )

  test.runIf(isLong)('an ended session leads to the sign-in page, which remembers the address', async () => {
    const page = await open('/customer?page=2', { fresh: true })
    await page.evaluate(() => localStorage.setItem('token', 'ended'))
    await page.getByRole('main').getByRole('button', { name: '刷新', exact: true }).click()
    await expect.poll(() => route(page)).toBe(`/login?redirectUrl=${encodeURIComponent('/customer?page=2')}`)
  })
})

const writes = (entity: Entity) => [
  'create',
  'update',
  'delete',
  ...entity.states.flatMap(({ transitions }) => Object.keys(transitions)),
  ...Object.keys(entity.actions),
]
const writePermission = (entity: Entity, name: string): string =>
  name === 'create' || name === 'update' || name === 'delete'
    ? entity.permissions[name]
    : (entity.states.flatMap(({ transitions }) => transitions[name] ?? [])[0]?.permission ??
      entity.actions[name].permission)

describe('a salesman', () => {
  const mine = (records: RecordData[], id: number) =>
    records.filter(({ supportStaff, salesman }) =>
      [supportStaff, salesman].some((user) => (user as { id: number }).id === id),
    )

  test.runIf(isLong)('sees only customers of their own', async () => {
    const id = await idOf('/setting/user', 'sales')
    const own = mine((await list('/customer')).list, id)
    expect(own.length, 'the demo has customers of his').toBeGreaterThan(0)
    expect((await list('/customer', {}, 'sales')).list.map((record) => record.id)).toEqual(
      own.map((record) => record.id),
    )
    const page = await open('/customer?size=100', { user: 'sales', language: 'cn', stays: true })
    await page.getByText(`共${own.length}条`, { exact: true }).waitFor()
    const other = (await list('/customer')).list.find(({ id: each }) => !own.some((record) => record.id === each))!
    const counts = await call<{ counts: number[] }>(
      'GET',
      '/customer/list',
      { page: 1, size: 1, counts: [{}], sums: ['balance'], search: String(other.code) },
      { user: 'sales' },
    )
    expect(counts).toMatchObject({ total: 0, counts: [0], sums: { balance: '0' } })

    const foreign = await open(`/customer/detail?id=${other.id}`, { user: 'sales', language: 'cn', stays: true })
    await foreign.getByText('无权查看该数据').waitFor()
    expect(await foreign.getByRole('main').innerText()).not.toContain(String(other.corporateName))
    const approvals = await list('/customer/customerApproval', {}, 'sales')
    expect(
      approvals.list.filter(({ customer }) => !own.some((record) => record.id === (customer as { id: number }).id)),
    ).toEqual([])
  })

  test('reads nothing of another customer through any call and changes nothing', async () => {
    const id = await idOf('/setting/user', 'sales')
    const other = (await list('/customer')).list.find(
      (record) => mine([record], id).length === 0 && record.approvalStatus === 'approved',
    )!
    const before = await detail('/customer', other.id!)
    for (const name of ['detail', 'history']) {
      const answer = await api('GET', `/customer/${name}`, { id: other.id! }, { user: 'sales' })
      expect(answer, name).toMatchObject({ status: 403, result: null })
    }
    expect(
      (await call<{ list: unknown[] }>('GET', '/customer/options', { id: other.id! }, { user: 'sales' })).list,
    ).toEqual([])
    expect(
      (await call<{ list: unknown[] }>('GET', '/customer/options', { search: String(other.name) }, { user: 'sales' }))
        .list,
    ).toEqual([])
    for (const name of writes(catalog.entities.customer).filter((each) => each !== 'create')) {
      expect(
        await api(
          'POST',
          `/customer/${name}`,
          { id: other.id!, revision: other.revision, values: { remark: '越权' } },
          { user: 'sales' },
        ),
        name,
      ).toMatchObject({ status: 403, result: null })
      const many = await api<{ succeeded: number } | null>(
        'POST',
        `/customer/${name}`,
        { ids: [other.id!], values: { remark: '越权' } },
        { user: 'sales' },
      )
      expect(many.result?.succeeded ?? 0, `${name} of many`).toBe(0)
    }
    expect(await detail('/customer', other.id!)).toEqual(before)
  })

  test.each(reachable.map((entity) => ({ name: entity.name, entity })))(
    'is refused every call on $name that the role does not grant',
    async ({ entity }) => {
      const reads = { list: 'view', detail: 'view', history: 'view', export: 'export' } as const
      for (const [name, operation] of Object.entries(reads)) {
        if (may('sales', entity.permissions[operation])) continue
        expect(await api('GET', `${entity.endpoint}/${name}`, { id: 1 }, { user: 'sales' }), name).toMatchObject(
          refused('GET', `${entity.endpoint}/${name}`, 'cn'),
        )
      }
      for (const { name, permission } of Object.values(entity.downloads ?? {})) {
        if (!may('sales', permission))
          expect(await api('GET', `${entity.endpoint}/${name}`, { ids: '1' }, { user: 'sales' }), name).toMatchObject(
            refused('GET', `${entity.endpoint}/${name}`, 'cn'),
          )
      }
      for (const name of writes(entity)) {
        if (may('sales', writePermission(entity, name))) continue
        for (const body of [
          { id: 1, revision: 1, values: {} },
          { ids: [1], values: {} },
        ]) {
          expect(
            await api('POST', `${entity.endpoint}/${name}`, body, { user: 'sales', language: 'en' }),
            name,
          ).toMatchObject(refused('POST', `${entity.endpoint}/${name}`, 'en'))
        }
      }
      const { status, result } = await api<{ list: RecordData[] } | null>(
        'GET',
        `${entity.endpoint}/options`,
        {},
        { user: 'sales' },
      )
      // Permission to see or work on records that refer to the entity is enough to get its options.
      const isOffered = choosing(entity).some((permission) => may('sales', permission))
      expect(status).toBe(operations.has(`GET ${entity.endpoint}/options`) ? (isOffered ? 200 : 403) : 404)
      const shown = ['id', 'name', 'code', 'parent', 'path', 'disabled']
      for (const option of result?.list ?? [])
        expect(
          Object.keys(option).filter((key) => !shown.includes(key)),
          'an option is a name and no more',
        ).toEqual([])
    },
  )

  test.each(isLong ? languages : languages.slice(0, 1))(
    'is refused by every toolbar action that the role does not grant, in %s',
    async (language) => {
      const page = await open('/customer', { user: 'sales', language, stays: true })
      const { actions } = catalog.screens['customer.list'].body as {
        actions: { on: string; name: string; permission: string; label: Record<string, string>; do: { kind: string } }[]
      }
      for (const action of actions.filter(({ on, permission }) => on === 'toolbar' && !may('sales', permission))) {
        await page.getByRole('main').getByRole('button', { name: action.label[language], exact: true }).first().click()
        // Every click shows a new message, so those already read are marked instead of waiting until they disappear.
        const refusalMessage = page.getByText(refusal[language], { exact: true }).and(page.locator(':not([data-read])'))
        await refusalMessage.first().waitFor()
        await refusalMessage.evaluateAll((messages) => {
          for (const message of messages) message.setAttribute('data-read', '')
        })
        expect(await page.getByRole('dialog').count(), action.name).toBe(0)
      }
      expect(
        await page
          .getByRole('navigation', { name: language === 'cn' ? '主菜单' : 'Main menu' })
          .getByRole('link')
          .count(),
        'the menu leads only where he may go',
      ).toBeGreaterThan(0)
    },
  )

  test('cannot sign in as another user with a made-up or ended token', async () => {
    const token = await tokenOf('kefu01')
    await fetch(`${url()}/api/logout`, {
      method: 'POST',
      headers: { 'X-Token': token, token, 'Content-Type': 'application/json' },
      body: '{}',
    })
    for (const used of [token, 'x', `${token}x`, '']) {
      const answer = await fetch(`${url()}/api/customer/list`, { headers: { token: used } })
      expect(answer.status).toBe(401)
    }
  })
})

describe('an auditor, who may not see sensitive values', () => {
  const mobile = newMobile()
  const second = newMobile()
  const accounts = ['9912345678901234', '9998765432109876']

  /** A customer with known sensitive values and a history of them. */
  async function subject(name: string): Promise<number> {
    const values = {
      account: `${name.length}_${mobile.slice(-6)}_audit`,
      billingType: 'eNormal',
      invoiceTitle: `${name}（测试）有限公司`,
      taxNumber: '91990101MADE1A2B93',
      invoiceEmail: 'fapiao@audit.example.com',
      consigneeMobile: mobile,
      bankAccount: accounts[0],
      contacts: [{ name: '甲一', kind: ['general'], mobile: second, primary: true }],
    }
    const id = await addCustomer({ name, user: 'support', values })
    await call('POST', '/customer/agree', { id }, { user: 'customerManager' })
    const { revision, contacts } = await detail('/customer', id)
    await call(
      'POST',
      '/customer/update',
      {
        id,
        revision,
        values: {
          bankAccount: accounts[1],
          consigneeMobile: second,
          contacts: (contacts as RecordData[]).map((row) => ({ ...row, mobile })) as never,
        },
      },
      { user: 'support' },
    )
    return id
  }
  const secrets = [mobile, second, ...accounts]
  const secretsIn = (text: string) => secrets.filter((secret) => text.includes(secret))

  test('gets no sensitive value in any answer or export', async () => {
    const id = await subject('审计测试')
    const as = { user: 'auditor' }
    expect(
      secretsIn(JSON.stringify(await call('GET', '/customer/detail', { id }, { user: 'admin' }))),
      'they are there',
    ).not.toEqual([])
    const answers = {
      list: await call('GET', '/customer/list', { search: '审计测试' }, as),
      detail: await call('GET', '/customer/detail', { id }, as),
      history: await call('GET', '/customer/history', { id }, as),
      approvals: await call('GET', '/customer/customerApproval/list', { filters: { customer: { equals: id } } }, as),
      options: await call('GET', '/customer/options', { id }, as),
    }
    for (const [name, answer] of Object.entries(answers)) expect(secretsIn(JSON.stringify(answer)), name).toEqual([])
    expect((await detail('/customer', id, 'auditor')).consigneeMobile).toMatch(/^\d{0,4}\*+\d{0,4}$/)

    const sheet = await fetch(
      `${url()}/api/customer/export?fields=name,consigneeMobile,bankAccount,changedFields&search=${encodeURIComponent('审计测试')}`,
      { headers: { token: await tokenOf('auditor') } },
    )
    expect(sheet.status).toBe(200)
    const { sheets } = await readXlsx(new Uint8Array(await sheet.arrayBuffer()))
    expect(sheets[0].rows.length).toBe(2)
    expect(secretsIn(JSON.stringify(sheets[0].rows))).toEqual([])
  })

  test('learns nothing by searching, filtering or sorting', async () => {
    const as = { user: 'auditor' }
    for (const field of ['consigneeMobile', 'bankAccount']) {
      for (const filter of [{ contains: mobile.slice(0, 5) }, { equals: mobile }, { empty: false }]) {
        expect(await api('GET', '/customer/list', { filters: { [field]: filter } }, as), field).toMatchObject({
          status: 403,
          result: null,
        })
        expect(await api('GET', '/customer/list', { tab: { [field]: filter } }, as), field).toMatchObject({
          status: 403,
          result: null,
        })
        expect(await api('GET', '/customer/list', { counts: [{ [field]: filter }] }, as), field).toMatchObject({
          status: 403,
          result: null,
        })
        expect((await api('GET', '/customer/export', { filters: { [field]: filter } }, as)).status, field).toBe(403)
      }
      expect(await api('GET', '/customer/list', { sort: field }, as), field).toMatchObject({
        status: 403,
        result: null,
      })
    }
    const {
      list: [known],
    } = await list('/customer', { filters: { bankAccount: { empty: false } } })
    for (const secret of [known.consigneeMobile, known.bankAccount]) {
      expect(
        (await list('/customer', { search: String(secret) }, 'auditor')).list.filter(
          ({ account }) => account !== secret,
        ),
      ).toEqual([])
    }
  })

  test.runIf(isLong)('sees sensitive values masked on the screen', async () => {
    const {
      list: [record],
    } = await list('/customer', { filters: { bankAccount: { empty: false } } })
    const page = await open(`/customer/detail?id=${record.id}`, { user: 'auditor' })
    await page.getByRole('tab', { name: '开票与收件', exact: true }).click()
    const panel = page.getByRole('tabpanel', { name: '开票与收件', exact: true })
    await panel.getByText('银行账号', { exact: true }).waitFor()
    expect(await panel.innerText()).not.toContain(String(record.consigneeMobile))
    expect((await panel.innerText()).replace(/\s/g, '')).not.toContain(String(record.bankAccount))
    expect(await panel.innerText()).toContain('*')
    await page.goto(`${url()}/#/customer?q=${encodeURIComponent(String(record.name))}`)
    await ready(page)
    await page.getByText('共1条', { exact: true }).waitFor()
    expect(await page.getByRole('main').innerText()).not.toContain(String(record.consigneeMobile))
  })
})
