/** What a changed household type does to people who are insured, where another policy applies to the new one. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { RecordData, Value } from '../../engine/model/model.ts'
import { done, family } from './adjusting.ts'
import { adjustment, general, householdHouse, special, type HouseholdHouse } from './householdHouse.ts'

let all: HouseholdHouse
beforeEach(async () => {
  all = await householdHouse()
})
afterEach(() => all?.house.close())

const isSame = (a?: Value, b?: Value) => (a as { id: number }).id === (b as { id: number }).id

test('an adjustment from the month of the change brings it; until then, and before it, the old one applies', async () => {
  const { person, now } = await all.enrolledWith()
  await all.generate('2026-03')
  await all.summaries('2026-03', 'confirm')
  all.on('2026-04-10')
  await all.becomes(person, 'localRural')

  const [ticket, ...more] = await all.adjustments(person)
  expect(more).toEqual([])
  expect(await all.detail(adjustment, ticket.id!)).toMatchObject({
    status: 'pending',
    source: 'policy',
    adjustType: 'policy',
    effectiveMonth: '2026-04',
    policy: { id: all.rural },
    formerPolicy: { id: all.policies.social },
    householdType: 'localRural',
    formerHouseholdType: 'localUrban',
    oldBase: '5000.00',
    newBase: '5000.00',
    pensionBase: '9000.00',
    companyDiff: '368.25',
    personalDiff: '185.21',
  })
  expect(await all.messagesTo(person)).toEqual([expect.stringContaining(`${String(ticket.ticketNo)}，自2026-04起`)])
  expect(await now()).toMatchObject({ policy: { id: all.policies.social }, householdType: 'localUrban' })
  await all.generate('2026-04')
  expect(await all.lines(person)).toEqual([`2026-03 2026-03 normal ${general}`, `2026-04 2026-04 normal ${general}`])

  await all.handle(ticket, '2026-04')
  expect(await now()).toMatchObject({
    policy: { id: all.rural },
    householdType: 'localRural',
    pensionBase: '9000.00',
    total: special,
  })
  const after = [`2026-03 2026-03 normal ${general}`, `2026-04 2026-04 normal ${special}`]
  expect(await all.lines(person)).toEqual(after)

  // With a base of 8,000: 1,352.00 and 680.00 under the old policy; the floor of the new one stays above it.
  await all.adjust(person, '2026-03', '8000', '2026-04')
  expect(await all.lines(person)).toEqual([...after, '2026-03 2026-04 difference 299.46'])
  expect(await now()).toMatchObject({ policy: { id: all.rural }, declaredBase: '8000.00', total: special })
})

test('an open month stays where it is if that of the other account is locked, and gets a difference', async () => {
  const { person } = await all.enrolledWith()
  const other = await all.enrolledWith({ householdType: 'localRural' })
  await all.generate('2026-03')
  const { account } = await other.now()
  const { list } = (await all.house.admin.get(`/welfare/${family}ExpenseSummary/list`)).result
  const summary = (list as RecordData[]).find((each) => isSame(each.account, account))!
  done(await all.call(`${family}ExpenseSummary`, 'confirm', summary.id!))
  await all.becomes(person, 'localRural')
  const [ticket] = await all.adjustments(person)
  await all.handle(ticket, '2026-04')
  const lines = [`2026-03 2026-03 normal ${general}`, '2026-03 2026-04 difference 553.46']
  expect(await all.lines(person)).toEqual(lines)
  const generate = `/welfare/${family}ExpenseSummary/generate`
  await all.house.admin.post(generate, { values: { feeMonth: '2026-03' } })
  expect(await all.lines(person)).toEqual(lines)
})

test('months that were locked since get differences, earlier ones do not; revoking takes them back', async () => {
  const { person, now } = await all.enrolledWith()
  for (const month of ['2026-03', '2026-04']) {
    await all.generate(month)
    await all.summaries(month, 'confirm')
  }
  const account = (await now()).account
  all.on('2026-04-10')
  await all.becomes(person, 'localRural')
  const [ticket] = await all.adjustments(person)
  all.on('2026-05-10')
  await all.generate('2026-05')
  await all.handle(ticket, '2026-05')
  const before = [`2026-03 2026-03 normal ${general}`, `2026-04 2026-04 normal ${general}`]
  expect(await all.lines(person)).toEqual([
    ...before,
    `2026-05 2026-05 normal ${special}`,
    '2026-04 2026-05 difference 553.46',
  ])
  expect((await now()).account).not.toEqual(account)
  done(await all.call(adjustment, 'revoke', ticket.id!))
  expect(await all.lines(person)).toEqual([...before, `2026-05 2026-05 normal ${general}`])
  expect(await now()).toMatchObject({
    policy: { id: all.policies.social },
    account,
    householdType: 'localUrban',
    total: general,
  })
})

test('an enrolment from before its type was kept is for the type that the person had until then', async () => {
  const { person, now } = await all.enrolledWith()
  await all.generate('2026-03')
  await all.house.database.pool.query(`update "${family}Enrolment" set "householdType" = null`)
  all.on('2026-04-10')
  await all.becomes(person, 'localRural')
  const [ticket] = await all.adjustments(person)
  expect(ticket).toMatchObject({ formerPolicy: { id: all.policies.social }, formerHouseholdType: 'localUrban' })
  expect(await now()).toMatchObject({ householdType: 'localUrban' })
  await all.handle(ticket, '2026-04')
  await all.generate('2026-04')
  expect(await all.lines(person)).toEqual([`2026-03 2026-03 normal ${general}`, `2026-04 2026-04 normal ${special}`])
})

test('from a policy for one type to the general one, earlier months stay under the former', async () => {
  const { person, now } = await all.enrolledWith({ householdType: 'localRural' })
  await all.generate('2026-03')
  expect(await all.lines(person)).toEqual([`2026-03 2026-03 normal ${special}`])
  all.on('2026-04-10')
  await all.becomes(person, 'localUrban')
  const [ticket] = await all.adjustments(person)
  await all.generate('2026-04')
  await all.handle(ticket, '2026-04')
  expect(await now()).toMatchObject({ policy: { id: all.policies.social }, total: general })
  // March is open, and stays as it was when it is generated again.
  await all.generate('2026-03')
  expect(await all.lines(person)).toEqual([`2026-03 2026-03 normal ${special}`, `2026-04 2026-04 normal ${general}`])
  await all.summaries('2026-03', 'confirm')
  await all.adjust(person, '2026-03', '5500', '2026-04')
  expect(await all.lines(person)).toEqual([`2026-03 2026-03 normal ${special}`, `2026-04 2026-04 normal ${general}`])
})

test('a type that was wrong from the beginning: the month of the ticket is set back', async () => {
  const { person } = await all.enrolledWith()
  await all.adjust(person, '2026-04', '9500', '2026-04')
  for (const month of ['2026-03', '2026-04']) {
    await all.generate(month)
    await all.summaries(month, 'confirm')
  }
  all.on('2026-05-10')
  await all.becomes(person, 'localRural')
  const ticket = (await all.adjustments(person)).at(-1)!
  expect(ticket).toMatchObject({ effectiveMonth: '2026-05', oldBase: '9500.00', newBase: '9500.00' })
  const { revision } = await all.detail(adjustment, ticket.id!)
  const values = { effectiveMonth: '2026-03' }
  done(await all.house.admin.post(`/welfare/${adjustment}/update`, { id: ticket.id, revision, values }))
  // Its base is the one of its month, which a later adjustment changed.
  expect(await all.detail(adjustment, ticket.id!)).toMatchObject({
    oldBase: '5000.00',
    newBase: '5000.00',
    policy: { id: all.rural },
    householdType: 'localRural',
    companyDiff: '368.25',
  })
  await all.generate('2026-05')
  await all.handle(ticket, '2026-05')
  // 9,500 is above both floors, so April costs the same under both.
  expect(await all.lines(person)).toEqual([
    `2026-03 2026-03 normal ${general}`,
    '2026-04 2026-04 normal 2413.00',
    '2026-05 2026-05 normal 2413.00',
    '2026-03 2026-05 difference 553.46',
  ])
})

test('a change back while the bureau has the ticket makes one that takes it back', async () => {
  const { person, now } = await all.enrolledWith()
  await all.becomes(person, 'localRural')
  const [ticket] = await all.adjustments(person)
  done(await all.call(adjustment, 'accept', ticket.id!))
  all.on('2026-04-10')
  await all.becomes(person, 'localUrban')
  expect(await all.adjustments(person)).toMatchObject([{ status: 'processing', householdType: 'localRural' }])
  await all.handle(ticket, '2026-04')
  const [, back] = await all.adjustments(person)
  expect(back).toMatchObject({ status: 'pending', effectiveMonth: '2026-04', householdType: 'localUrban' })
  await all.generate('2026-03')
  await all.generate('2026-04')
  await all.handle(back, '2026-04')
  expect(await all.lines(person)).toEqual([`2026-03 2026-03 normal ${special}`, `2026-04 2026-04 normal ${general}`])
  expect(await now()).toMatchObject({ policy: { id: all.policies.social }, householdType: 'localUrban' })
})

test('an open adjustment is handled first, and the ticket follows it from the month of the change', async () => {
  const [{ person }, other] = [await all.enrolledWith(), await all.enrolledWith()]
  const [base, dropped] = [await all.open(person, '2026-05', '9500'), await all.open(other.person, '2026-05', '9500')]
  all.on('2026-04-10')
  await all.becomes(person, 'localRural')
  await all.becomes(other.person, 'localRural')
  expect(await all.adjustments(person)).toMatchObject([{ id: base, policy: { id: all.policies.social } }])
  expect((await all.messagesTo(person)).join()).toContain('办结后')
  all.on('2026-05-10')
  done(await all.call(adjustment, 'succeed', base, { handleMonth: '2026-05' }))
  done(await all.call(adjustment, 'cancel', dropped))
  for (const who of [person, other.person])
    expect((await all.adjustments(who)).at(-1)).toMatchObject({
      status: 'pending',
      effectiveMonth: '2026-04',
      policy: { id: all.rural },
      newBase: '5000.00',
    })
  await all.handle((await all.adjustments(person)).at(-1)!, '2026-05')
  for (const month of ['2026-03', '2026-04', '2026-05']) await all.generate(month)
  expect(await all.lines(person)).toEqual([
    `2026-03 2026-03 normal ${general}`,
    `2026-04 2026-04 normal ${special}`,
    '2026-05 2026-05 normal 2413.00',
  ])
})
