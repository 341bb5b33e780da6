import { afterAll, beforeAll, expect, test } from 'vitest'
import { contracts, employee, employer, serviceValues, sign } from '../../tests/contract.ts'
import { createTestServer, type TestServer } from '../../tests/server.ts'
import { runDaily } from './daily.ts'

let house: TestServer
const query = (text: string, values: unknown[] = []) => house.database.pool.query(text, values)
const yesterday = () => query('update system_daily set day = \'2026-03-14\'')
const status = async (id: number) => (await house.admin.get('/staff/person/detail', { id })).result.employmentStatus

beforeAll(async () => { house = await createTestServer() })
afterAll(() => house?.close())

test('once a day the system does what entities say: who was to come has come, who was to leave has left, and what is near is told', async () => {
  const { customer, agency } = await employer(house)
  const service = await house.create(contracts, serviceValues(customer, agency, { startDate: '2026-01-01', endDate: '2026-05-14' }))
  await sign(house, service, '2026-01-05')
  const [joiner, later, leaver] = [await employee(house, { customer, agency, service }), await employee(house, { customer, agency, service }), await employee(house, { customer, agency, service })].map(({ id }) => id)
  await query('update person set "employmentStatus" = \'pending\', "entryDate" = case when id = $1 then date \'2026-03-15\' else date \'2026-03-20\' end where id in ($1, $2)', [joiner, later])
  await query('update person set "employmentStatus" = \'leaving\', "leaveDate" = \'2026-03-14\', "leaveReason" = \'resignation\' where id = $1', [leaver])
  const told = async () => (await query('select title->>\'cn\' as title from message where type = \'contractExpiring\'')).rows.map(({ title }) => title)

  await runDaily(house.runtime)
  expect(await status(joiner), 'a new database begins with the next day').toBe('pending')
  await yesterday()
  // Several processes look at the same time.
  await Promise.all([runDaily(house.runtime), runDaily(house.runtime)])
  expect([await status(joiner), await status(later), await status(leaver)]).toEqual(['active', 'pending', 'left'])
  expect(await told()).toEqual([expect.stringContaining('合同即将到期：')])
  expect((await query('select action, user_id from system_history where entity = \'person\' and record_id = $1 order by id desc limit 1', [joiner])).rows).toEqual([{ action: 'onboard', user_id: null }])

  await query('update person set "employmentStatus" = \'pending\' where id = $1', [joiner])
  await runDaily(house.runtime)
  expect([await status(joiner), await told()], 'no second time on the same day').toEqual(['pending', [expect.any(String)]])
})
