import { afterAll, beforeAll, expect, test } from 'vitest'
import { contracts, employee, employer, serviceValues, sign } from '../../../tests/contract.ts'
import { createTestServer, type TestServer } from '../../../tests/server.ts'
import { measureSaves } from './saves.ts'
import { isLong } from '../../../tests/long.ts'

let house: TestServer
beforeAll(async () => {
  house = await createTestServer()
})
afterAll(() => house?.close())

test.skipIf(!isLong)(
  'measures single and ten simultaneous form saves, each with history, effects and key',
  async () => {
    const { customer, agency } = await employer(house)
    const service = await house.create(contracts, serviceValues(customer, agency))
    await sign(house, service)
    for (let count = 0; count < 10; count++) await employee(house, { customer, agency, service })
    const url = await house.server.listen({ port: 0, host: '127.0.0.1' })
    const results = await measureSaves({ url, token: house.admin.token }, house.database.pool, 0.1)
    expect(results.map(({ name }) => name)).toEqual([
      'Form save, 1 at once: p50',
      'Form save, 1 at once: p95',
      'Form save, 10 at once: p50',
      'Form save, 10 at once: p95',
    ])
    for (const { ours, yardstick, samples } of results) {
      expect(ours).toBeGreaterThan(0)
      expect(yardstick!.value).toBeGreaterThan(0)
      expect(samples).toMatchObject({ ours: { failed: 0 }, bare: { failed: 0 } })
    }
    const count = async (text: string) => Number((await house.database.pool.query<{ n: string }>(text)).rows[0].n)
    const saved = await count(`select count(*) as n from system_request where operation = 'person.update'`)
    expect(saved).toBeGreaterThanOrEqual(11)
    for (const entity of ['person', 'employmentRecord'])
      expect(
        await count(
          `select count(*) as n from system_history where entity = '${entity}' and action = 'update' and changes->'fields' ? 'position'`,
        ),
        entity,
      ).toBe(saved)
  },
)
