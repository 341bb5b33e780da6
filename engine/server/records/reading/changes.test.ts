import { expect, it } from 'vitest'
import type { RecordData } from '../../../model/model.ts'
import { customerValues } from '../../../../tests/customer.ts'
import { type Client, createTestServer } from '../../../../tests/server.ts'
import { equalityKey, isEqual } from './canonical.ts'
import { changeTexts } from './changes.ts'

it('history masks the old and new value of a sensitive reference like the record does', async () => {
  const house = await createTestServer({
    change(catalog) {
      catalog.entities.customer.fields.supportStaff.sensitive = true
      return catalog
    },
  })
  try {
    await house.create('/setting/role', {
      code: 'blind',
      name: '不看敏感',
      functionPermissions: ['customer:customer:view'],
      dataScope: 'all',
    })
    const blind = await house.user('blind01', ['blind'])
    const id = await house.create('/customer', await customerValues(house))
    const { name } = (await house.admin.get('/customer/detail', { id })).result.supportStaff
    const loggedValue = async (as: Client = blind) => {
      const { result } = await as.get('/customer/history', { id })
      return result.list[0].changes.find(({ field }: { field: string }) => field === 'supportStaff').new
    }
    expect(await loggedValue(house.admin)).toContain(name)
    expect((await blind.get('/customer/detail', { id })).result.supportStaff).toBe(await loggedValue())
  } finally {
    await house.close()
  }
})

it('of many rows describes those that differ, up to a limit, reading each a few times', async () => {
  const house = await createTestServer()
  try {
    const context = house.context()
    const { contract, contractFeeRule } = context.derived.catalog.entities
    let reads = 0
    const rowsFrom = (first: number): RecordData[] =>
      Array.from({ length: 300 }, (_, index) => ({
        id: first + index,
        get effectiveFrom() {
          reads++
          return '2026-01'
        },
      }))
    const change = { [contract.fields.feeRules.name]: [rowsFrom(0), rowsFrom(100)] } as never
    const [[{ old, new: next }]] = await changeTexts(context, house.database.kysely, contract, [change])
    expect(contractFeeRule.fields.effectiveFrom).toBeDefined()
    expect([old, next].map((text) => text.split('\n').length)).toEqual([51, 51])
    expect([old, next].map((text) => text.split('\n').at(-1))).toEqual(['另有50行', '另有50行'])
    expect(reads).toBeLessThan(600 * 10)
  } finally {
    await house.close()
  }
})

it('compares rows by a key that is the same exactly for equal values', () => {
  const values = [
    null,
    undefined,
    [],
    '',
    '1',
    1,
    true,
    {},
    { a: null },
    { a: [] },
    { a: 1, b: [null] },
    { b: [undefined], a: 1 },
  ]
  const all = [...values, [1], ['1'], [[1]], { a: { b: '"' } }, { a: { b: '' } }, '{}', { a: '1' }, [null], [[]]]
  for (const left of all)
    for (const right of all)
      expect(equalityKey(left) === equalityKey(right), JSON.stringify([left, right])).toBe(isEqual(left, right))
})
