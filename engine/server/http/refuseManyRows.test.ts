import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestServer, type TestServer } from '../../../tests/server.ts'
import type { Entity, Field } from '../../model/model.ts'

let house: TestServer
beforeAll(async () => {
  house = await createTestServer()
})
afterAll(() => house?.close())

/** Paths that take values of these entities → the fields of rows in them. */
function* taking(): Generator<[string, string, Entity, Field]> {
  for (const [path, { entity, kind, method }] of house.runtime.derived.operations) {
    if (method !== 'POST' || !['create', 'update', 'suggest'].includes(kind)) continue
    for (const field of Object.values(entity.fields))
      if (house.runtime.derived.target(field)?.rows) yield [path.replace('POST ', ''), kind, entity, field]
  }
}
const maxOf = (field: Field): number => house.runtime.derived.target(field)!.rows!.max
const manyOf = (field: Field, row: object = {}) => Array.from({ length: maxOf(field) + 1 }, () => row)

test('every field of rows has a limit, which is checked before anything else', async () => {
  const tried = new Set<string>()
  for (const [path, kind, entity, field] of taking()) {
    const values = { [field.name]: manyOf(field) }
    const request = kind === 'suggest' ? { values, typed: [], parameters: {} } : { values, id: 1, revision: 1 }
    const { status, errors } = await house.admin.post(path, request)
    expect({ path, field: field.name, status, errors }).toMatchObject({
      status: 422,
      errors: [{ field: field.name, code: 'max', message: expect.stringContaining(String(maxOf(field))) }],
    })
    tried.add(`${entity.name}.${field.name}`)
  }
  expect([...tried]).toEqual(expect.arrayContaining(['contract.feeRules', 'customer.contacts', 'parameter.lawRates']))
})

test('so have rows within rows, and values of an action', async () => {
  const { contract, contractFeeRule, receipt } = house.runtime.derived.catalog.entities
  const tiers = manyOf(contractFeeRule.fields.tiers)
  const values = { [contract.fields.feeRules.name]: [{}, { tiers }] }
  expect((await house.admin.post('/contract/contract/create', { values })).errors).toMatchObject([
    { field: 'feeRules.1.tiers', code: 'max' },
  ])
  const matches = manyOf(receipt.fields.matches)
  const action = await house.admin.post('/settlement/receipt/match', { id: 1, values: { matches } })
  expect(action.errors).toMatchObject([{ field: 'matches', code: 'max' }])
})

test('all rows of a record together have a limit, too', async () => {
  const { policy, policyItem } = house.runtime.derived.catalog.entities
  const items = Object.values(policy.fields).filter((field) => field.options.entity === policyItem.name)
  const rowsIn = Object.values(policyItem.fields).filter((field) => house.runtime.derived.target(field)?.rows)
  const item = Object.fromEntries(rowsIn.map((field) => [field.name, Array.from({ length: maxOf(field) }, () => ({}))]))
  const values = Object.fromEntries(items.map(({ name }) => [name, Array.from({ length: 100 }, () => item)]))
  const answer = await house.admin.post('/welfare/policy/create', { values })
  expect(answer.errors).toEqual([expect.objectContaining({ code: 'max', message: '表格合计最多3000行' })])
})
