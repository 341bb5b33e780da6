/** In the long form: the journeys and the other database make such a demo in every run. */
import { expect, test } from 'vitest'
import { isLong } from '../../tests/long.ts'
import { createTestServer } from '../../tests/server.ts'
import { fillDemo } from './fillDemo.ts'

test.skipIf(!isLong).each([1, 3, 14, 18, 27, 40])(
  'fills a demo of %i customers, and uploads the files for existing records',
  async (customers) => {
    const house = await createTestServer()
    try {
      await fillDemo(house.context(), { customers, months: 3 }, { onePassword: true })
      const { rows } = await house.database.pool.query<{ n: number }>('select count(*)::integer as n from customer')
      expect(rows[0].n).toBeGreaterThanOrEqual(customers)
    } finally {
      await house.close()
    }
  },
)
