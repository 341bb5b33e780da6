import { expect, it } from 'vitest'
import { customerValues } from '../../../../tests/customer.ts'
import { type Client, createTestServer } from '../../../../tests/server.ts'

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
