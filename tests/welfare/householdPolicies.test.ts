/** Versions of policies around the change of a household type, and types that no other policy is for. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { done } from './adjusting.ts'
import { adjustment, general, householdHouse, special, type HouseholdHouse } from './householdHouse.ts'
import { policyForType } from './households.ts'

let all: HouseholdHouse
beforeEach(async () => {
  all = await householdHouse()
})
afterEach(() => all?.house.close())

test('later versions of either policy apply to the months under it', async () => {
  const { person } = await all.enrolledWith()
  all.on('2026-04-10')
  await all.becomes(person, 'localRural')
  const [ticket] = await all.adjustments(person)
  // The open ticket follows a version from its month on.
  const second = await all.reviseFloor(all.rural, '2026-04', '9200')
  expect(await all.detail(adjustment, ticket.id!)).toMatchObject({ policy: { id: second }, pensionBase: '9200.00' })
  await all.handle(ticket, '2026-04')
  const third = await all.reviseFloor(second, '2026-06', '10000')
  const [, version] = await all.adjustments(person)
  expect(version).toMatchObject({ policy: { id: third }, effectiveMonth: '2026-06', householdType: null })
  await all.handle(version, '2026-04')
  all.on('2026-06-10')
  for (const month of ['2026-03', '2026-04', '2026-05', '2026-06']) await all.generate(month)
  const due = [
    `2026-03 2026-03 normal ${general}`,
    '2026-04 2026-04 normal 2336.80',
    '2026-05 2026-05 normal 2336.80',
    '2026-06 2026-06 normal 2540.00',
  ]
  expect(await all.lines(person)).toEqual(due)
  await all.reviseFloor(all.policies.social, '2026-05', '20000')
  for (const month of ['2026-03', '2026-04', '2026-05', '2026-06']) await all.generate(month)
  expect(await all.adjustments(person)).toHaveLength(2)
  expect(await all.lines(person)).toEqual(due)
})

test('a version that comes late for months before the change applies to them at once', async () => {
  const [{ person }, waits] = [await all.enrolledWith(), await all.enrolledWith()]
  await all.generate('2026-03')
  await all.summaries('2026-03', 'confirm')
  all.on('2026-05-10')
  for (const month of ['2026-04', '2026-05']) await all.generate(month)
  for (const who of [person, waits.person]) await all.becomes(who, 'localRural')
  await all.handle((await all.adjustments(person))[0], '2026-05')
  await all.reviseFloor(all.policies.social, '2026-03', '7000')
  // The floor is 179 higher, of which the company pays 16.9 % and the person 8.5 %.
  const due = [
    `2026-03 2026-03 normal ${general}`,
    '2026-04 2026-04 normal 1778.00',
    `2026-05 2026-05 normal ${special}`,
    '2026-03 2026-05 difference 45.46',
  ]
  expect((await all.lines(person)).toSorted()).toEqual(due.toSorted())
  expect(await all.adjustments(person)).toHaveLength(1)
  // The open ticket keeps that of the version from being made, and brings it for the months before.
  const [ticket, ...more] = await all.adjustments(waits.person)
  expect(more).toEqual([])
  await all.handle(ticket, '2026-05')
  expect((await all.lines(waits.person)).toSorted()).toEqual(due.toSorted())
  done(await all.call(adjustment, 'revoke', ticket.id!))
  expect((await waits.now()).householdType).toBe('localUrban')
})

test('where the same policy applies, nothing is to be done; a policy that comes for it later finds the person', async () => {
  const { person, now } = await all.enrolledWith()
  await all.becomes(person, 'otherRural')
  expect(await all.adjustments(person)).toEqual([])
  expect(await all.messagesTo(person)).toEqual([])
  expect(await now()).toMatchObject({ householdType: 'otherRural', total: general })
  const later = await policyForType(all, { type: 'otherRural', floor: '8000', effectiveFrom: '2026-05' })
  expect(await all.adjustments(person)).toMatchObject([{ effectiveMonth: '2026-05', policy: { id: later } }])
})

test('nothing is to be done without a policy for the new type, until one comes into force', async () => {
  const { person, now } = await all.enrolledWith({ householdType: 'localRural' })
  await all.revisePolicy(all.policies.social, { effectiveFrom: '2026-04', householdTypes: ['localUrban'] })
  all.on('2026-04-10')
  await all.becomes(person, 'otherUrban')
  expect(await all.adjustments(person)).toEqual([])
  expect(await now()).toMatchObject({ householdType: 'localRural', policy: { id: all.rural } })
  all.on('2026-05-10')
  const own = await policyForType(all, { type: 'otherUrban', floor: '7000', effectiveFrom: '2026-05' })
  expect(await all.adjustments(person)).toMatchObject([
    { effectiveMonth: '2026-05', policy: { id: own }, householdType: 'otherUrban' },
  ])
})
