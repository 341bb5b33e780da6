import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { differentEntities } from '../../../../tests/alike.ts'
import { isLong } from '../../../../tests/long.ts'
import { createTestServer, type Client, type TestServer } from '../../../../tests/server.ts'
import { uscc } from '../../../../tests/customer.ts'
import type { Entity, ScreenPlan } from '../../../model/model.ts'
import { may, mayOpen } from '../../identity/access.ts'
import type { SessionUser } from '../../SessionUser.ts'

let house: TestServer
let roles: { code: string; user: SessionUser; client: Client }[]
beforeAll(async () => {
  house = await createTestServer()
  await house.create('/setting/role', {
    code: 'homeOnly',
    name: '仅首页',
    functionPermissions: ['home:dashboard:view'],
    dataScope: 'all',
  })
  await house.create('/setting/role', {
    code: 'assigner',
    name: '仅分配',
    functionPermissions: ['customer:customer:assign'],
    dataScope: 'all',
  })
  const { list } = (await house.admin.get('/setting/role/list', { size: 100 })).result
  roles = []
  for (const { code, functionPermissions } of list as { code: string; functionPermissions: string[] }[]) {
    const client = await house.user(`as${code}`.slice(0, 20), [code])
    roles.push({
      code,
      client,
      user: {
        id: client.id,
        username: code,
        name: code,
        roles: [code],
        department: null,
        permissions: functionPermissions,
        dataScope: 'all',
      },
    })
  }
})
afterAll(() => house?.close())

const entities = () =>
  Object.values(house.runtime.derived.catalog.entities).filter(({ rowOf, engine }) => !rowOf && engine === undefined)
const roleOf = (code: string) => roles.find((role) => role.code === code)!
const known = new Map<string, Promise<number>>()
/** The status of the options of an entity, requested once for each user. */
function answers(client: Client, { endpoint }: Entity): Promise<number> {
  const key = `${client.token} ${endpoint}`
  if (!known.has(key))
    known.set(
      key,
      client.get(`${endpoint}/options`).then(({ status }) => status),
    )
  return known.get(key)!
}

describe('the options of references', () => {
  it('are refused to a user who has only the home page', async () => {
    const { client, user } = roleOf('homeOnly')
    const others = entities().filter((entity) => !may(user, entity.permissions.view))
    expect(others.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['customer', 'customerApproval', 'role', 'user', 'agency']),
    )
    for (const entity of others) expect([entity.name, await answers(client, entity)]).toEqual([entity.name, 403])
    expect(await client.get('/customer/options', { id: 1 })).toMatchObject({
      status: 403,
      message: '您没有操作权限，请向上级获取权限后再试！',
    })
  })

  it('follow the filter of a reference, and no other for users who may not view the records', async () => {
    const { filter } = house.runtime.derived.catalog.entities.payroll.fields.agency.options
    expect(filter).toEqual({ kind: 'own' })
    const agency = { cities: ['310100'], taxpayerKind: 'general' }
    await house.create('/customer/agency', { ...agency, code: 'J101', name: '自营', kind: 'own', uscc: uscc(90_001) })
    await house.create('/customer/agency', {
      ...agency,
      code: 'J102',
      name: '合作',
      kind: 'partner',
      uscc: uscc(90_002),
    })
    const { client } = roleOf('assigner')
    const offered = async (filters: unknown, as: Client) => {
      const { code, result } = await as.get('/customer/agency/options', { filters })
      return code === 1 ? result.list.map(({ name }: { name: string }) => name) : code
    }
    // In the form of the schema file, and in the form that clients send.
    for (const filterForm of [filter, { kind: { equals: 'own' } }])
      expect(await offered(filterForm, client)).toEqual(['自营'])
    expect(await offered(undefined, client)).toEqual(['合作', '自营'])
    expect(await offered({ uscc: { contains: '9' } }, client)).toBe(403)
    expect(await offered({ code: { contains: '102' } }, house.admin)).toEqual(['合作'])
    expect(await offered([], house.admin)).toBe(422)
  })

  it('can be narrowed to those that a reference offers first: salesmen, by their roles', async () => {
    const { offersFirst } = house.runtime.derived.catalog.entities.customer.fields.salesman.options
    const { client } = roleOf('assigner')
    const names = async (filters: unknown, as: Client) => {
      const { code, result } = await as.get('/setting/user/options', { filters })
      return code === 1 ? result.list.map(({ name }: { name: string }) => name) : code
    }
    expect(await names(offersFirst, client)).toEqual(['用户assales'])
    expect((await names(undefined, client)).length).toBeGreaterThan(10)
    // No client filters on its own by what a reference points at.
    expect(await names({ roles: { where: { code: 'support' } } }, client)).toEqual(['用户assupport'])
    expect(await names({ roles: { where: { code: 'admin' } } }, client)).toBe(403)
    expect(await names({ roles: { where: { code: 'admin' } } }, house.admin)).toBe(422)
  })

  it("cover what the user's own form needs, and no more", async () => {
    const { client } = roleOf('assigner')
    const open = []
    for (const entity of entities()) if ((await answers(client, entity)) === 200) open.push(entity.name)
    expect(open.sort()).toEqual(['agency', 'user'])
  })

  it('of every preset role: a user who may view records may choose among them', async () => {
    const seen = new Set<Entity>()
    const different = new Set(differentEntities(house.runtime.derived.catalog))
    for (const { code, user, client } of roles) {
      const viewed = entities().filter((entity) => different.has(entity) && may(user, entity.permissions.view))
      // In the short form each role requests what no other has, or else for one.
      const queried = isLong
        ? viewed
        : [...viewed.slice(0, 1), ...viewed.slice(1).filter((entity) => !seen.has(entity))]
      for (const entity of queried) {
        seen.add(entity)
        expect([code, entity.name, await answers(client, entity)]).toEqual([code, entity.name, 200])
      }
    }
  })

  it('of every preset role: roles, approvals and other unrelated records stay closed', async () => {
    for (const { code, user, client } of roles) {
      if (!may(user, 'setting:role:view') && !may(user, 'setting:user:view') && !may(user, 'setting:user:edit')) {
        expect([code, (await client.get('/setting/role/options')).status]).toEqual([code, 403])
      }
      if (!may(user, 'customer:customer:view')) {
        expect([code, (await client.get('/customer/customerApproval/options')).status]).toEqual([code, 403])
        // A user who sees records that refer to customers may filter them by customer.
        const { entities } = house.runtime.derived.catalog
        const refers = Object.values(entities).some(
          (entity) =>
            may(user, entity.permissions.view) &&
            Object.values(entity.fields).some(
              (field) => house.runtime.derived.target(field)?.entity.name === 'customer',
            ),
        )
        if (!refers) expect([code, (await client.get('/customer/options')).status]).toEqual([code, 403])
      }
    }
  })

  it('of every preset role: every reference on a screen that the role opens can be chosen', async () => {
    const { catalog } = house.runtime.derived
    const named = (screen: ScreenPlan): string[] => {
      const bodies = [screen, ...Object.values(screen.variants?.plans ?? {})].map(
        ({ body }) => body as { filters?: { field: string }[]; sections?: { fields: { field: string }[] }[] },
      )
      return bodies
        .flatMap(({ filters, sections }) => [
          ...(filters ?? []),
          ...(screen.kind === 'form' ? (sections ?? []) : []).flatMap(({ fields }) => fields),
        ])
        .map(({ field }) => field)
    }
    let requests = 0
    for (const { code, user, client } of roles) {
      for (const screen of Object.values(catalog.screens)) {
        if (!screen.entity || !mayOpen(user, screen)) continue
        for (const name of named(screen)) {
          const field = catalog.entities[screen.entity].fields[name]
          const target = field && house.runtime.derived.target(field)
          if (!target || target.rows) continue
          expect([code, screen.name, name, await answers(client, target.entity)]).toEqual([
            code,
            screen.name,
            name,
            200,
          ])
          requests++
        }
      }
    }
    expect(requests).toBeGreaterThan(50)
  })
})
