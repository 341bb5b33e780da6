import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from 'kysely'
import { contracts, employee, employer, serviceValues, sign } from '../../../tests/contract.ts'
import { paid } from '../../../tests/salary/salary.ts'
import { type Client, createTestServer, type TestServer } from '../../../tests/server.ts'
import type { Procedure } from '../runtime.ts'
import type { RecordData, Value } from '../../model/model.ts'

type User = Client & { id: number }

describe('the values that procedures get from a form', () => {
  let house: TestServer
  let clerk: User
  /** The latest call of the procedures. */
  let lastCall: Parameters<Procedure>[0]
  beforeAll(async () => {
    house = await createTestServer()
    await house.create('/setting/role', {
      code: 'ownClerk',
      name: '专员',
      dataScope: 'self',
      functionPermissions: ['staff:*:*', 'salary:*:*', 'settlement:*:*'],
    })
    clerk = await house.user('ownClerk', ['ownClerk'])
    const { suggestLetter } = house.runtime.procedures
    const hear = (call: typeof lastCall) => {
      lastCall = call
      return Promise.resolve({ values: {} })
    }
    Object.assign(house.runtime.procedures, {
      suggestPayBatch: hear,
      suggestInvoice: hear,
      suggestLetter: (call: typeof lastCall) => hear(call).then(() => suggestLetter(call)),
    })
  })
  afterAll(() => house?.close())

  const suggest = async (
    path: string,
    values: Record<string, Value>,
    {
      id,
      typed = [],
      parameters = {},
      as = clerk,
    }: { id?: number; typed?: string[]; parameters?: Record<string, string>; as?: Client } = {},
  ) => {
    const answer = await as.post(`${path}/suggest`, { ...(id && { id }), values, typed, parameters })
    expect(answer, JSON.stringify(answer)).toMatchObject({ code: 1 })
    return answer.result.values as RecordData
  }
  async function person(owner?: number): Promise<number> {
    const at = await employer(house, owner === undefined ? {} : { supportStaff: owner })
    const service = await house.create(contracts, serviceValues(at.customer, at.agency))
    await sign(house, service, '2026-01-01')
    return (await employee(house, { customer: at.customer, agency: at.agency, service, name: '林不宣' })).id
  }

  it('contain only references that the user may see, and reveal nothing about others', async () => {
    await house.create('/staff/certificate', {
      name: '在职',
      proofType: 'onJob',
      language: 'zh',
      sealType: 'hr',
      content: '<p>{{person.name}}</p>',
    })
    const [own, other] = [await person(clerk.id), await person()]
    const values = (id: number) => ({ person: id, proofType: 'onJob', language: 'zh', purpose: '办理贷款' })
    expect((await suggest('/staff/proof', values(own), { typed: ['person'] })).content).toContain('林不宣')
    expect(JSON.stringify(await suggest('/staff/proof', values(other), { typed: ['person'] }))).not.toContain('林不宣')
    expect(lastCall.values).toMatchObject({ person: null, proofType: 'onJob' })
    expect((await suggest('/staff/proof', values(other), { as: house.admin })).content).toContain('林不宣')
    await sql`update person set "deletedAt" = now() where id = ${own}`.execute(house.database.kysely)
    await suggest('/staff/proof', values(own))
    expect(lastCall.values.person).toBeNull()
  })

  it('contain only visible ones of several references, in parameters, form and rows', async () => {
    const [own, other] = [await paid(house, {}, { values: { supportStaff: clerk.id } }), await paid(house)]
    await suggest(
      '/salary/payBatch',
      { payrolls: [own.payroll, other.payroll] },
      { parameters: { payrolls: `${other.payroll},${own.payroll}`, type: 'add' } },
    )
    expect([lastCall.values.payrolls, lastCall.form?.parameters]).toEqual([
      [own.payroll],
      { payrolls: String(own.payroll), type: 'add' },
    ])
    const statement = async (customer: number): Promise<number> => {
      const {
        rows: [{ id }],
      } = await sql<{
        id: number
      }>`insert into statement (customer, "createdAt", "updatedAt") values (${customer}, now(), now()) returning id`.execute(
        house.database.kysely,
      )
      return id
    }
    const [seen, unseen] = [await statement(own.customer), await statement(other.customer)]
    await suggest('/settlement/invoice', {
      customer: own.customer,
      allocations: [
        { statement: seen, amount: '1.00' },
        { statement: unseen, amount: '2.00' },
      ],
    })
    expect(lastCall.values).toMatchObject({
      customer: own.customer,
      allocations: [
        { statement: seen, amount: '1.00' },
        { statement: null, amount: '2.00' },
      ],
    })
  })

  it('an action accepts no records that the user may not see', async () => {
    const [own, other] = [await paid(house, {}, { values: { supportStaff: clerk.id } }), await paid(house)]
    const generate = (customers: number[]) =>
      clerk.post('/settlement/statement/generate', {
        values: { billMonth: '2026-03', wageMonth: '2026-02', insuranceMonth: '2026-03', customers },
      })
    expect(await generate([own.customer, other.customer])).toMatchObject({
      code: 422,
      errors: [{ field: 'customers', code: 'reference' }],
    })
    expect(await generate([own.customer])).not.toMatchObject({ code: 422 })
  })
})
