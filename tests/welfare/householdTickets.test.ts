/** What a changed household type does to the open tickets and the other employments of the person. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { done, family } from './adjusting.ts'
import { general, householdHouse, special, type HouseholdHouse } from './householdHouse.ts'
import { joinByFile } from './joinerFile.ts'

let all: HouseholdHouse
beforeAll(async () => {
  all = await householdHouse()
})
afterAll(() => all?.house.close())
beforeEach(() => void all.on('2026-03-15'))

test('a change back takes the ticket away, and another one does not make a second', async () => {
  const { person, now } = await all.enrolledWith()
  await all.becomes(person, 'localRural')
  await all.becomes(person, 'localRural')
  const [ticket, ...more] = await all.adjustments(person)
  expect(more).toEqual([])
  await all.becomes(person, 'localUrban')
  expect(await all.adjustments(person)).toMatchObject([{ id: ticket.id, status: 'cancelled' }])
  expect((await all.messagesTo(person)).join()).toContain(`任务${String(ticket.ticketNo)}已撤销`)
  await all.becomes(person, 'localRural')
  expect((await all.adjustments(person)).map(({ status }) => status)).toEqual(['cancelled', 'pending'])
  expect(await now()).toMatchObject({ policy: { id: all.policies.social } })
})

test('months paid back are charged by the type of then', async () => {
  const { person } = await all.enrolledWith()
  all.on('2026-05-10')
  await all.becomes(person, 'localRural')
  await all.handle((await all.adjustments(person))[0], '2026-05')
  const months = { fromMonth: '2026-04', toMonth: '2026-04', base: '5000', reason: '漏缴' }
  const values = { person, supplementType: 'missed', ...months }
  const { id } = done(await all.create(`${family}Supplement`, values)).result
  expect(await all.detail(`${family}Supplement`, id)).toMatchObject({
    policy: { id: all.policies.social },
    total: general,
  })
})

test('an open addition, and one that is undone, are for the new type', async () => {
  const person = await all.person()
  const { id } = done(await all.add(family, { person: person.id })).result
  await all.becomes(person.id, 'localRural')
  expect(await all.detail(`${family}Addition`, id)).toMatchObject({
    policy: { id: all.rural },
    householdType: 'localRural',
    total: special,
  })
  done(await all.call(`${family}Addition`, 'succeed', id, { handleMonth: '2026-03' }))
  const [enrolment] = await all.list(`${family}Enrolment`, person.id)
  expect(enrolment).toMatchObject({ policy: { id: all.rural }, householdType: 'localRural', total: special })
  await all.becomes(person.id, 'localUrban')
  done(await all.call(`${family}Addition`, 'revoke', id))
  expect(await all.detail(`${family}Addition`, id)).toMatchObject({
    policy: { id: all.policies.social },
    householdType: 'localUrban',
  })
  expect(await all.adjustments(person.id)).toMatchObject([{ status: 'cancelled' }])
})

test('people about to leave stay under theirs; if they stay, they get the ticket', async () => {
  const { person, now } = await all.enrolledWith()
  const leaving = { leaveDate: '2026-03-31', leaveReason: 'dismissal' }
  done(await all.house.admin.post('/staff/person/leave', { id: person, values: leaving }))
  await all.becomes(person, 'localRural')
  expect(await all.adjustments(person)).toEqual([])
  all.on('2026-04-10')
  done(await all.house.admin.post('/staff/person/cancelLeave', { id: person }))
  expect(await all.adjustments(person)).toMatchObject([{ effectiveMonth: '2026-03', policy: { id: all.rural } }])
  expect(await now()).toMatchObject({ householdType: 'localUrban', policy: { id: all.policies.social } })
})

test('the months of a former employment stay under its policy if a joiner file has another type', async () => {
  const { house } = all
  const { person, now } = await all.enrolledWith({ householdType: 'localRural' })
  await all.generate('2026-03')
  const leaving = { leaveDate: '2026-03-14', leaveReason: 'dismissal' }
  done(await house.admin.post('/staff/person/leave', { id: person, values: leaving }))
  const [reduction] = await all.list(`${family}Reduction`, person)
  done(await all.call(`${family}Reduction`, 'succeed', reduction.id!, { handleMonth: '2026-04' }))
  done(await house.admin.post('/staff/person/close', { id: person }))
  all.on('2026-04-10')
  const joins = { person, customer: all.around.customer, contract: all.around.service }
  await joinByFile(house, joins, {
    householdType: '本地城镇',
    entryDate: '2026-04-10',
    baseSalary: '5000.00',
    [`${family}DeclaredBase`]: '5000.00',
  })
  expect(await all.list(`${family}Addition`, person)).toMatchObject([
    {},
    { policy: { id: all.policies.social }, householdType: 'localUrban', total: general },
  ])
  expect(await now()).toMatchObject({ status: 'stopped', householdType: 'localRural' })
  await all.generate('2026-03')
  expect(await all.lines(person)).toEqual([`2026-03 2026-03 normal ${special}`])
})
