/** What a changed household type does to people who are insured, where another policy applies to the new one. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { RecordData, Value } from '../../engine/model/model.ts'
import { importFile, planOf, rows, workbook, worker } from '../importing.ts'
import { policyInForce } from '../welfare.ts'
import { adjustingHouse, done, family, type AdjustingHouse } from './adjusting.ts'
import { changeHousehold, policyForType, withoutAdjustments } from './households.ts'

let all: AdjustingHouse
/** The policy of people with a rural household, with a floor of 9,000 instead of 6,821. */
let rural: number
const begin = async (options: Parameters<typeof adjustingHouse>[0] = {}) => {
  all = await adjustingHouse(options)
  rural = await policyForType(all, 'localRural', '9000')
}
afterEach(() => all?.house.close())

const adjustment = `${family}Adjustment`
/** A month under each policy with the base of 5,000. */
const [general, special] = ['1732.54', '2286.00']

const becomes = (id: number, householdType: string) => changeHousehold(all, id, householdType)
const ticketsOf = (person: number, of = family) => all.list(`${of}Adjustment`, person)
const lines = async (person: number, of = family) =>
  (await all.list(`${of}ExpenseLine`, person)).map(({ belongMonth, feeMonth, expenseType, total }) =>
    [belongMonth, feeMonth, expenseType, total].join(' '),
  )
const handle = async (ticket: RecordData, handleMonth: string) =>
  done(await all.call(adjustment, 'succeed', ticket.id!, { handleMonth }))
const enrolledWith = async (overrides: Record<string, Value> = {}) => {
  const { person, enrolment } = await all.enrolled(family, {}, overrides)
  return { person: person.id, enrolment, now: () => all.detail(`${family}Enrolment`, enrolment) }
}
const messagesTo = async (person: number): Promise<string[]> =>
  (
    await all.house.database.pool.query(
      `select distinct content->>'cn' as content from message where type = 'householdChanged' and link like $1`,
      [`%id=${person}`],
    )
  ).rows.map(({ content }) => content)

describe('where another policy applies to the new type', () => {
  beforeEach(() => begin())

  test('an adjustment from the month of the change brings it; until then, and before it, the old one applies', async () => {
    const { person, now } = await enrolledWith()
    await all.generate('2026-03')
    await all.summaries('2026-03', 'confirm')
    all.on('2026-04-10')
    await becomes(person, 'localRural')

    const [ticket, ...more] = await ticketsOf(person)
    expect(more).toEqual([])
    expect(await all.detail(adjustment, ticket.id!)).toMatchObject({
      status: 'pending',
      source: 'policy',
      adjustType: 'policy',
      effectiveMonth: '2026-04',
      policy: { id: rural },
      formerPolicy: { id: all.policies.social },
      householdType: 'localRural',
      formerHouseholdType: 'localUrban',
      oldBase: '5000.00',
      newBase: '5000.00',
      pensionBase: '9000.00',
      companyDiff: '368.25',
      personalDiff: '185.21',
    })
    expect(await messagesTo(person)).toEqual([expect.stringContaining(`${String(ticket.ticketNo)}，自2026-04起`)])
    expect(await now()).toMatchObject({ policy: { id: all.policies.social }, householdType: 'localUrban' })
    await all.generate('2026-04')
    expect(await lines(person)).toEqual([`2026-03 2026-03 normal ${general}`, `2026-04 2026-04 normal ${general}`])

    await handle(ticket, '2026-04')
    expect(await now()).toMatchObject({
      policy: { id: rural },
      householdType: 'localRural',
      pensionBase: '9000.00',
      total: special,
    })
    const after = [`2026-03 2026-03 normal ${general}`, `2026-04 2026-04 normal ${special}`]
    expect(await lines(person)).toEqual(after)

    // With a base of 8,000: 1,352.00 and 680.00 under the old policy; the floor of the new one stays above it.
    await all.adjust(person, '2026-03', '8000', '2026-04')
    expect(await lines(person)).toEqual([...after, '2026-03 2026-04 difference 299.46'])
    expect(await now()).toMatchObject({ policy: { id: rural }, declaredBase: '8000.00', total: special })
  })

  test('months that were locked since get differences, earlier ones do not; revoking takes them back', async () => {
    const { person, now } = await enrolledWith()
    for (const month of ['2026-03', '2026-04']) {
      await all.generate(month)
      await all.summaries(month, 'confirm')
    }
    const account = (await now()).account
    all.on('2026-04-10')
    await becomes(person, 'localRural')
    const [ticket] = await ticketsOf(person)
    all.on('2026-05-10')
    await all.generate('2026-05')
    await handle(ticket, '2026-05')
    const before = [`2026-03 2026-03 normal ${general}`, `2026-04 2026-04 normal ${general}`]
    expect(await lines(person)).toEqual([
      ...before,
      `2026-05 2026-05 normal ${special}`,
      '2026-04 2026-05 difference 553.46',
    ])
    expect((await now()).account).not.toEqual(account)
    done(await all.call(adjustment, 'revoke', ticket.id!))
    expect(await lines(person)).toEqual([...before, `2026-05 2026-05 normal ${general}`])
    expect(await now()).toMatchObject({
      policy: { id: all.policies.social },
      account,
      householdType: 'localUrban',
      total: general,
    })
  })

  test('an enrolment from before its type was kept is for the type that the person had until then', async () => {
    const { person, now } = await enrolledWith()
    await all.generate('2026-03')
    await all.house.database.pool.query(`update "${family}Enrolment" set "householdType" = null`)
    all.on('2026-04-10')
    await becomes(person, 'localRural')
    const [ticket] = await ticketsOf(person)
    expect(ticket).toMatchObject({ formerPolicy: { id: all.policies.social }, formerHouseholdType: 'localUrban' })
    expect(await now()).toMatchObject({ householdType: 'localUrban' })
    await handle(ticket, '2026-04')
    await all.generate('2026-04')
    expect(await lines(person)).toEqual([`2026-03 2026-03 normal ${general}`, `2026-04 2026-04 normal ${special}`])
  })

  test('from a policy for one type to the general one, earlier months stay under the former', async () => {
    const { person, now } = await enrolledWith({ householdType: 'localRural' })
    await all.generate('2026-03')
    expect(await lines(person)).toEqual([`2026-03 2026-03 normal ${special}`])
    all.on('2026-04-10')
    await becomes(person, 'localUrban')
    const [ticket] = await ticketsOf(person)
    await all.generate('2026-04')
    await handle(ticket, '2026-04')
    expect(await now()).toMatchObject({ policy: { id: all.policies.social }, total: general })
    // March is open, and stays as it was when it is generated again.
    await all.generate('2026-03')
    expect(await lines(person)).toEqual([`2026-03 2026-03 normal ${special}`, `2026-04 2026-04 normal ${general}`])
    await all.summaries('2026-03', 'confirm')
    await all.adjust(person, '2026-03', '5500', '2026-04')
    expect(await lines(person)).toEqual([`2026-03 2026-03 normal ${special}`, `2026-04 2026-04 normal ${general}`])
  })

  test('a type that was wrong from the beginning: the month of the ticket is set back', async () => {
    const { person } = await enrolledWith()
    await all.adjust(person, '2026-04', '9500', '2026-04')
    for (const month of ['2026-03', '2026-04']) {
      await all.generate(month)
      await all.summaries(month, 'confirm')
    }
    all.on('2026-05-10')
    await becomes(person, 'localRural')
    const ticket = (await ticketsOf(person)).at(-1)!
    expect(ticket).toMatchObject({ effectiveMonth: '2026-05', oldBase: '9500.00', newBase: '9500.00' })
    const { revision } = await all.detail(adjustment, ticket.id!)
    const values = { effectiveMonth: '2026-03' }
    done(await all.house.admin.post(`/welfare/${adjustment}/update`, { id: ticket.id, revision, values }))
    // Its base is the one of its month, which a later adjustment changed.
    expect(await all.detail(adjustment, ticket.id!)).toMatchObject({
      oldBase: '5000.00',
      newBase: '5000.00',
      policy: { id: rural },
      householdType: 'localRural',
      companyDiff: '368.25',
    })
    await all.generate('2026-05')
    await handle(ticket, '2026-05')
    // 9,500 is above both floors, so April costs the same under both.
    expect(await lines(person)).toEqual([
      `2026-03 2026-03 normal ${general}`,
      '2026-04 2026-04 normal 2413.00',
      '2026-05 2026-05 normal 2413.00',
      '2026-03 2026-05 difference 553.46',
    ])
  })

  test('a change back takes the ticket away, and another one does not make a second', async () => {
    const { person, now } = await enrolledWith()
    await becomes(person, 'localRural')
    await becomes(person, 'localRural')
    const [ticket, ...more] = await ticketsOf(person)
    expect(more).toEqual([])
    await becomes(person, 'localUrban')
    expect(await ticketsOf(person)).toMatchObject([{ id: ticket.id, status: 'cancelled' }])
    expect((await messagesTo(person)).join()).toContain(`任务${String(ticket.ticketNo)}已撤销`)
    await becomes(person, 'localRural')
    expect((await ticketsOf(person)).map(({ status }) => status)).toEqual(['cancelled', 'pending'])
    expect(await now()).toMatchObject({ policy: { id: all.policies.social } })
  })

  test('a change back while the bureau has the ticket makes one that takes it back', async () => {
    const { person, now } = await enrolledWith()
    await becomes(person, 'localRural')
    const [ticket] = await ticketsOf(person)
    done(await all.call(adjustment, 'accept', ticket.id!))
    all.on('2026-04-10')
    await becomes(person, 'localUrban')
    expect(await ticketsOf(person)).toMatchObject([{ status: 'processing', householdType: 'localRural' }])
    await handle(ticket, '2026-04')
    const [, back] = await ticketsOf(person)
    expect(back).toMatchObject({ status: 'pending', effectiveMonth: '2026-04', householdType: 'localUrban' })
    await all.generate('2026-03')
    await all.generate('2026-04')
    await handle(back, '2026-04')
    expect(await lines(person)).toEqual([`2026-03 2026-03 normal ${special}`, `2026-04 2026-04 normal ${general}`])
    expect(await now()).toMatchObject({ policy: { id: all.policies.social }, householdType: 'localUrban' })
  })

  test('an open adjustment is handled first, and the ticket follows it from the month of the change', async () => {
    const [{ person }, other] = [await enrolledWith(), await enrolledWith()]
    const [base, dropped] = [await all.open(person, '2026-05', '9500'), await all.open(other.person, '2026-05', '9500')]
    all.on('2026-04-10')
    await becomes(person, 'localRural')
    await becomes(other.person, 'localRural')
    expect(await ticketsOf(person)).toMatchObject([{ id: base, policy: { id: all.policies.social } }])
    expect((await messagesTo(person)).join()).toContain('办结后')
    all.on('2026-05-10')
    done(await all.call(adjustment, 'succeed', base, { handleMonth: '2026-05' }))
    done(await all.call(adjustment, 'cancel', dropped))
    for (const who of [person, other.person])
      expect((await ticketsOf(who)).at(-1)).toMatchObject({
        status: 'pending',
        effectiveMonth: '2026-04',
        policy: { id: rural },
        newBase: '5000.00',
      })
    await handle((await ticketsOf(person)).at(-1)!, '2026-05')
    for (const month of ['2026-03', '2026-04', '2026-05']) await all.generate(month)
    expect(await lines(person)).toEqual([
      `2026-03 2026-03 normal ${general}`,
      `2026-04 2026-04 normal ${special}`,
      '2026-05 2026-05 normal 2413.00',
    ])
  })

  test('later versions of either policy apply to the months under it', async () => {
    const { person } = await enrolledWith()
    all.on('2026-04-10')
    await becomes(person, 'localRural')
    const [ticket] = await ticketsOf(person)
    // The open ticket follows a version from its month on.
    const second = await all.reviseFloor(rural, '2026-04', '9200')
    expect(await all.detail(adjustment, ticket.id!)).toMatchObject({ policy: { id: second }, pensionBase: '9200.00' })
    await handle(ticket, '2026-04')
    const third = await all.reviseFloor(second, '2026-06', '10000')
    const [, version] = await ticketsOf(person)
    expect(version).toMatchObject({ policy: { id: third }, effectiveMonth: '2026-06', householdType: null })
    await handle(version, '2026-04')
    all.on('2026-06-10')
    for (const month of ['2026-03', '2026-04', '2026-05', '2026-06']) await all.generate(month)
    const due = [
      `2026-03 2026-03 normal ${general}`,
      '2026-04 2026-04 normal 2336.80',
      '2026-05 2026-05 normal 2336.80',
      '2026-06 2026-06 normal 2540.00',
    ]
    expect(await lines(person)).toEqual(due)
    await all.reviseFloor(all.policies.social, '2026-05', '20000')
    for (const month of ['2026-03', '2026-04', '2026-05', '2026-06']) await all.generate(month)
    expect(await ticketsOf(person)).toHaveLength(2)
    expect(await lines(person)).toEqual(due)
  })

  test('a version that comes late for months before the change applies to them at once', async () => {
    const [{ person }, waits] = [await enrolledWith(), await enrolledWith()]
    await all.generate('2026-03')
    await all.summaries('2026-03', 'confirm')
    all.on('2026-05-10')
    for (const month of ['2026-04', '2026-05']) await all.generate(month)
    for (const who of [person, waits.person]) await becomes(who, 'localRural')
    await handle((await ticketsOf(person))[0], '2026-05')
    await all.reviseFloor(all.policies.social, '2026-03', '7000')
    // The floor is 179 higher, of which the company pays 16.9 % and the person 8.5 %.
    const due = [
      `2026-03 2026-03 normal ${general}`,
      '2026-04 2026-04 normal 1778.00',
      `2026-05 2026-05 normal ${special}`,
      '2026-03 2026-05 difference 45.46',
    ]
    expect((await lines(person)).toSorted()).toEqual(due.toSorted())
    expect(await ticketsOf(person)).toHaveLength(1)
    // The open ticket keeps that of the version from being made, and brings it for the months before.
    const [ticket, ...more] = await ticketsOf(waits.person)
    expect(more).toEqual([])
    await handle(ticket, '2026-05')
    expect((await lines(waits.person)).toSorted()).toEqual(due.toSorted())
    done(await all.call(adjustment, 'revoke', ticket.id!))
    expect((await waits.now()).householdType).toBe('localUrban')
  })

  test('months paid back are charged by the type of then', async () => {
    const { person } = await enrolledWith()
    all.on('2026-05-10')
    await becomes(person, 'localRural')
    await handle((await ticketsOf(person))[0], '2026-05')
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
    await becomes(person.id, 'localRural')
    expect(await all.detail(`${family}Addition`, id)).toMatchObject({
      policy: { id: rural },
      householdType: 'localRural',
      total: special,
    })
    done(await all.call(`${family}Addition`, 'succeed', id, { handleMonth: '2026-03' }))
    const [enrolment] = await all.list(`${family}Enrolment`, person.id)
    expect(enrolment).toMatchObject({ policy: { id: rural }, householdType: 'localRural', total: special })
    await becomes(person.id, 'localUrban')
    done(await all.call(`${family}Addition`, 'revoke', id))
    expect(await all.detail(`${family}Addition`, id)).toMatchObject({
      policy: { id: all.policies.social },
      householdType: 'localUrban',
    })
    expect(await ticketsOf(person.id)).toMatchObject([{ status: 'cancelled' }])
  })

  test('people about to leave stay under theirs; if they stay, they get the ticket', async () => {
    const { person, now } = await enrolledWith()
    const leaving = { leaveDate: '2026-03-31', leaveReason: 'dismissal' }
    done(await all.house.admin.post('/staff/person/leave', { id: person, values: leaving }))
    await becomes(person, 'localRural')
    expect(await ticketsOf(person)).toEqual([])
    all.on('2026-04-10')
    done(await all.house.admin.post('/staff/person/cancelLeave', { id: person }))
    expect(await ticketsOf(person)).toMatchObject([{ effectiveMonth: '2026-03', policy: { id: rural } }])
    expect(await now()).toMatchObject({ householdType: 'localUrban', policy: { id: all.policies.social } })
  })

  test('the months of a former employment stay under its policy if a joiner file has another type', async () => {
    const { house } = all
    const { person, now } = await enrolledWith({ householdType: 'localRural' })
    await all.generate('2026-03')
    const leaving = { leaveDate: '2026-03-14', leaveReason: 'dismissal' }
    done(await house.admin.post('/staff/person/leave', { id: person, values: leaving }))
    const [reduction] = await all.list(`${family}Reduction`, person)
    done(await all.call(`${family}Reduction`, 'succeed', reduction.id!, { handleMonth: '2026-04' }))
    done(await house.admin.post('/staff/person/close', { id: person }))
    all.on('2026-04-10')
    const [{ name, idNumber }, { contractNo }, customer] = await Promise.all(
      [
        ['/staff/person', person],
        ['/contract/contract', all.around.service],
        ['/customer', all.around.customer],
      ].map(async ([path, id]) => (await house.admin.get(`${path}/detail`, { id })).result),
    )
    const row = {
      customer: String(customer.name),
      serviceContract: String(contractNo),
      name: String(name),
      idType: '居民身份证',
      idNumber: String(idNumber),
      mobile: '15400000026',
      householdType: '本地城镇',
      workCity: '北京',
      insuranceCity: '北京',
      employmentForm: '劳务派遣',
      position: '测试工程师',
      entryDate: '2026-04-10',
      baseSalary: '5000.00',
      medicalinsuranceNeeded: '否',
      accumulationfundNeeded: '否',
      [`${family}Needed`]: '是',
      [`${family}DeclaredBase`]: '5000.00',
    }
    const path = '/staff/personJoinImport'
    const file = await importFile(house, await workbook(planOf(house, 'personJoinImport'), [row]), { path })
    await worker(house).drain()
    done(await house.admin.post(`${path}/write`, { id: file }))
    await worker(house).drain()
    const [written] = await rows(house, file, house.admin, `${path}Row`)
    expect(written, JSON.stringify(written.errors)).toMatchObject({ rowStatus: 'updated' })
    expect(await all.list(`${family}Addition`, person)).toMatchObject([
      {},
      { policy: { id: all.policies.social }, householdType: 'localUrban', total: general },
    ])
    expect(await now()).toMatchObject({ status: 'stopped', householdType: 'localRural' })
    await all.generate('2026-03')
    expect(await lines(person)).toEqual([`2026-03 2026-03 normal ${special}`])
  })
})

describe('where the same policy applies to the new type', () => {
  beforeEach(() => begin())

  test('nothing is to be done; a policy that comes for it later finds the person', async () => {
    const { person, now } = await enrolledWith()
    await becomes(person, 'otherRural')
    expect(await ticketsOf(person)).toEqual([])
    expect(await messagesTo(person)).toEqual([])
    expect(await now()).toMatchObject({ householdType: 'otherRural', total: general })
    const later = await policyInForce(all.house, {
      kind: 'social',
      city: '110100',
      agency: all.around.agency,
      limits: { baseFloor: '8000', baseCeiling: '36000' },
      householdTypes: ['otherRural'],
      effectiveFrom: '2026-05',
      name: '外地农村',
    })
    expect(await ticketsOf(person)).toMatchObject([{ effectiveMonth: '2026-05', policy: { id: later } }])
  })

  test('nor without any policy for it, until one comes into force', async () => {
    const { person, now } = await enrolledWith({ householdType: 'localRural' })
    await all.revisePolicy(all.policies.social, { effectiveFrom: '2026-04', householdTypes: ['localUrban'] })
    all.on('2026-04-10')
    await becomes(person, 'otherUrban')
    expect(await ticketsOf(person)).toEqual([])
    expect(await now()).toMatchObject({ householdType: 'localRural', policy: { id: rural } })
    all.on('2026-05-10')
    const own = await policyInForce(all.house, {
      kind: 'social',
      city: '110100',
      agency: all.around.agency,
      limits: { baseFloor: '7000', baseCeiling: '36000' },
      householdTypes: ['otherUrban'],
      effectiveFrom: '2026-05',
      name: '外地城镇',
    })
    expect(await ticketsOf(person)).toMatchObject([
      { effectiveMonth: '2026-05', policy: { id: own }, householdType: 'otherUrban' },
    ])
  })
})

test('a family without adjustments follows at once, from the month of the change on', async () => {
  const medical = 'medicalinsurance'
  await begin({ change: withoutAdjustments(medical) })
  const { person } = await all.enrolled(medical)
  const generate = async (feeMonth: string) =>
    done(await all.house.admin.post(`/welfare/${medical}ExpenseSummary/generate`, { values: { feeMonth } }))
  await generate('2026-03')
  all.on('2026-04-10')
  await generate('2026-04')
  await becomes(person.id, 'localRural')
  await generate('2026-03')
  expect(await lines(person.id, medical)).toEqual(['2026-03 2026-03 normal 682.10', '2026-04 2026-04 normal 900.00'])
})
