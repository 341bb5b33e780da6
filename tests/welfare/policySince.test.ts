/** A policy that came into force while a ticket was handled still reaches the enrolment, whatever happens to that. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { adjustingHouse, done, family, type AdjustingHouse } from './adjusting.ts'
import { isLong } from '../long.ts'

let all: AdjustingHouse
beforeEach(async () => {
  all = await adjustingHouse()
  all.on('2026-03-10')
})
afterEach(() => all?.house.close())

async function enrolled(declaredBase: string): Promise<{ id: number; addition: number }> {
  const { id } = await all.person()
  const { result } = done(await all.add(family, { person: id, declaredBase }))
  done(await all.call(`${family}Addition`, 'succeed', result.id, { handleMonth: '2026-03' }))
  return { id, addition: result.id }
}

async function generate(feeMonth: string, { locks = false } = {}): Promise<void> {
  done(await all.house.admin.post(`/welfare/${family}ExpenseSummary/generate`, { values: { feeMonth } }))
  if (!locks) return
  const found = (await all.house.admin.get(`/welfare/${family}ExpenseSummary/list`, { size: 100 })).result.list
  for (const { id } of found as { id: number }[]) done(await all.call(`${family}ExpenseSummary`, 'confirm', id))
}
const charged = async (person: number): Promise<unknown[]> =>
  (await all.list(`${family}ExpenseLine`, person)).map(({ belongMonth, expenseType, companyTotal, personalTotal }) => [
    belongMonth,
    expenseType,
    companyTotal,
    personalTotal,
  ])
async function reduce(person: number): Promise<void> {
  const values = { person, reductionReason: 'resign', lastMonth: '2026-03', leaveDate: '2026-03-31' }
  const { result } = done(await all.create(`${family}Reduction`, values))
  done(await all.call(`${family}Reduction`, 'succeed', result.id, { handleMonth: '2026-04' }))
}

test.skipIf(!isLong)(
  "a policy's adjustment is handled after the reduction, like one that the policy found reduced",
  async () => {
    const [before, after] = [await enrolled('7000'), await enrolled('7000')]
    await generate('2026-03', { locks: true })
    all.on('2026-04-02')
    await reduce(before.id)
    await all.reviseFloor(all.policies.social, '2026-03', '9000')
    await reduce(after.id)
    const [ticket] = await all.list(`${family}Adjustment`, after.id)
    done(await all.call(`${family}Adjustment`, 'succeed', ticket.id!, { handleMonth: '2026-04' }))
    const lines = [
      ['2026-03', 'normal', '1183.00', '595.00'],
      ['2026-03', 'difference', '338.00', '170.00'],
    ]
    expect(await charged(before.id)).toEqual(lines)
    expect(await charged(after.id)).toEqual(lines)
  },
)

test.skipIf(!isLong)(
  'a policy that waits in an open adjustment reaches an enrolment that has ended meanwhile',
  async () => {
    const { id } = await enrolled('7000')
    const values = { person: id, adjustType: 'midyear', effectiveMonth: '2026-03', newBase: '8000' }
    const { result } = done(await all.create(`${family}Adjustment`, values))
    await generate('2026-03', { locks: true })
    all.on('2026-04-02')
    const policy = await all.reviseFloor(all.policies.social, '2026-03', '9000')
    await reduce(id)
    done(await all.call(`${family}Adjustment`, 'cancel', result.id))
    expect(await charged(id)).toEqual([
      ['2026-03', 'normal', '1183.00', '595.00'],
      ['2026-03', 'difference', '338.00', '170.00'],
    ])
    expect((await all.list(`${family}Enrolment`, id))[0]).toMatchObject({ policy: { id: policy }, status: 'stopped' })
  },
)

test.skipIf(!isLong)('an addition that is revoked takes over the policy, whose idle adjustment goes', async () => {
  const [waits, follows] = [await enrolled('7000'), await enrolled('12000')]
  const policy = await all.reviseFloor(all.policies.social, '2026-03', '9000')
  const [ticket] = await all.list(`${family}Adjustment`, waits.id)
  expect(ticket).toMatchObject({ status: 'pending', source: 'policy' })
  for (const { id, addition } of [waits, follows]) {
    done(await all.call(`${family}Addition`, 'revoke', addition))
    expect((await all.list(`${family}Addition`, id))[0]).toMatchObject({ status: 'processing', policy: { id: policy } })
    expect((await all.list(`${family}Enrolment`, id))[0]).toMatchObject({ status: 'opening', policy: { id: policy } })
    done(await all.call(`${family}Addition`, 'succeed', addition, { handleMonth: '2026-03' }))
  }
  expect((await all.list(`${family}Adjustment`, waits.id)).map(({ status }) => status)).toEqual(['cancelled'])
  await generate('2026-03')
  expect(await charged(waits.id)).toEqual([['2026-03', 'normal', '1521.00', '765.00']])
  expect(await charged(follows.id)).toEqual([['2026-03', 'normal', '2028.00', '1020.00']])
})
