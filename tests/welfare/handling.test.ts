import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isLong } from '../long.ts'
import type { Label, RecordData, Value } from '../../engine/model/model.ts'
import { runDaily } from '../../engine/server/jobs/daily.ts'
import { employee, resident } from '../contract.ts'
import { type TestServer, waiting } from '../server.ts'
import { handlingHouse, messagesOf, type HandlingHouse } from './handled.ts'

let house: TestServer
let around: HandlingHouse['around']
let { person, add, detail, call, enrolled, ticketsOf, checked, written } = {} as HandlingHouse
beforeAll(async () => {
  ;({ house, around, person, add, detail, call, enrolled, ticketsOf, checked, written } = await handlingHouse())
})
afterAll(() => house?.close())

describe('an addition', () => {
  test('takes values from its person, policy and account, and opens the enrolment', async () => {
    const { id } = await person()
    const { code, result } = await add('socialsecurity', { person: id })
    expect(code).toBe(1)
    const ticket = await detail('socialsecurityAddition', result.id)
    expect(ticket).toMatchObject({
      ticketNo: expect.stringMatching(/^SSA20260315\d{4}$/),
      status: 'pending',
      source: 'manual',
      customer: { id: around.customer },
      serviceContract: { id: around.service },
      needSupplement: false,
      policy: { name: '测试政策' },
      handleRule: '<p>25日前提交</p>',
      requiredDocs: '身份证复印件',
      account: { name: '大户社保110100' },
      declaredBase: '5000.00',
      pensionBase: '6821.00',
      pensionCompany: '1091.36',
      pensionPersonal: '545.68',
      unemploymentCompany: '34.11',
      unemploymentPersonal: '34.11',
      workInjuryCompany: '27.28',
      maternityCompany: '0.00',
      companyTotal: '1152.75',
      personalTotal: '579.79',
      total: '1732.54',
      currentEnrolment: { id: expect.any(Number) },
    })
    const { id: enrolment } = ticket.enrolment as unknown as { id: number }
    // Searchable by whatever finds the person, including pinyin.
    for (const search of ['林晓演', 'linxiaoyan', String(ticket.ticketNo)]) {
      expect(
        (await house.admin.get('/welfare/socialsecurityAddition/list', { search })).result.list.map(
          (each: RecordData) => each.id,
        ),
        search,
      ).toContain(result.id)
    }
    expect((await house.admin.get('/welfare/socialsecurityAddition/list', { search: '没有这个人' })).result.total).toBe(
      0,
    )
    expect(await detail('socialsecurityEnrolment', enrolment)).toMatchObject({
      status: 'opening',
      person: { id },
      startMonth: '2026-03',
      total: '1732.54',
      workForm: 'contract',
      endMonth: null,
    })
    expect((await add('socialsecurity', { person: id })).errors).toMatchObject([
      { field: 'person', message: '该人员已参保，不能重复增员' },
    ])
  })

  test.skipIf(!isLong)('is computed for the form before it is saved', async () => {
    const { id } = await person()
    const { result } = await house.admin.post('/welfare/accumulationfundAddition/suggest', {
      values: { person: id },
      typed: ['person'],
      parameters: {},
    })
    expect(result.values).toMatchObject({
      customer: { id: around.customer },
      city: '110100',
      startMonth: '2026-03',
      declaredBase: '5000.00',
      fundCompanyRate: '7',
      base: '5000.00',
      fundCompany: '350.00',
      fundPersonal: '350.00',
      total: '700.00',
    })
    expect(
      (await house.admin.get('/welfare/accumulationfundEnrolment/list', { filters: { person: { equals: id } } })).result
        .total,
    ).toBe(0)
  })

  test.skipIf(!isLong)('must follow the rates, tiers and months of the policy', async () => {
    const { id } = await person()
    expect((await add('accumulationfund', { person: id, fundCompanyRate: '13' })).errors).toMatchObject([
      { field: 'fundCompanyRate' },
    ])
    expect((await add('accumulationfund', { person: id, fundCompanyRate: '7.5' })).errors).toMatchObject([
      { field: 'fundCompanyRate' },
    ])
    expect(
      (await add('accumulationfund', { person: id, startMonth: '2025-08', fundCompanyRate: '7' })).errors,
    ).toMatchObject([{ field: 'startMonth', message: '起缴月份过早，最多补缴6个月' }])
    expect(
      await detail(
        'accumulationfundAddition',
        (
          await add('accumulationfund', {
            person: id,
            startMonth: '2025-12',
            fundCompanyRate: '12',
            declaredBase: '8765',
          })
        ).result.id,
      ),
    ).toMatchObject({ fundCompany: '1052.00', fundPersonal: '1052.00', base: '8765.00', needSupplement: true })
    const shenzhen = (await person({ insuranceCity: '440300' })).id
    const first = await add('medicalinsurance', { person: shenzhen, city: '440300', declaredBase: '6000' })
    expect(await detail('medicalinsuranceAddition', first.result.id)).toMatchObject({
      medicalTier: 't1',
      medicalCompany: '323.75',
      medicalPersonal: '129.50',
    })
    const second = await add('medicalinsurance', {
      person: (await person({ insuranceCity: '440300' })).id,
      city: '440300',
      declaredBase: '6000',
      medicalTier: 't2',
    })
    expect(await detail('medicalinsuranceAddition', second.result.id)).toMatchObject({
      medicalCompany: '97.13',
      medicalPersonal: '32.38',
    })
  })

  test('is refused without a policy, and for people whom the family does not accept', async () => {
    expect((await add('socialsecurity', { person: (await person()).id, city: '310100' })).errors).toMatchObject([
      { field: 'policy', message: '该城市2026-03没有生效的政策' },
    ])
    expect(
      (await add('socialsecurity', { person: (await person({ workerKind: 'partTime' })).id })).errors,
    ).toMatchObject([{ field: 'person', message: '不符合参加条件：该人员类别不能参加社会保险' }])
  })

  test('can be accepted, fail, be resubmitted, succeed and be revoked', async () => {
    const { id } = await person()
    const {
      result: { id: ticket },
    } = await add('accumulationfund', { person: id, fundCompanyRate: '7' })
    const entity = 'accumulationfundAddition'
    expect(await call(entity, 'accept', ticket)).toMatchObject({ code: 1 })
    expect(await call(entity, 'fail', ticket)).toMatchObject({ code: 422, errors: [{ field: 'failReason' }] })
    expect(await call(entity, 'fail', ticket, { failReason: '原单位未封存' })).toMatchObject({ code: 1 })
    expect(await call(entity, 'succeed', ticket, { handleMonth: '2026-03' })).toMatchObject({ code: 409 })
    expect(await call(entity, 'retry', ticket)).toMatchObject({ code: 1 })
    expect(await call(entity, 'succeed', ticket, { handleMonth: '2026-03' })).toMatchObject({
      code: 422,
      errors: [{ field: 'personalAccountNo' }],
    })
    expect(
      await call(entity, 'succeed', ticket, { handleMonth: '2026-03', personalAccountNo: '900012345678' }),
    ).toMatchObject({ code: 1 })
    const done = await detail(entity, ticket)
    expect(done).toMatchObject({
      status: 'success',
      handleMonth: '2026-03',
      handledAt: expect.any(String),
      failReason: null,
      handler: { name: '系统管理员' },
    })
    const enrolment = (done.enrolment as unknown as { id: number }).id
    expect(await detail('accumulationfundEnrolment', enrolment)).toMatchObject({
      status: 'enrolled',
      personalAccountNo: '900012345678',
    })
    expect(await call(entity, 'revoke', ticket)).toMatchObject({ code: 1 })
    expect(await detail('accumulationfundEnrolment', enrolment)).toMatchObject({ status: 'opening' })
  })

  test('can be corrected when returned, and leaves no enrolment when cancelled', async () => {
    const { id } = await person()
    const {
      result: { id: ticket },
    } = await add('socialsecurity', { person: id })
    expect(await call('socialsecurityAddition', 'return', ticket, { returnReason: '缺材料' })).toMatchObject({
      code: 1,
    })
    const returned = await detail('socialsecurityAddition', ticket)
    expect(
      await house.admin.post('/welfare/socialsecurityAddition/update', {
        id: ticket,
        revision: returned.revision,
        values: { declaredBase: '8000' },
      }),
    ).toMatchObject({ code: 1 })
    expect(await detail('socialsecurityAddition', ticket)).toMatchObject({
      status: 'pending',
      pensionCompany: '1280.00',
      pensionPersonal: '640.00',
      workInjuryCompany: '32.00',
    })
    const enrolment = (returned.enrolment as unknown as { id: number }).id
    expect(await detail('socialsecurityEnrolment', enrolment)).toMatchObject({
      declaredBase: '8000.00',
      pensionCompany: '1280.00',
    })
    expect(await call('socialsecurityAddition', 'cancel', ticket)).toMatchObject({ code: 1 })
    expect(await detail('socialsecurityAddition', ticket)).toMatchObject({ status: 'cancelled', enrolment: null })
    expect(
      (await house.admin.get('/welfare/socialsecurityEnrolment/list', { filters: { person: { equals: id } } })).result
        .total,
    ).toBe(0)
    expect(await add('socialsecurity', { person: id })).toMatchObject({ code: 1 })
  })
})

describe('a reduction', () => {
  test.skipIf(!isLong)('is made for many enrolments at once with a preview, and names those refused', async () => {
    const first = await enrolled('socialsecurity')
    const later = await enrolled('socialsecurity', { startMonth: '2026-04' }, { name: '晚参保者' })
    const ids = [first.enrolment, later.enrolment]
    const values = { reductionReason: 'resign', endMonth: '2026-03' }
    const ledger = (name: string, more: object = {}) =>
      house.admin.post(`/welfare/socialsecurityEnrolment/${name}`, { ids, values, ...more })

    expect((await ledger('reduceAll', { values: { endMonth: '2026-03' } })).errors).toMatchObject([
      { field: 'reductionReason' },
    ])
    const { facts, lists } = (await ledger('reduceAll/foresee')).result
    expect(facts.map(({ value }: RecordData) => (value as unknown as Label).cn)).toEqual(['1', '￥1,732.54', '1'])
    expect(lists[0].items).toMatchObject([{ name: '晚参保者', about: { cn: '停缴月份早于起缴月份' } }])
    expect(await ticketsOf('socialsecurityReduction', first.person.id)).toEqual([])

    expect((await ledger('reduceAll')).result).toMatchObject({
      succeeded: 1,
      failed: [{ id: later.enrolment, name: '晚参保者', message: '停缴月份早于起缴月份' }],
    })
    expect(await ticketsOf('socialsecurityReduction', first.person.id)).toMatchObject([
      { status: 'pending', source: 'ledger', reductionReason: 'resign', lastMonth: '2026-03', total: '1732.54' },
    ])
    expect(await detail('socialsecurityEnrolment', first.enrolment)).toMatchObject({ status: 'stopping' })
    expect(await detail('socialsecurityEnrolment', later.enrolment)).toMatchObject({ status: 'enrolled' })
    // A person with an open reduction gets no second one.
    expect(await ledger('reduceAll')).toMatchObject({ code: 409 })
    const payer = await house.user('reducing', ['payrollClerk'])
    expect(await payer.post('/welfare/socialsecurityEnrolment/reduceAll', { ids, values })).toMatchObject({ code: 403 })
  })

  test("made from enrolments is incomplete until each person's required fields are filled in", async () => {
    const { person: who, enrolment } = await enrolled('accumulationfund')
    const { result } = await house.admin.post('/welfare/accumulationfundEnrolment/reduceAll', {
      ids: [enrolment],
      values: { reductionReason: 'transferOut', endMonth: '2026-05' },
    })
    expect(result).toMatchObject({ succeeded: 1, failed: [] })
    const [ticket] = await ticketsOf('accumulationfundReduction', who.id)
    expect(ticket).toMatchObject({ incomplete: true, reductionReason: 'transferOut', transferCity: null })
    expect(await call('accumulationfundReduction', 'succeed', ticket.id!, { handleMonth: '2026-03' })).toMatchObject({
      message: '请先补充转入城市',
    })
  })

  test('takes the values of the enrolment and ends it with the last paid month', async () => {
    const { person: who, enrolment } = await enrolled('socialsecurity')
    const suggested = await house.admin.post('/welfare/socialsecurityReduction/suggest', {
      values: { person: who.id },
      typed: ['person'],
      parameters: {},
    })
    expect(suggested.result.values).toMatchObject({
      reductionReason: 'resign',
      lastMonth: '2026-03',
      enrolment: { id: enrolment },
      total: '1732.54',
    })
    const create = (values: Record<string, Value>) =>
      house.admin.post('/welfare/socialsecurityReduction/create', {
        values: { person: who.id, reductionReason: 'resign', lastMonth: '2026-03', ...values },
      })
    expect((await create({ lastMonth: '2026-02' })).errors).toMatchObject([
      { field: 'lastMonth', message: '停缴月份早于起缴月份' },
    ])
    const {
      result: { id },
    } = await create({})
    expect(await detail('socialsecurityReduction', id)).toMatchObject({
      ticketNo: expect.stringMatching(/^SSR/),
      enrolment: { id: enrolment },
      companyTotal: '1152.75',
      firstMonth: '2026-03',
    })
    expect(await detail('socialsecurityEnrolment', enrolment)).toMatchObject({ status: 'stopping' })
    expect(await call('socialsecurityReduction', 'cancel', id)).toMatchObject({ code: 1 })
    expect(await detail('socialsecurityEnrolment', enrolment)).toMatchObject({ status: 'enrolled' })
    const {
      result: { id: second },
    } = await create({})
    expect(await call('socialsecurityReduction', 'succeed', second, { handleMonth: '2026-03' })).toMatchObject({
      code: 1,
    })
    expect(await detail('socialsecurityEnrolment', enrolment)).toMatchObject({ status: 'stopped', endMonth: '2026-03' })
    expect((await create({})).errors).toMatchObject([{ field: 'person', message: '该人员未参保' }])
    expect(await add('socialsecurity', { person: who.id, startMonth: '2026-04' })).toMatchObject({ code: 1 })
  })
})

describe('staff', () => {
  const families = ['socialsecurity', 'medicalinsurance', 'accumulationfund']

  test('a joiner gets a ticket in each suitable family, and a leaver a reduction', async () => {
    const { id } = await employee(house, {
      customer: around.customer,
      agency: around.agency,
      service: around.service,
      values: { insuranceCity: '110100', workCity: '110100', entryDate: '2026-03-02' },
    })
    for (const family of families) {
      const [ticket, ...more] = await ticketsOf(`${family}Addition`, id)
      expect([ticket, more], family).toMatchObject([
        { source: 'person', status: 'pending', startMonth: '2026-03', declaredBase: '6000.00', city: '110100' },
        [],
      ])
      expect(
        await call(`${family}Addition`, 'succeed', ticket.id!, {
          handleMonth: '2026-03',
          ...(family === 'accumulationfund' && { personalAccountNo: '900077770001' }),
        }),
      ).toMatchObject({ code: 1 })
    }
    expect(
      await house.admin.post('/staff/person/leave', {
        id,
        values: { leaveDate: '2026-03-31', leaveReason: 'dismissal' },
      }),
    ).toMatchObject({ code: 1 })
    expect(
      await Promise.all(
        families.map(async (family) =>
          (await ticketsOf(`${family}Reduction`, id)).map(({ source, reductionReason, lastMonth, status }) => [
            source,
            reductionReason,
            lastMonth,
            status,
          ]),
        ),
      ),
    ).toEqual([
      [['person', 'terminated', '2026-03', 'pending']],
      [['person', 'leave', '2026-03', 'pending']],
      [['person', 'seal', '2026-03', 'pending']],
    ])
    expect(await house.admin.post('/staff/person/cancelLeave', { id })).toMatchObject({ code: 1 })
    expect((await ticketsOf('socialsecurityReduction', id)).map(({ status }) => status)).toEqual(['cancelled'])
    expect((await ticketsOf('socialsecurityEnrolment', id)).map(({ status }) => status)).toEqual(['enrolled'])
  })

  test('an entry or leave cannot be undone after handling: the refusal names ticket and handler', async () => {
    const values = { insuranceCity: '110100', workCity: '110100' }
    const { customer, agency, service } = around
    const joins = async (entryDate: string) =>
      (await employee(house, { customer, agency, service, values: { ...values, entryDate } })).id
    const take = (action: string, id: number) => house.admin.post(`/staff/person/${action}`, { id })
    const ticket = async (entity: string, id: number) => (await ticketsOf(entity, id))[0]
    const succeed = async (entity: string, id: number, month = '2026-03') => {
      const { id: ticketId, ticketNo } = await ticket(entity, id)
      expect(await call(entity, 'succeed', ticketId!, { handleMonth: month })).toMatchObject({ code: 1 })
      return String(ticketNo)
    }

    const never = await joins('2026-03-20')
    const added = await succeed('socialsecurityAddition', never)
    expect(await take('giveUp', never)).toMatchObject({
      code: 409,
      message: expect.stringMatching(`社会保险增员${added}已办结，请先撤回，或办结减员（办理人.+）`),
    })
    const { id: addition } = await ticket('socialsecurityAddition', never)
    expect(await call('socialsecurityAddition', 'revoke', addition!)).toMatchObject({ code: 1 })
    expect(await take('giveUp', never)).toMatchObject({ code: 409, message: expect.stringContaining('正在办理') })
    expect(await call('socialsecurityAddition', 'return', addition!, { returnReason: '不入职' })).toMatchObject({
      code: 1,
    })
    expect(await take('giveUp', never)).toMatchObject({ code: 1 })
    expect(await ticketsOf('socialsecurityEnrolment', never)).toEqual([])

    const stays = await joins('2026-03-02')
    await succeed('socialsecurityAddition', stays)
    const leave = { leaveDate: '2026-03-31', leaveReason: 'resignation' }
    expect(await house.admin.post('/staff/person/leave', { id: stays, values: leave })).toMatchObject({ code: 1 })
    const taken = await succeed('socialsecurityReduction', stays)
    expect(await take('cancelLeave', stays)).toMatchObject({
      code: 409,
      message: expect.stringContaining(`社会保险减员${taken}已办结，请先撤回，或重新增员`),
    })
    expect(await add('socialsecurity', { person: stays, startMonth: '2026-04' })).toMatchObject({ code: 1 })
    expect(await take('cancelLeave', stays)).toMatchObject({ code: 1 })
  })

  test('a leave cannot be closed while reductions are open, and the refusal names their families', async () => {
    const { customer, agency, service } = around
    const { id } = await employee(house, {
      customer,
      agency,
      service,
      values: { name: '未减员者', insuranceCity: '110100', entryDate: '2026-03-02' },
    })
    const [social, medical] = ['socialsecurity', 'medicalinsurance']
    for (const family of [social, medical]) {
      const [addition] = await ticketsOf(`${family}Addition`, id)
      expect(await call(`${family}Addition`, 'succeed', addition.id!, { handleMonth: '2026-03' })).toMatchObject({
        code: 1,
      })
    }
    const post = (action: string, values: object = {}) => house.admin.post(`/staff/person/${action}`, { id, values })
    const status = async () => (await house.admin.get('/staff/person/detail', { id })).result.employmentStatus
    expect(await post('leave', { leaveDate: '2026-03-10', leaveReason: 'resignation' })).toMatchObject({ code: 1 })
    const open = await Promise.all(
      [social, medical].map(async (scheme) => (await ticketsOf(`${scheme}Reduction`, id))[0]),
    )
    const { message } = await post('close')
    expect(message).toBe(
      `未减员者的社会保险减员${open[0].ticketNo}尚未办结；未减员者的医疗保险减员${open[1].ticketNo}尚未办结`,
    )
    expect(await call(`${social}Reduction`, 'succeed', open[0].id!, { handleMonth: '2026-03' })).toMatchObject({
      code: 1,
    })
    // Support corrects returned tickets, and the clerk handles open ones.
    const clerk = await house.user('countingclerk', ['welfareClerk'])
    const support = await house.user('countingsupport', ['support'])
    await house.database.pool.query('update customer set "supportStaff" = $1 where id = $2', [support.id, customer])
    await house.database.pool.query('update person set "supportStaff" = $1 where id = $2', [support.id, id])
    await house.database.pool.query('update "medicalinsuranceReduction" set "supportStaff" = $1 where id = $2', [
      support.id,
      open[1].id,
    ])
    const counted = () =>
      Promise.all([clerk, support].map((as) => waiting(as, '/welfare/medicalinsurance/personnelreduction')))
    const before = await counted()
    expect(await call(`${medical}Reduction`, 'return', open[1].id!, { returnReason: '缺少材料' })).toMatchObject({
      code: 1,
    })
    expect(await counted()).toEqual([before[0] - 1, before[1] + 1])
    const reason = `未减员者的医疗保险减员${open[1].ticketNo}尚未办结（办理人系统管理员）`
    expect((await post('close')).message).toBe(reason)
    // Nobody reads the refusal of a daily rule, so one message is sent, and each day has a log entry.
    for (const day of ['2026-03-13', '2026-03-14']) {
      await house.database.pool.query('update system_daily_rule set day = $1', [day])
      await runDaily(house.runtime)
    }
    expect(await status()).toBe('leaving')
    const { rows } = await house.database.pool.query(
      'select title, content, receiver::int from message where title::text like $1',
      ['%未能自动完成离职%'],
    )
    const english = `${open[1].ticketNo} is still open`
    expect(rows).toEqual([
      {
        title: { cn: '未能自动完成离职：未减员者', en: 'Offboarding not completed automatically: 未减员者' },
        content: { cn: expect.stringContaining(`：${reason}`), en: expect.stringContaining(english) },
        receiver: support.id,
      },
    ])
    const { result } = await house.admin.get('/setting/operationLog/list', {
      filters: { entity: { in: ['person'] }, result: { in: ['failed'] } },
    })
    expect(result.list).toMatchObject([
      { action: 'close', recordId: id, message: reason, messages: [{ message: { cn: reason } }] },
    ])
    const { revision } = await detail(`${medical}Reduction`, open[1].id!)
    const added = { id: open[1].id, revision, values: { remark: '材料已补' } }
    expect(await house.admin.post(`/welfare/${medical}Reduction/update`, added)).toMatchObject({ code: 1 })
    expect(await call(`${medical}Reduction`, 'succeed', open[1].id!, { handleMonth: '2026-03' })).toMatchObject({
      code: 1,
    })
    expect(await post('close')).toMatchObject({ code: 1 })
    expect(await status()).toBe('left')
  })

  test.skipIf(!isLong)('changing a leave date updates open tickets, but not those being handled', async () => {
    const { customer, agency, service } = around
    const { id } = await employee(house, {
      customer,
      agency,
      service,
      values: { insuranceCity: '110100', entryDate: '2026-03-02' },
    })
    const family = 'socialsecurity'
    const [addition] = await ticketsOf(`${family}Addition`, id)
    expect(await call(`${family}Addition`, 'succeed', addition.id!, { handleMonth: '2026-03' })).toMatchObject({
      code: 1,
    })
    const leave = (values: Record<string, Value>) =>
      house.admin.post('/staff/person/leave', { id, values: { leaveReason: 'resignation', ...values } })
    const tickets = async () =>
      (await ticketsOf(`${family}Reduction`, id)).map(({ status, leaveDate, lastMonth }) => [
        status,
        leaveDate,
        lastMonth,
      ])
    expect(await leave({ leaveDate: '2026-03-20' })).toMatchObject({ code: 1 })
    expect(await tickets()).toEqual([['pending', '2026-03-20', '2026-03']])
    expect(await leave({ leaveDate: '2026-04-10' })).toMatchObject({ code: 1 })
    expect(await tickets()).toEqual([['pending', '2026-04-10', '2026-04']])
    expect(await leave({ leaveDate: '2026-04-30', [`${family}LastMonth`]: '2026-05' })).toMatchObject({ code: 1 })
    expect(await tickets()).toEqual([['pending', '2026-04-30', '2026-05']])
    const [open] = await ticketsOf(`${family}Reduction`, id)
    expect(await call(`${family}Reduction`, 'accept', open.id!)).toMatchObject({ code: 1 })
    expect(await leave({ leaveDate: '2026-03-20' })).toMatchObject({
      code: 409,
      message: `该人员的社会保险减员${open.ticketNo}已办理，不能修改`,
    })
    expect(await tickets()).toEqual([['processing', '2026-04-30', '2026-05']])
  })

  test.skipIf(!isLong)(
    'entry fields move to the tickets, and leave fields stay until the leave is undone',
    async () => {
      const joins = (values: Record<string, Value>) =>
        house.admin.post('/staff/person/create', { values: { ...joiner(), ...values } })
      const joiner = () => ({
        name: '林晓演',
        idNumber: resident((order += 2)),
        gender: 'female',
        birthDate: '1990-03-07',
        householdType: 'localUrban',
        mobile: '15400000001',
        customer: around.customer,
        serviceContract: around.service,
        agency: around.agency,
        supportStaff: admin,
        position: '装配工',
        workCity: '110100',
        employmentForm: 'dispatch',
        entryDate: '2026-03-02',
        baseSalary: '6000',
      })
      const admin = await house.findId('/setting/user', 'admin')
      let order = 700
      const plan = {
        medicalinsuranceNeeded: false,
        socialsecurityDeclaredBase: '9000',
        accumulationfundStartMonth: '2026-04',
        accumulationfundFundCompanyRate: '12',
        accumulationfundPersonalAccountNo: '900077770009',
      }
      const { result } = await joins(plan)
      const [[social], medical, [fund]] = await Promise.all(
        families.map((family) => ticketsOf(`${family}Addition`, result.id)),
      )
      expect(social).toMatchObject({
        source: 'person',
        declaredBase: '9000.00',
        startMonth: '2026-03',
        pensionCompany: '1440.00',
      })
      expect(medical).toEqual([])
      expect(fund).toMatchObject({
        startMonth: '2026-04',
        fundCompanyRate: '12.0000',
        fundCompany: '720.00',
        personalAccountNo: '900077770009',
        declaredBase: '6000.00',
      })
      const person = (await house.admin.get('/staff/person/detail', { id: result.id })).result
      expect(Object.keys(plan).map((name) => person[name])).toEqual([null, null, null, null, null])

      // A value that the policy does not allow is refused at the person's field, and nobody is added.
      expect(await joins({ accumulationfundFundCompanyRate: '13' })).toMatchObject({
        code: 422,
        errors: [{ field: 'accumulationfundFundCompanyRate' }],
      })
      expect(await joins({ socialsecurityStartMonth: '2026-02' })).toMatchObject({
        code: 422,
        errors: [{ field: 'socialsecurityStartMonth' }],
      })
      expect(await joins({ workerKind: 'partTime', socialsecurityNeeded: true })).toMatchObject({
        code: 422,
        errors: [{ field: 'socialsecurityNeeded', message: '不符合参加条件：该人员不能参加社会保险' }],
      })

      await call('socialsecurityAddition', 'succeed', social.id!, { handleMonth: '2026-03' })
      const leave = (values: Record<string, Value>) =>
        house.admin.post('/staff/person/leave', {
          id: result.id,
          values: { leaveDate: '2026-05-10', leaveReason: 'resignation', ...values },
        })
      expect(await leave({ socialsecurityLastMonth: '2026-02' })).toMatchObject({
        code: 422,
        errors: [{ field: 'socialsecurityLastMonth', message: '社保停缴月份早于起缴月份' }],
      })
      expect(
        await leave({ socialsecurityLastMonth: '2026-04', socialsecurityReductionReason: 'transferOut' }),
      ).toMatchObject({ code: 1 })
      expect(await ticketsOf('socialsecurityReduction', result.id)).toMatchObject([
        { lastMonth: '2026-04', reductionReason: 'transferOut' },
      ])
      const leaving = async () => (await house.admin.get('/staff/person/detail', { id: result.id })).result
      expect(await leaving()).toMatchObject({ socialsecurityLastMonth: '2026-04' })
      expect(await house.admin.post('/staff/person/cancelLeave', { id: result.id })).toMatchObject({ code: 1 })
      expect(await leaving()).toMatchObject({ socialsecurityLastMonth: null, socialsecurityReductionReason: null })
    },
  )

  test.skipIf(!isLong)('missing tickets are reported: no policy, no account, or an open reduction', async () => {
    const { customer, agency, service } = around
    const joins = (values: Record<string, Value>) =>
      employee(house, { customer, agency, service, values: { workCity: '110100', entryDate: '2026-03-02', ...values } })
    const messageAbout = async (name: string): Promise<string | undefined> => {
      const { result } = await house.admin.get('/setting/message/list', { size: 200 })
      return (result.list as RecordData[]).find(({ title }) =>
        JSON.stringify(title).includes(`增员任务未生成：${name}`),
      )?.content as string | undefined
    }
    await joins({ name: '无政策者', insuranceCity: '510100' })
    expect(JSON.stringify(await messageAbout('无政策者'))).toContain('社会保险：参保城市没有生效的政策')

    const mode = async (insuranceAccountMode: string) => {
      const { revision } = (await house.admin.get('/customer/detail', { id: customer })).result
      const answer = await house.admin.post('/customer/update', {
        id: customer,
        revision,
        values: { insuranceAccountMode },
      })
      expect(answer, JSON.stringify(answer)).toMatchObject({ code: 1 })
    }
    await mode('customer')
    const { id } = await joins({ name: '无账户者', insuranceCity: '110100' })
    expect(await ticketsOf('socialsecurityAddition', id)).toEqual([])
    expect(JSON.stringify(await messageAbout('无账户者'))).toContain('客户为单立户')
    expect((await add('socialsecurity', { person: id })).errors).toMatchObject([
      { field: 'account', message: '客户为单立户，但该政策下没有登记客户自己的单位账户' },
    ])
    await mode('provider')

    const again = await joins({ name: '再入职者', insuranceCity: '110100' })
    const [{ id: ticket }] = await ticketsOf('socialsecurityAddition', again.id)
    const post = async (action: string, values: object) =>
      expect(await house.admin.post(`/staff/person/${action}`, { id: again.id, values })).toMatchObject({ code: 1 })
    await post('leave', { leaveDate: '2026-03-10', leaveReason: 'resignation' })
    await post('close', {})
    // The reduction follows once the addition that was open at the offboarding succeeds.
    expect(await call('socialsecurityAddition', 'succeed', ticket!, { handleMonth: '2026-03' })).toMatchObject({
      code: 1,
    })
    await post('rehire', { entryDate: '2026-03-12' })
    expect(JSON.stringify(await messageAbout('再入职者'))).toContain('社会保险')

    const { result: list } = await house.admin.get('/staff/person/list', {
      filters: { lacking: { equals: true } },
      size: 100,
    })
    const rows = new Map((list.list as RecordData[]).map((row) => [row.name, row]))
    expect(rows.get('无政策者')).toMatchObject({ socialsecurityEnrolStatus: null, socialsecurityLacking: true })
    expect(rows.get('再入职者')).toMatchObject({ socialsecurityEnrolStatus: 'stopping' })
    const { result: stopping } = await house.admin.get('/staff/person/list', {
      filters: { socialsecurityEnrolStatus: { in: ['stopping'] } },
      size: 100,
    })
    const found = stopping.list as RecordData[]
    expect(found.map(({ name }) => name)).toContain('再入职者')
    expect(new Set(found.map(({ socialsecurityEnrolStatus }) => socialsecurityEnrolStatus))).toEqual(
      new Set(['stopping']),
    )
    const screen = JSON.stringify(house.runtime.derived.catalog.screens['person.list'])
    for (const family of ['socialsecurity', 'medicalinsurance', 'accumulationfund'])
      expect(screen.split(`"${family}EnrolStatus"`).length, 'a column and a filter').toBeGreaterThan(2)
  })

  test('no tickets without a policy in force, or for people whom no family accepts', async () => {
    const elsewhere = await employee(house, {
      customer: around.customer,
      agency: around.agency,
      service: around.service,
    })
    const intern = await employee(house, {
      customer: around.customer,
      agency: around.agency,
      service: around.service,
      values: { insuranceCity: '110100', workerKind: 'partTime' },
    })
    for (const family of families)
      expect([
        ...(await ticketsOf(`${family}Addition`, elsewhere.id)),
        ...(await ticketsOf(`${family}Addition`, intern.id)),
      ]).toEqual([])
  })
})

describe('files', () => {
  test.skipIf(!isLong)('of additions find people by ID number, report those enrolled, and open tickets', async () => {
    const [joiner, retiree, other] = [await person(), await person({ workerKind: 'partTime' }), await person()]
    const { person: there } = await enrolled('socialsecurity')
    const row = (idNumber: string, more: Record<string, string> = {}) => ({
      personCustomer: around.name,
      personName: '林晓演',
      person: idNumber,
      city: '北京',
      additionType: '新参保',
      startMonth: '2026-03',
      declaredBase: '5000',
      workForm: '劳动合同',
      ...more,
    })
    const { id, rows: found } = await checked('socialsecurityAdditionImport', [
      row(joiner.idNumber),
      row(there.idNumber),
      row(retiree.idNumber),
      row(other.idNumber, { personName: '别人' }),
    ])
    expect(found.map((each) => [each.rowStatus, ...messagesOf(each)])).toEqual([
      ['toCreate', expect.stringContaining('申报基数￥5,000.00将按￥6,821.00缴纳')],
      ['failed', expect.stringContaining('该人员已参保，不能重复增员')],
      ['failed', expect.stringContaining('该人员类别不能参加社会保险')],
      ['failed', expect.stringContaining('与系统数据不一致')],
    ])
    const after = await written('socialsecurityAdditionImport', id)
    expect(after.map(({ rowStatus }) => rowStatus)).toEqual(['created', 'failed', 'failed', 'failed'])
    const ticket = (
      await house.admin.get('/welfare/socialsecurityAddition/list', { filters: { person: { equals: joiner.id } } })
    ).result.list[0]
    expect(ticket).toMatchObject({
      source: 'import',
      status: 'pending',
      total: '1732.54',
      account: { name: '大户社保110100' },
    })
  })

  test.skipIf(!isLong)('of results let each ticket succeed, fail or be returned', async () => {
    const people = [await person(), await person(), await person(), await person()]
    for (const { id } of people.slice(0, 3))
      expect(await add('socialsecurity', { person: id })).toMatchObject({ code: 1 })
    const row = (index: number, result: string, more: Record<string, string> = {}) => ({
      personName: '林晓演',
      person: people[index].idNumber,
      result,
      handleMonth: '2026-03',
      ...more,
    })
    const { id, rows: found } = await checked('socialsecurityAdditionHandleImport', [
      row(0, '办理成功', { personalAccountNo: '9900001234' }),
      row(1, '办理失败', { failReason: '信息不符' }),
      row(2, '退回'),
      row(3, '办理成功'),
    ])
    expect(found.map((each) => [each.rowStatus, ...messagesOf(each)])).toEqual([
      ['toUpdate'],
      ['toUpdate'],
      ['failed', 'required 退回原因不能为空'],
      ['failed', expect.stringContaining('不存在')],
    ])
    await written('socialsecurityAdditionHandleImport', id)
    const tickets = await Promise.all(
      people.slice(0, 3).map(
        async (each) =>
          (
            await house.admin.get('/welfare/socialsecurityAddition/list', {
              filters: { person: { equals: each.id } },
            })
          ).result.list[0] as RecordData,
      ),
    )
    expect(tickets).toMatchObject([
      { status: 'success', personalAccountNo: '9900001234', handleMonth: '2026-03' },
      { status: 'failed', failReason: '信息不符' },
      { status: 'pending' },
    ])
    expect(
      await detail('socialsecurityEnrolment', (tickets[0].enrolment as unknown as { id: number }).id),
    ).toMatchObject({ status: 'enrolled', personalAccountNo: '9900001234' })
  })

  test('of results may state the base that the bureau uses, which counts until revoked', async () => {
    const [higher, gone, late] = [await person(), await person(), await person()]
    for (const { id } of [higher, gone])
      expect(await add('socialsecurity', { person: id, declaredBase: '8000' })).toMatchObject({ code: 1 })
    expect(
      await add('accumulationfund', {
        person: late.id,
        declaredBase: '5000',
        startMonth: '2026-02',
        fundCompanyRate: '12',
      }),
    ).toMatchObject({ code: 1 })
    const row = ({ idNumber }: { idNumber: string }, more: Record<string, string> = {}) => ({
      personName: '林晓演',
      person: idNumber,
      result: '办理成功',
      handleMonth: '2026-03',
      ...more,
    })
    const wrong = await checked('socialsecurityAdditionHandleImport', [row(higher, { actualBase: '0' })])
    expect(wrong.rows.map(({ rowStatus }) => rowStatus)).toEqual(['failed'])
    const { id } = await checked('socialsecurityAdditionHandleImport', [
      row(higher, { actualBase: '9000' }),
      row(gone, { actualBase: '9000', result: '办理失败', failReason: '信息不符' }),
    ])
    expect(
      (await written('socialsecurityAdditionHandleImport', id)).map((each) => [each.rowStatus, ...messagesOf(each)]),
    ).toEqual([['updated'], ['updated']])
    const ticketOf = async (family: string, who: { id: number }) =>
      (await house.admin.get(`/welfare/${family}Addition/list`, { filters: { person: { equals: who.id } } })).result
        .list[0] as RecordData & { enrolment: { id: number } }
    expect(await ticketOf('socialsecurity', gone)).toMatchObject({
      status: 'failed',
      actualBase: null,
      pensionBase: '8000.00',
    })
    const ticket = await ticketOf('socialsecurity', higher)
    expect(ticket).toMatchObject({
      status: 'success',
      declaredBase: '8000.00',
      actualBase: '9000.00',
      pensionBase: '9000.00',
      pensionCompany: '1440.00',
    })
    expect(await detail('socialsecurityEnrolment', ticket.enrolment.id)).toMatchObject({
      status: 'enrolled',
      declaredBase: '9000.00',
      pensionBase: '9000.00',
      pensionCompany: '1440.00',
    })
    expect(await house.admin.post('/welfare/socialsecurityAddition/revoke', { id: ticket.id })).toMatchObject({
      code: 1,
    })
    expect(await ticketOf('socialsecurity', higher)).toMatchObject({
      status: 'processing',
      actualBase: null,
      pensionBase: '8000.00',
      pensionCompany: '1280.00',
    })
    expect(await detail('socialsecurityEnrolment', ticket.enrolment.id)).toMatchObject({
      status: 'opening',
      declaredBase: '8000.00',
      pensionBase: '8000.00',
    })

    const fund = await ticketOf('accumulationfund', late)
    expect(
      await house.admin.post('/welfare/accumulationfundAddition/succeed', {
        id: fund.id,
        values: { handleMonth: '2026-03', personalAccountNo: '900099990001', actualBase: '6000' },
      }),
    ).toMatchObject({ code: 1 })
    expect(await detail('accumulationfundEnrolment', fund.enrolment.id)).toMatchObject({
      declaredBase: '6000.00',
      base: '6000.00',
      fundCompany: '720.00',
    })
    expect(
      (await house.admin.get('/welfare/accumulationfundSupplement/list', { filters: { person: { equals: late.id } } }))
        .result.list,
      'what was missed is of that base too',
    ).toMatchObject([{ fromMonth: '2026-02', toMonth: '2026-02', base: '6000.00' }])
  })
})
