import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from 'kysely'
import { readXlsx } from 'hucre/xlsx'
import { customerValues } from '../../../../tests/customer.ts'
import { isLong } from '../../../../tests/long.ts'
import { isRepeated } from '../../../../tests/repeated.ts'
import { createTestServer, type Client, type TestServer, withOwnCatalog } from '../../../../tests/server.ts'
import type { ListResult, RecordData, Value } from '../../../model/model.ts'
import { readBatches } from './query.ts'

let house: TestServer
let admin: Client
let support: Client & { id: number }
let ids: number[]

beforeAll(async () => {
  house = await createTestServer(withOwnCatalog)
  admin = house.admin
  support = await house.user('support01', ['support'])
  const region = async (search: string) =>
    (await admin.get('/setting/region/options', { search })).result.list[0].id as number
  const beijing = await region('110105')
  const suzhou = await region('320506')
  const rows: Record<string, Value>[] = [
    {
      name: '重庆银行',
      creditLimit: '100.10',
      region: beijing,
      serviceTypes: ['dispatch', 'outsourcing'],
      type: 'enterprise',
      payerNames: ['甲付款户'],
    },
    {
      name: '启澜物流',
      creditLimit: '200.20',
      region: beijing,
      serviceTypes: ['dispatch'],
      type: 'branch',
      remark: '100%_\\备注',
    },
    {
      name: '安徽工厂',
      creditLimit: '300.30',
      region: suzhou,
      serviceTypes: ['insuranceAgency'],
      type: 'institution',
      consigneeMobile: '15400001111',
    },
    { name: '北京一厂', creditLimit: null, region: suzhou, serviceTypes: ['outsourcing'], type: 'enterprise' },
    {
      name: '="SUM(A1)"',
      creditLimit: '0.00',
      region: suzhou,
      serviceTypes: ['outsourcing'],
      type: 'enterprise',
      supportStaff: support.id,
    },
  ]
  ids = []
  for (const row of rows) ids.push(await house.create('/customer', await customerValues(house, row)))
  await sql`update customer set "submissionTime" = '2026-03-01 09:00:00'::timestamp + make_interval(days => id::int - ${ids[0]})`.execute(
    house.database.kysely,
  )
  await sql`update customer set "approvalStatus" = 'approved' where id = any(${ids.slice(0, 2)}::bigint[])`.execute(
    house.database.kysely,
  )
})
afterAll(() => house?.close())

const list = async (query: object, as = admin): Promise<ListResult> => {
  const answer = await as.get('/customer/list', { sort: 'submissionTime', ...query })
  expect(answer, JSON.stringify(answer)).toMatchObject({ code: 1 })
  return answer.result
}
const found = async (query: object, as = admin) => (await list(query, as)).list.map(({ id }) => ids.indexOf(id!))
const refusal = async (query: Record<string, unknown>, as = admin) => {
  const { status, message } = await as.get('/customer/list', query)
  return [status, message]
}

describe('a list', () => {
  it('comes in pages that do not overlap, with its total', async () => {
    const pages = await Promise.all([1, 2, 3].map((page) => list({ page, size: 2 })))
    expect(pages.map((page) => [page.list.map(({ id }) => ids.indexOf(id!)), page.total])).toEqual([
      [[0, 1], 5],
      [[2, 3], 5],
      [[4], 5],
    ])
    expect((await list({ page: 99, size: 2 })).list).toEqual([])
    expect(await refusal({ page: 0 })).toEqual([422, '请求格式不正确：page'])
    expect((await list({ size: 100_000 })).total).toBe(5)
  })

  it('carries the requested fields, and what names the record', async () => {
    const {
      list: [row],
    } = await list({ fields: ['type', 'balance', 'agency'] })
    expect(Object.keys(row).sort()).toEqual(['agency', 'balance', 'code', 'id', 'name', 'revision', 'type'])
    expect(row.agency).toEqual({ id: expect.any(Number), code: 'J001', name: '自营机构' })
    expect(Object.keys((await list({})).list[0])).not.toContain('contacts')
  })

  it('sums and counts all matching records, not just the page', async () => {
    const { sums, counts, total } = await list({
      size: 1,
      sums: ['creditLimit'],
      tab: { approvalStatus: { equals: 'pending' } },
      counts: [{}, { approvalStatus: { equals: 'pending' } }, { approvalStatus: { equals: 'approved' } }],
    })
    expect({ sums, counts, total }).toEqual({ sums: { creditLimit: '300.30' }, counts: [5, 3, 2], total: 3 })
    expect(await list({ filters: { type: { in: ['branch'] } }, sums: ['creditLimit'] })).toMatchObject({
      total: 1,
      sums: { creditLimit: '200.20' },
    })
    const counted = { approvalStatus: { equals: 'pending' } }
    expect(await list({ sums: ['creditLimit'], counted })).toMatchObject({ total: 5, sums: { creditLimit: '300.30' } })
    expect(await refusal({ sums: ['creditLimit'], counted: { secret: { equals: 1 } } })).toEqual([
      422,
      expect.any(String),
    ])
    expect(await refusal({ sums: ['name'] })).toEqual([422, '不能对客户名称求和'])
  })

  it('holds all conditions on one field', async () => {
    const and = [{ in: ['enterprise', 'branch'] }, { in: ['branch', 'institution'] }]
    expect(await found({ tab: { type: { and } } })).toEqual([1])
    expect(await found({ tab: { type: { and, equals: 'enterprise' } } })).toEqual([])
    for (const wrong of [null, [null], [{ and }]])
      expect((await refusal({ tab: JSON.stringify({ type: { and: wrong } }) }))[0]).toBe(422)
  })

  it('is sorted as a reader expects, empty values last', async () => {
    expect(await found({ sort: 'name' })).toEqual([4, 2, 3, 0, 1])
    expect(await found({ sort: 'creditLimit' })).toEqual([4, 0, 1, 2, 3])
    expect(await found({ sort: '-creditLimit' })).toEqual([2, 1, 0, 4, 3])
    expect((await found({ sort: 'type' })).slice(-2)).toEqual([1, 2])
    expect(await found({ sort: 'agency' })).toEqual([0, 1, 2, 3, 4])
    expect(await refusal({ sort: 'serviceTypes' })).toEqual([422, '不能按服务类型排序'])
    expect(await refusal({ sort: 'name; drop table customer' })).toEqual([
      422,
      '企业客户没有字段“name; drop table customer”',
    ])
  })
})

describe('a list with a limit to counting', () => {
  const summed = { sums: ['creditLimit'], counts: [{}, { approvalStatus: { equals: 'approved' } }] }

  it('reports everything while few records match', async () => {
    const { list: rows, ...figures } = await list({ size: 2, countTo: 5, ...summed })
    expect([rows.length, figures]).toEqual([
      2,
      { next: true, total: 5, sums: { creditLimit: '600.60' }, counts: [5, 2] },
    ])
    expect(await list({ size: 5, countTo: 1, sums: ['creditLimit'] })).toMatchObject({
      next: false,
      total: 5,
      sums: { creditLimit: '600.60' },
    })
    expect(await list({ size: 5, countTo: 1 })).toMatchObject({ total: 5, sums: {}, counts: [] })
  })

  it('reports how far it counted, and leaves out what would need all records', async () => {
    const { list: rows, ...figures } = await list({ size: 2, countTo: 4, ...summed })
    expect([rows.length, figures]).toEqual([2, { next: true, total: 4, more: true }])
    const { list: _, ...ofTab } = await list({
      size: 1,
      countTo: 4,
      ...summed,
      tab: { approvalStatus: { equals: 'approved' } },
    })
    expect(ofTab).toEqual({ next: true, total: 2 })
    const { list: __, ...searched } = await list({
      size: 1,
      countTo: 1,
      filters: { type: { in: ['branch'] } },
      ...summed,
    })
    expect(searched).toEqual({ next: false, total: 1, sums: { creditLimit: '200.20' }, counts: [1, 1] })
  })

  it('counts all records for a page beyond the last', async () => {
    expect(await list({ page: 4, size: 2, countTo: 2 })).toMatchObject({ list: [], next: false, total: 5 })
    expect(await list({ page: 3, size: 2, countTo: 2 })).toMatchObject({ next: false, total: 2, more: true })
    expect(await refusal({ countTo: 0 })).toEqual([422, '请求格式不正确：countTo'])
  })

  it('counts only what the user may see', async () => {
    expect(await list({ size: 1, countTo: 1 }, support)).toMatchObject({ total: 1, next: false })
  })
})

describe('further pages by the key of a record', () => {
  const next = async (sort: string, key: object) => list({ sort, size: 1, countTo: 9, ...key })
  const walked = async (sort: string, side: 'after' | 'before') => {
    const end = side === 'after' ? 'last' : 'first'
    const all = await list({ sort, size: 1000, countTo: 9 })
    const places: number[] = []
    for (let key = side === 'after' ? all.first : all.last; key;) {
      const { list: rows, ...found } = await next(sort, { [side]: key })
      if (rows.length > 0) places.push(ids.indexOf(rows[0].id!))
      key = found[end]
    }
    return places
  }

  /** Each type of value once, in one direction; where values are empty, in both. */
  const sorts = ['-submissionTime', 'name', 'creditLimit', '-creditLimit', '-agency', '-approvalRounds,code']
  const more = ['id', '-id', 'submissionTime', '-name', 'type', 'code', 'type,-creditLimit']
  /** Databases sort differently, so that the other one sorts by all of them. */
  const short = isRepeated() ? sorts : sorts.slice(0, 2)
  it.each(isLong ? [...sorts, ...more] : short)('cover the list when sorted by %s', async (sort) => {
    const all = await found({ sort })
    expect(await walked(sort, 'after')).toEqual(all.slice(1))
    expect(await walked(sort, 'before')).toEqual(all.slice(0, -1).reverse())
  })

  it('are numbered from the key, and end with the list', async () => {
    const all = await list({ size: 1000, countTo: 9 })
    expect(all.list.length).toBe(5)
    expect(await found({ size: 2, countTo: 9, after: all.first, page: 2 })).toEqual([3, 4])
    expect(await found({ size: 2, countTo: 9, before: all.last, page: 1 })).toEqual([2, 3])
    expect(await found({ size: 2, countTo: 9, before: all.last, page: 2 })).toEqual([0, 1])
    expect(await list({ size: 2, countTo: 2, after: all.last })).toMatchObject({ list: [], next: false, total: 5 })
    expect(await list({ size: 2, countTo: 2, before: all.last })).toMatchObject({ next: true })
  })

  it('continue after a computed number that is larger than a column could hold', async () => {
    expect(await found({ countTo: 9, sort: 'approvalRounds', before: ['3000000000', '1'] })).toHaveLength(5)
  })

  it('accept only a key that a record may have', async () => {
    const wrong = [422, '请求格式不正确：after, before']
    expect(await refusal({ after: ['1'], sort: 'name' })).toEqual(wrong)
    expect(await refusal({ after: ['yesterday', '1'], sort: 'submissionTime' })).toEqual(wrong)
    expect(await refusal({ before: ['1', null], sort: 'name' })).toEqual(wrong)
    expect(await refusal({ before: { id: 1 } })).toEqual([422, '请求格式不正确：before'])
  })
})

describe('searching', () => {
  it.each([
    ['重庆', [0]],
    ['chongqing', [0]],
    ['cqyh', [0]],
    ['zqyh', []],
    ['ql wl', [1]],
    ['QLWL', [1]],
    ['启澜 物流', [1]],
    ['启澜 工厂', []],
    ['%', []],
    ['_', []],
    ['C00000', [0, 1, 2, 3, 4]],
  ])('finds by %s', async (search, expected) => {
    expect(await found({ search })).toEqual(expected)
  })

  it('finds a sensitive value only whole, and only for users who may see it', async () => {
    const mobile = (await admin.get('/setting/user/detail', { id: support.id })).result.mobile as string
    const search = async (text: string, as: Client) =>
      (await as.get('/setting/user/options', { search: text })).result.total
    expect([
      await search(mobile, admin),
      await search(mobile.slice(0, 10), admin),
      await search(mobile, support),
    ]).toEqual([1, 0, 0])
  })

  it('follows a change', async () => {
    const id = await house.create('/customer', await customerValues(house, { name: '若谷商贸' }))
    expect((await list({ search: 'rgsm' })).total).toBe(1)
    await admin.post('/customer/update', {
      id,
      revision: 1,
      values: { name: '霁川商贸', corporateName: '霁川商贸有限公司' },
    })
    expect([(await list({ search: 'rgsm' })).total, (await list({ search: 'jcsm' })).total]).toEqual([0, 1])
    await admin.post('/customer/delete', { id })
  })
})

describe('filters', () => {
  const beijing = async () => (await admin.get('/setting/region/options', { search: '110000' })).result.list[0].id

  it.each<[string, object, number[]]>([
    ['contains', { name: { contains: '银行' } }, [0]],
    ['contains takes signs as they are', { name: { contains: '%' } }, []],
    ['equals', { name: { equals: '启澜物流' } }, [1]],
    ['in', { type: { in: ['branch', 'institution'] } }, [1, 2]],
    ['between amounts, both ends in', { creditLimit: { between: ['200.20', '300.30'] } }, [1, 2]],
    ['between with one end', { creditLimit: { between: [null, '100.1'] } }, [0, 4]],
    ['between days, the last one whole', { submissionTime: { between: ['2026-03-01', '2026-03-02'] } }, [0, 1]],
    ['overlaps', { serviceTypes: { overlaps: ['outsourcing'] } }, [0, 3, 4]],
    ['empty', { creditLimit: { empty: true } }, [3]],
    ['not empty', { creditLimit: { empty: false } }, [0, 1, 2, 4]],
    ['contains in a list of texts', { payerNames: { contains: '甲' } }, [0]],
    ['what other records count up to', { approvalRounds: { equals: 1 } }, [0, 1, 2, 3, 4]],
    ['what none counts up to', { approvalRounds: { between: [2, null] } }, []],
    ['empty rows', { contacts: { empty: true } }, [0, 1, 2, 3, 4]],
    ['empty pictures', { pictures: { empty: false } }, []],
    ['several, all of which hold', { type: { in: ['enterprise'] }, serviceTypes: { overlaps: ['dispatch'] } }, [0]],
    ['a value like SQL', { name: { equals: "' or 1=1 --" } }, []],
  ])('%s', async (_, filters, expected) => {
    expect(await found({ filters })).toEqual(expected)
  })

  it('match everything under a node of a tree', async () => {
    expect(await found({ filters: { region: { under: await beijing() } } })).toEqual([0, 1])
    expect(await found({ filters: { region: { equals: await beijing() } } })).toEqual([])
  })

  it.each([
    [{ nmae: { equals: 'x' } }, 422, '企业客户没有字段“nmae”'],
    [{ name: { between: ['a', 'b'] } }, 422, '客户名称不支持“between”查询，可用：contains, equals, in, empty'],
    [{ creditLimit: { between: ['abc', null] } }, 422, '信用额度的查询条件不正确'],
    [{ submissionTime: { between: ['2026-99-01', null] } }, 422, '提交时间的查询条件不正确'],
    [{ type: { in: [] } }, 422, '客户类型的查询条件不正确'],
    [{ supportStaff: { equals: { a: 1 } } }, 422, '客服专员的查询条件不正确'],
    [{ name: 'x' }, 422, '请求格式不正确：filters'],
  ])('%j is refused', async (filters, status, message) => {
    expect(await refusal({ filters })).toEqual([status, message])
  })
})

describe('the data scope', () => {
  it('limits list, sums, counts, detail, history, options, export and update alike', async () => {
    expect(await list({ sums: ['creditLimit'], counts: [{}] }, support)).toMatchObject({
      total: 1,
      sums: { creditLimit: '0.00' },
      counts: [1],
    })
    expect(await found({}, support)).toEqual([4])
    const outside = { status: 403, code: 403, message: '无权查看该数据' }
    expect(await support.get('/customer/detail', { id: ids[0] })).toMatchObject(outside)
    expect(await support.get('/customer/history', { id: ids[0] })).toMatchObject(outside)
    expect(await support.post('/customer/update', { id: ids[0], revision: 1, values: { remark: 'x' } })).toMatchObject(
      outside,
    )
    expect(
      await support.post('/customer/assign', { ids: [ids[0], ids[4]], values: { salesman: support.id } }),
    ).toMatchObject({
      code: 1,
      result: { succeeded: 1, failed: [{ id: ids[0], message: '无权查看该数据' }] },
    })
    await sql`update customer set "approvalStatus" = 'approved', "accountStatus" = 'enabled'`.execute(
      house.database.kysely,
    )
    expect((await support.get('/customer/options', {})).result.list.map(({ id }: RecordData) => id)).toEqual([ids[4]])
    expect(
      (await support.get('/customer/options', { id: ids.join(',') })).result.list.map(({ id }: RecordData) => id),
    ).toEqual([ids[4]])
    expect((await support.get('/customer/customerApproval/list')).result.total).toBe(1)
    const sheet = await readXlsx(
      ((await support.get('/customer/export', { fields: ['name'] })) as unknown as { raw: Buffer }).raw,
    )
    expect(sheet.sheets[0].rows.length).toBe(2)
    await sql`update customer set "approvalStatus" = 'pending', "accountStatus" = 'disabled' where id = any(${ids.slice(2)}::bigint[])`.execute(
      house.database.kysely,
    )
  })

  it('limits what sums up other records, but not what rules check', async () => {
    const classification = await house.create('/customer/customerClassification', { name: '仅统计可见' })
    const [mine, foreign] = [ids[4], ids[0]]
    for (const id of [mine, foreign]) {
      await sql`update customer set classification = ${classification}, "approvalStatus" = 'pending' where id = ${id}`.execute(
        house.database.kysely,
      )
    }
    const role = {
      code: 'classifier',
      name: '分类员',
      functionPermissions: ['customer:classification:manage', 'customer:customer:view'],
      dataScope: 'self',
    }
    await house.create('/setting/role', role)
    const clerk = await house.user('classifier01', ['classifier'])
    await sql`update customer set "supportStaff" = ${clerk.id} where id = ${mine}`.execute(house.database.kysely)
    const counted = async (as: Client) => {
      const query = { fields: ['customerCount'], filters: { name: { equals: '仅统计可见' } }, sums: ['customerCount'] }
      const {
        list: [row],
        sums,
      } = (await as.get('/customer/customerClassification/list', query)).result
      return [
        row.customerCount,
        sums.customerCount,
        (await as.get('/customer/customerClassification/detail', { id: classification })).result.customerCount,
      ]
    }
    expect(await counted(clerk)).toEqual([1, '1', 1])
    expect(await counted(admin)).toEqual([2, '2', 2])
    await sql`update customer set "supportStaff" = ${support.id} where id = ${mine}`.execute(house.database.kysely)
    expect(await counted(clerk)).toEqual([0, '0', 0])

    // A guard counts all records, whatever the user may see: a narrower scope must not pass it.
    const { derived } = house.runtime
    const entity = derived.catalog.entities.customerClassification
    entity.states[0].transitions.disable.guards = [
      { check: 'customerCount == 0', at: 'status', message: { cn: '分类在用', en: 'In use' } },
    ]
    expect(await clerk.post('/customer/customerClassification/disable', { id: classification })).toMatchObject({
      status: 409,
      message: '分类在用',
    })
    entity.states[0].transitions.disable.guards = []
    await sql`update customer set classification = null, "approvalStatus" = case when id = ${foreign} then 'approved' else 'pending' end, "supportStaff" =
      case when id = ${mine} then ${support.id} else "supportStaff" end where classification = ${classification}`.execute(
      house.database.kysely,
    )
  })

  it.skipIf(isRepeated())('is the widest of several roles, and includes the departments below', async () => {
    const office = await house.findId('/setting/department', '总部')
    const branch = await house.create('/setting/department', { name: '华东分公司', parent: office })
    const group = await house.create('/setting/department', { name: '华东客服组', parent: branch })
    const member = await house.user('eastMember', ['support'], group)
    const manager = await house.user('eastManager', ['customerManager'], branch)
    const colleague = await house.user('eastColleague', ['support'], group)
    const both = await house.user('twoRoles', ['support', 'contractClerk'], group)
    await admin.post('/customer/assign', { id: ids[3], values: { supportStaff: member.id } })
    expect(await found({}, member)).toEqual([3])
    expect(await found({}, manager)).toEqual([3])
    expect(await found({}, colleague)).toEqual([])
    expect((await found({}, both)).length).toBe(5)
    const role = await house.findId('/setting/role', 'customerManager')
    await admin.post('/setting/role/update', { id: role, revision: 1, values: { dataScope: 'department' } })
    expect(await found({}, manager)).toEqual([])
  })
})

describe.skipIf(isRepeated())('permissions', () => {
  it('are checked first, and a refusal has the words of the specification', async () => {
    const sales = await house.user('sales01', ['sales'])
    const message = '您没有操作权限，请向上级获取权限后再试！'
    for (const [method, path] of [
      ['post', '/customer/delete'],
      ['post', '/customer/agree'],
      ['get', '/customer/export'],
      ['get', '/setting/user/list'],
      ['post', '/customer/assign'],
    ] as const) {
      expect(await sales[method](path, { id: ids[0] }), path).toMatchObject({ status: 403, code: 403, message })
    }
    expect((await sales.get('/setting/user/list', {}, { language: 'en-US' })).message).toBe(
      'You have no operation permission, please obtain permission from the higher-level authority and try again!',
    )
    // Colleagues are chosen by name: their login names are neither shown nor searched.
    const offered = async (search: string) => (await sales.get('/setting/user/options', { search })).result.list
    expect(await offered('系统管理')).toMatchObject([{ code: null, name: '系统管理员' }])
    expect(await offered('admin')).toEqual([])
  })

  it('of a disabled role no longer count', async () => {
    const cashier = await house.user('cashier01', ['cashier'])
    expect((await cashier.get('/customer/list')).code).toBe(1)
    await admin.post('/setting/role/disable', { id: await house.findId('/setting/role', 'cashier') })
    expect((await cashier.get('/customer/list')).status).toBe(403)
  })

  it('mask sensitive values in lists, exports and history, and refuse to search by them', async () => {
    const clerk = await house.user('clerk01', ['contractClerk'])
    const { list: rows } = await list({ fields: ['consigneeMobile'] }, clerk)
    expect(rows.map(({ consigneeMobile }) => consigneeMobile)).not.toContain('15400001111')
    expect(rows.find(({ id }) => id === ids[2])!.consigneeMobile).toMatch(/^154\*+1111$/)
    expect(await refusal({ filters: { consigneeMobile: { equals: '15400001111' } } }, clerk)).toEqual([
      403,
      '无权按收件人手机查询',
    ])
    expect((await refusal({ sort: 'consigneeMobile' }, clerk))[0]).toBe(403)
    expect(await found({ filters: { consigneeMobile: { equals: '15400001111' } } })).toEqual([2])
    const { result } = await clerk.get('/customer/history', { id: ids[2] })
    expect(JSON.stringify(result)).not.toContain('15400001111')
    expect(JSON.stringify((await admin.get('/customer/history', { id: ids[2] })).result)).toContain('15400001111')
    const sheet = await readXlsx(
      ((await clerk.get('/customer/export', { fields: ['consigneeMobile'] })) as unknown as { raw: Buffer }).raw,
    )
    expect(JSON.stringify(sheet.sheets[0].rows)).not.toContain('15400001111')
  })
})

describe.skipIf(isRepeated())('history', () => {
  it('shows who changed what, in the requested language, with references by name', async () => {
    const id = await house.create(
      '/customer',
      await customerValues(house, { contacts: [{ name: '李文', kind: ['hr'], mobile: '15411112222', primary: true }] }),
    )
    const [row] = (await admin.get('/customer/detail', { id })).result.contacts
    await admin.post('/customer/update', {
      id,
      revision: 1,
      values: {
        paymentTerms: 'net60',
        salesman: support.id,
        creditLimit: '1234.5',
        contacts: [{ id: row.id, position: '经理' }],
      },
    })
    const { result } = await admin.get('/customer/history', { id }, { language: 'en-US' })
    expect(result.total).toBe(2)
    expect(result.list[0]).toMatchObject({
      action: 'update',
      label: { cn: '修改' },
      by: { name: '系统管理员' },
      at: expect.stringMatching(/^2026-03-15/),
    })
    // Editing a pending customer submits it again, possibly a second later.
    const changes = (result.list[0].changes as Record<string, string>[]).filter(
      ({ field }) => field !== 'submissionTime',
    )
    expect(changes.map(({ field, old, new: next }) => [field, old, next])).toEqual([
      ['salesman', '系统管理员', '用户support01'],
      ['paymentTerms', 'Net 30 days', 'Net 60 days'],
      ['creditLimit', '￥0.00', '￥1,234.50'],
      ['contacts', expect.stringContaining('李文'), expect.stringContaining('经理')],
    ])
    expect(result.list[1]).toMatchObject({ action: 'create' })
    await admin.post('/customer/delete', { id })
    expect((await admin.get('/customer/history', { id })).status).toBe(404)
  })
})

describe.skipIf(isRepeated())('stored changes of a record', () => {
  it("are worded in the reader's language, and masked like their fields, in every answer", async () => {
    const contact = { name: '李文', kind: ['hr'], mobile: '15411112222', primary: true }
    const id = await house.create('/customer', await customerValues(house, { name: '变更对照', contacts: [contact] }))
    const boss = await house.user('changesBoss', ['admin'])
    await boss.post('/customer/agree', { id })
    const before = (await admin.get('/customer/detail', { id })).result
    const classification = await house.create('/customer/customerClassification', { name: '对照分类' })
    const values = {
      corporateName: '变更对照（演示）股份公司',
      type: 'branch',
      classification,
      salesman: support.id,
      serviceTypes: ['dispatch', 'outsourcing'],
      creditLimit: '1234.5',
      consigneeMobile: '15400009999',
      contacts: [{ id: before.contacts[0].id, position: '经理', mobile: '15433334444' }],
    }
    expect(await admin.post('/customer/update', { id, revision: before.revision, values })).toMatchObject({ code: 1 })
    const words = (changes: { label: Record<string, string>; old: string; new: string }[], language: string) =>
      Object.fromEntries(changes.map(({ label, old, new: next }) => [label[language], [old, next]]))
    const english = (await admin.get('/customer/detail', { id }, { language: 'en-US' })).result.changedFields
    expect(words(english, 'en')).toEqual({
      'Customer type': ['Enterprise', 'Branch office'],
      'Corporate name': [before.corporateName, '变更对照（演示）股份公司'],
      'Customer classification': ['', '对照分类'],
      'Consignee mobile': ['15412345678', '15400009999'],
      Salesman: ['系统管理员', '用户support01'],
      'Service types': ['Labour dispatch', 'Labour dispatch, HR outsourcing'],
      'Credit limit': ['￥0.00', '￥1,234.50'],
      Contacts: [
        expect.stringContaining('李文 / HR / 15411112222'),
        expect.stringContaining('李文 / 经理 / HR / 15433334444'),
      ],
    })
    const clerk = await house.user('changesClerk', ['contractClerk'])
    const inList = (await clerk.get('/customer/list', { filters: { name: { equals: '变更对照' } } })).result.list[0]
      .changedFields
    const inJournal = (
      await clerk.get('/customer/customerApproval/list', { filters: { customer: { equals: id } }, sort: '-round' })
    ).result.list[0].changedFields
    for (const changes of [inList, inJournal]) {
      expect(words(changes, 'cn')).toMatchObject({
        客户类型: ['企业', '分公司'],
        业务员: ['系统管理员', '用户support01'],
        收件人手机: ['154****5678', '154****9999'],
      })
      expect(JSON.stringify(changes)).not.toMatch(/15400009999|15411112222|15433334444/)
    }
    const history = (await clerk.get('/customer/history', { id })).result.list[0].changes
    expect(history.map(({ field }: { field: string }) => field)).toEqual(
      expect.arrayContaining(['type', 'corporateName', 'contacts']),
    )
    expect(history.map(({ field }: { field: string }) => field)).not.toContain('changedFields')
    expect(JSON.stringify(history)).not.toMatch(/15400009999|15411112222|15433334444/)
    const sheetOf = async (path: string, language: string) => {
      const answer = await clerk.get(
        path,
        {
          fields: ['changedFields'],
          filters: path.endsWith('Approval/export') ? { customer: { equals: id } } : { name: { equals: '变更对照' } },
          sort: 'id',
        },
        { language },
      )
      const {
        sheets: [sheet],
      } = await readXlsx((answer as unknown as { raw: Buffer }).raw)
      return sheet.rows.flat().join('\n')
    }
    expect(await sheetOf('/customer/export', 'zh-CN')).toMatch(/业务员：系统管理员 → 用户support01/)
    expect(await sheetOf('/customer/customerApproval/export', 'en-US')).toMatch(
      /Customer type: Enterprise → Branch office/,
    )
    for (const path of ['/customer/export', '/customer/customerApproval/export'])
      expect(await sheetOf(path, 'zh-CN')).not.toMatch(/15400009999|15411112222|15433334444|#undefined|\{"/)
  })
})

describe.skipIf(isRepeated())('deleting', () => {
  it('is soft, and refused while a record refers to the deleted one', async () => {
    const agency = (await admin.get('/customer/agency/options', { search: 'J001' })).result.list[0].id
    expect(await admin.post('/customer/agency/delete', { id: agency })).toMatchObject({
      status: 409,
      message: '该数据已被使用，不能删除',
    })
    const values = await customerValues(house, {
      contacts: [{ name: '李文', kind: ['hr'], mobile: '15411112222', primary: true }],
    })
    const id = await house.create('/customer', values)
    const { code } = (await admin.get('/customer/detail', { id })).result
    expect(await admin.post('/customer/delete', { ids: [id, ids[0]] })).toMatchObject({
      code: 1,
      result: { succeeded: 1, failed: [{ id: ids[0], message: '当前状态不允许此操作' }] },
    })
    expect((await admin.get('/customer/detail', { id })).status).toBe(404)
    const { rows } = await sql<{
      n: number
    }>`select count(*) as n from "customerContact" where customer = ${id} and "deletedAt" is null`.execute(
      house.database.kysely,
    )
    expect(rows[0].n).toBe(0)
    const again = await house.create('/customer', { ...values, contacts: [] })
    expect((await admin.get('/customer/detail', { id: again })).result.code).not.toBe(code)
  })
})

describe.skipIf(isRepeated())('actions', () => {
  it('assign sets what is given and keeps the rest', async () => {
    const before = (await admin.get('/customer/detail', { id: ids[1] })).result
    expect(
      await admin.post('/customer/assign', { ids: [ids[1]], values: { salesman: support.id, agency: null } }),
    ).toMatchObject({ result: { succeeded: 1 } })
    const after = (await admin.get('/customer/detail', { id: ids[1] })).result
    expect(after).toMatchObject({
      salesman: { id: support.id },
      agency: before.agency,
      supportStaff: before.supportStaff,
      revision: before.revision + 1,
    })
    expect(await admin.post('/customer/assign', { id: ids[1], values: { salesman: 999_999 } })).toMatchObject({
      status: 422,
      errors: [{ field: 'salesman' }],
    })
    expect(await admin.post('/customer/assign', { id: ids[1], values: { name: 'x' } })).toMatchObject({
      status: 422,
      errors: [{ field: 'name', code: 'read-only' }],
    })
  })

  it('guards see what sums up other records', async () => {
    const department = await house.create('/setting/department', { name: '财务部' })
    const user = await house.user('finance01', ['support'], department)
    expect(await admin.post('/setting/department/disable', { id: department })).toMatchObject({
      status: 409,
      message: '部门或其下级内还有启用的用户，不能停用',
    })
    const { revision } = (await admin.get('/setting/user/detail', { id: user.id })).result
    await admin.post('/setting/user/update', {
      id: user.id,
      revision,
      values: { department: await house.findId('/setting/department', '总部') },
    })
    expect(await admin.post('/setting/department/disable', { id: department })).toMatchObject({ code: 1 })
    expect(
      await admin.post('/setting/user/disable', { id: await house.findId('/setting/user', 'admin') }),
    ).toMatchObject({
      status: 409,
      message: '当前状态不允许此操作',
    })
  })

  it('transitions respect their states and guards', async () => {
    const id = await house.create('/customer', await customerValues(house, { type: 'enterprise' }))
    expect(await admin.post('/customer/agree', { id })).toMatchObject({
      status: 409,
      message: '不能审核本人提交的客户',
    })
    expect(await admin.post('/customer/enable', { id })).toMatchObject({ status: 409, message: '当前状态不允许此操作' })
    const boss = await house.user('boss01', ['admin'])
    expect(await boss.post('/customer/agree', { id, revision: 7 })).toMatchObject({
      status: 409,
      message: '数据已被他人修改，请刷新后重试',
    })
    const both = await Promise.all([boss.post('/customer/agree', { id }), boss.post('/customer/agree', { id })])
    expect(both.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409])
    expect((await admin.get('/customer/detail', { id })).result).toMatchObject({
      approvalStatus: 'approved',
      accountStatus: 'enabled',
      approvalRounds: 2,
    })
  })
})

describe.skipIf(isRepeated())('an export', () => {
  it('contains what the list shows, typed, and texts never as formulas', async () => {
    const answer = await admin.get(
      '/customer/export',
      {
        screen: 'customer.list',
        sort: 'submissionTime',
        fields: ['name', 'type', 'agency', 'creditLimit', 'submissionTime', 'licenseImage'],
        ids: ids.join(','),
      },
      { language: 'en-US' },
    )
    expect(answer.status).toBe(200)
    expect(answer.headers['content-disposition']).toMatch(
      /^attachment; filename="Corporate customers_20260315\d{4}\.xlsx"; filename\*=UTF-8''Corporate%20customers_20260315\d{4}\.xlsx$/,
    )
    const {
      sheets: [sheet],
    } = await readXlsx((answer as unknown as { raw: Buffer }).raw)
    expect(sheet.rows[0]).toEqual(['Customer name', 'Customer type', 'Agency', 'Credit limit', 'Submission time'])
    expect(sheet.rows[1]).toEqual(['重庆银行', 'Enterprise', '自营机构', 100.1, expect.anything()])
    expect(sheet.rows[5][0]).toBe('="SUM(A1)"')
    expect(sheet.rows.length).toBe(6)
    const labelled = await admin.get('/customer/export', { screen: 'customer.list', fields: ['name', 'consigneeName'] })
    expect(
      (await readXlsx((labelled as unknown as { raw: Buffer }).raw)).sheets[0].rows[0],
      'a column has the label of the list, not of the field',
    ).toEqual(['客户名称', '联系人'])
    const chinese = await admin.get('/customer/export', {
      screen: 'customer.list',
      filters: { name: { contains: '银行' } },
    })
    expect(decodeURIComponent(String(chinese.headers['content-disposition']))).toContain('企业客户_20260315')
  })
})

it('reading in batches leaves out records deleted meanwhile', async () => {
  const made: number[] = []
  for (const name of ['先读的', '后读的']) made.push(await house.create('/customer/customerClassification', { name }))
  const { customerClassification } = house.runtime.derived.catalog.entities
  const batches = readBatches(house.context(), house.database.kysely, customerClassification, made, ['name'], 1)
  expect((await batches.next()).value).toMatchObject([{ id: made[0] }])
  expect(await admin.post('/customer/customerClassification/delete', { id: made[1] })).toMatchObject({ code: 1 })
  expect((await batches.next()).value).toEqual([])
})

it.skipIf(isRepeated())('the summary of a list is only for users who may open the list', async () => {
  const name = 'statement.list'
  const screen = house.runtime.derived.catalog.screens[name]
  const { permission } = screen
  const clerk = await house.user('settles', ['settlementClerk'])
  const codeFor = async (as: Client) => (await as.get('/settlement/statement/list', { summary: name, size: 1 })).code
  expect([await codeFor(clerk), await codeFor(admin)]).toEqual([1, 1])
  try {
    screen.permission = 'setting:role:edit'
    expect([await codeFor(clerk), await codeFor(admin)]).toEqual([403, 1])
    Object.assign(screen, { permission, roles: [['financeManager']] })
    expect([await codeFor(clerk), await codeFor(admin)]).toEqual([403, 1])
  } finally {
    Object.assign(screen, { permission, roles: undefined })
  }
})
