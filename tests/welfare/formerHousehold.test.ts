/** Months before a change of the household type: what was decided by hand in them, and more than one change. */
import { afterEach, expect, test } from 'vitest'
import type { RecordData, Value } from '../../engine/model/model.ts'
import { policyRows } from '../welfare.ts'
import { adjustingHouse, adjustingIn, done, family, type AdjustingHouse } from './adjusting.ts'
import { handlingHouse } from './handled.ts'
import { changeHousehold, policyForType, withoutAdjustments } from './households.ts'

let all: AdjustingHouse
afterEach(() => all?.house.close())

const linesOf = async (person: number, of: string) => (await all.lines(person, of)).toSorted()

/** Somebody whose locked March was decided by hand, 8.64 above 1,732.54, and who is insured as another type since. */
async function decidedBefore(): Promise<number> {
  all = await adjustingHouse()
  await policyForType(all, { type: 'localRural', floor: '9000' })
  const [{ person }] = [await all.enrolled(family), await all.enrolled(family)]
  await all.generate('2026-03')
  const [line] = await all.list(`${family}ExpenseLine`, person.id)
  const amounts = ['pension', 'unemployment'].flatMap((item) => [`${item}Company`, `${item}Personal`])
  const names = [...amounts, 'workInjuryCompany', 'maternityCompany']
  const decided = {
    ...Object.fromEntries(names.map((name) => [name, line[name] as Value])),
    pensionCompany: '1100.00',
    adjustReason: '按局里核定',
  }
  done(await all.call(`${family}ExpenseLine`, 'adjust', line.id!, decided))
  await all.summaries('2026-03', 'confirm')
  all.on('2026-05-10')
  await changeHousehold(all, person.id, 'localRural')
  const [ticket] = await all.list(`${family}Adjustment`, person.id)
  done(await all.call(`${family}Adjustment`, 'succeed', ticket.id!, { handleMonth: '2026-05' }))
  return person.id
}
const decided = '2026-03 2026-03 normal 1741.18'

test('a version that comes late makes the difference to what was decided by hand', async () => {
  const person = await decidedBefore()
  await all.reviseFloor(all.policies.social, '2026-03', '7000')
  expect(await linesOf(person, family)).toEqual([decided, '2026-03 2026-05 difference 36.82'])
})

test('one that changes nothing of what is due leaves it as it is', async () => {
  const person = await decidedBefore()
  await all.revisePolicy(all.policies.social, { effectiveFrom: '2026-03', handleRule: '<p>20日前提交</p>' })
  expect(await linesOf(person, family)).toEqual([decided])
})

test('the difference is paid in a month that is open for the account of then', async () => {
  const person = await decidedBefore()
  await all.generate('2026-05')
  const { list } = (await all.house.admin.get(`/welfare/${family}ExpenseSummary/list`, { size: 100 })).result
  const [former] = await all.list(`${family}ExpenseLine`, person)
  const idOf = (value: unknown) => (value as RecordData).id
  for (const { id, account, feeMonth } of list as RecordData[])
    if (feeMonth === '2026-05' && idOf(account) === idOf(former.account))
      done(await all.call(`${family}ExpenseSummary`, 'confirm', id!))
  await all.reviseFloor(all.policies.social, '2026-03', '7000')
  expect((await linesOf(person, family)).filter((line) => line.includes('difference'))).toEqual([
    '2026-03 2026-06 difference 36.82',
  ])
})

const medical = 'medicalinsurance'
const generate = async (months: readonly string[]) => {
  for (const feeMonth of months)
    done(await all.house.admin.post(`/welfare/${medical}ExpenseSummary/generate`, { values: { feeMonth } }))
}
async function lockMedical(): Promise<void> {
  const { list } = (await all.house.admin.get(`/welfare/${medical}ExpenseSummary/list`, { size: 100 })).result
  for (const { id } of list as RecordData[]) done(await all.call(`${medical}ExpenseSummary`, 'confirm', id!))
}
/** Somebody in a family without adjustments, with floors of 6,821, 9,000 and 12,000 by type; ten percent are paid. */
async function moving(): Promise<{ person: number; addition: number; becomes: (type: string) => Promise<void> }> {
  all = adjustingIn(await handlingHouse({ change: withoutAdjustments(medical) }))
  await policyForType(all, { type: 'localRural', floor: '9000' })
  await policyForType(all, { type: 'otherUrban', floor: '12000' })
  const { person, addition } = await all.enrolled(medical)
  return { person: person.id, addition, becomes: (type) => changeHousehold(all, person.id, type) }
}
const april = ['2026-03', '2026-04']
const june = [...april, '2026-05', '2026-06']

test('without adjustments, each month stays under the policy of then, however often the type changes', async () => {
  const { person, becomes } = await moving()
  for (const [day, type] of [
    ['2026-04-10', 'localRural'],
    ['2026-05-10', 'otherUrban'],
    ['2026-06-10', 'localUrban'],
  ]) {
    all.on(day)
    await becomes(type)
  }
  await generate(june)
  expect(await linesOf(person, medical)).toEqual([
    '2026-03 2026-03 normal 682.10',
    '2026-04 2026-04 normal 900.00',
    '2026-05 2026-05 normal 1200.00',
    '2026-06 2026-06 normal 682.10',
  ])
})

test('a type that lasts for no month is not one of a month', async () => {
  const { person, becomes } = await moving()
  all.on('2026-04-10')
  await becomes('localRural')
  await becomes('otherUrban')
  await generate(april)
  expect(await linesOf(person, medical)).toEqual(['2026-03 2026-03 normal 682.10', '2026-04 2026-04 normal 1200.00'])
})

test('a version that comes late for one of them applies to its months, also those that are locked', async () => {
  const { person, becomes } = await moving()
  await generate(['2026-03'])
  await lockMedical()
  for (const [day, type] of [
    ['2026-04-10', 'localRural'],
    ['2026-05-10', 'otherUrban'],
  ]) {
    all.on(day)
    await becomes(type)
  }
  await generate(['2026-04', '2026-05'])
  const items = policyRows(all.house, medical, { baseFloor: '7000', baseCeiling: '36000' }) as Value
  await all.revisePolicy(all.policies.social, { effectiveFrom: '2026-03', [`${medical}Items`]: items })
  expect(await linesOf(person, medical)).toEqual([
    '2026-03 2026-03 normal 682.10',
    '2026-03 2026-05 difference 17.90',
    '2026-04 2026-04 normal 900.00',
    '2026-05 2026-05 normal 1200.00',
  ])
})

test('an addition that is undone starts over with the type of its person', async () => {
  const { person, addition, becomes } = await moving()
  all.on('2026-04-10')
  await becomes('localRural')
  all.on('2026-05-10')
  await becomes('otherUrban')
  done(await all.call(`${medical}Addition`, 'revoke', addition))
  done(await all.call(`${medical}Addition`, 'succeed', addition, { handleMonth: '2026-03' }))
  await generate(april)
  expect(await linesOf(person, medical)).toEqual(['2026-03 2026-03 normal 1200.00', '2026-04 2026-04 normal 1200.00'])
})
