/**
 * A made-up family without a base: yearly amounts, required extra fields, shared fee items, and only two operations.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ImportProblem, RecordData, Value } from '../../engine/model/model.ts'
import { schemeHouse, type SchemeHouse } from './schemeHouse.ts'

let at: SchemeHouse
beforeAll(async () => {
  at = await schemeHouse()
})
afterAll(() => at?.house.close())

/** All required entry fields of the family on a new member's record. */
const entryFields = { guildcareEntryMemberGroup: 'sea', guildcareEntryConsent: true }
const messagesOf = ({ errors }: RecordData): string[] =>
  ((errors ?? []) as unknown as ImportProblem[]).map(({ message }) => message.cn)

describe('a policy of the kind', () => {
  test("lacks the fields that its kind hides, and starts with the family's defaults", async () => {
    const id = await at.policy('guild', { cutoffDay: 20, payDay: 25 })
    const policy = (await at.house.admin.get('/welfare/policy/detail', { id })).result
    expect(policy).toMatchObject({ status: 'enabled', avgMonthlyWage: null, baseAdjustMonth: null, city: null })
    const [accident, hospital] = policy.guildcareItems as RecordData[]
    expect(accident).toMatchObject({
      payCycle: 'year',
      payMonth: 1,
      annualRule: 'prorata',
      annualRefund: 'prorata',
      companyFixed: '1800.00',
    })
    expect(hospital).toMatchObject({ payMonth: 1, annualRule: 'full', rateMode: 'tier' })
    expect(hospital.tiers).toMatchObject([
      { tierCode: 'plain', tierName: '普通档', companyFixed: '240.00', personalFixed: '120.00', isDefault: true },
      { tierCode: 'full', tierName: '全额档', companyFixed: '600.00', isDefault: false },
    ])
  })

  test('still requires the fields that its kind does not hide', async () => {
    const answer = await at.house.admin.post('/welfare/policy/create', {
      values: { kind: 'guild', name: '缺日期', effectiveFrom: '2030-01' },
    })
    expect(answer.errors?.map(({ field }) => field)).toEqual(
      expect.arrayContaining(['cutoffDay', 'payDay', 'guildcareAccounts']),
    )
    for (const hidden of ['avgMonthlyWage', 'baseAdjustMonth', 'supplementAllowed', 'supplementMaxMonths'])
      expect(answer.errors?.map(({ field }) => field)).not.toContain(hidden)
  })
})

describe('a joiner', () => {
  test('gets a ticket with the extra fields of the entry', async () => {
    const { id } = await at.joins({ ...entryFields, guildcareEntrySignedOn: '2026-03-01' })
    const [ticket] = await at.ticketsOf('guildcareAddition', id)
    expect(ticket).toMatchObject({
      source: 'person',
      status: 'pending',
      memberGroup: 'sea',
      consent: true,
      signedOn: '2026-03-01',
      incomplete: false,
    })
    expect((await at.house.admin.get('/staff/person/detail', { id })).result.guildcareEntryConsent).toBeNull()
  })

  test('gets an incomplete ticket if a field is missing, and the handler gets a message', async () => {
    const { id } = await at.joins({ guildcareEntryMemberGroup: 'shore' }, '缺同意书')
    const [ticket] = await at.ticketsOf('guildcareAddition', id)
    expect(ticket).toMatchObject({ status: 'pending', incomplete: true, memberGroup: 'shore' })
    expect(await at.messages('ticketIncomplete')).toContainEqual(
      expect.objectContaining({
        title: { cn: '互助任务待补充：缺同意书', en: 'GC ticket to be completed: 缺同意书' },
        content: { cn: `${ticket.ticketNo}，请补充：本人同意`, en: `${ticket.ticketNo}, please add: Consent` },
      }),
    )
    const listed = await at.house.admin.get('/welfare/guildcareAddition/list', {
      filters: { incomplete: { equals: true } },
    })
    expect(listed.result.list.map((each: RecordData) => each.id)).toContain(ticket.id)

    for (const action of ['accept', 'succeed'])
      expect(
        await at.call('guildcareAddition', action, ticket.id!, { handleMonth: '2026-04', registerNo: 'B1' }),
      ).toMatchObject({
        message: expect.stringContaining('请先补充本人同意'),
      })
    expect((await at.change('/welfare/guildcareAddition', ticket.id!, { remark: '待签' })).errors).toMatchObject([
      { field: 'consent', message: '请选择本人同意' },
    ])
    expect(await at.change('/welfare/guildcareAddition', ticket.id!, { consent: true })).toMatchObject({ code: 1 })
    expect(await at.detail('guildcareAddition', ticket.id!)).toMatchObject({ incomplete: false })
    expect(await at.call('guildcareAddition', 'accept', ticket.id!)).toMatchObject({ code: 1 })
  })

  test('is refused at the invalid field', async () => {
    const entry = async (values: Record<string, Value>) => {
      const answer = await at.joins(values).then(
        () => undefined,
        (error: Error) => error.message,
      )
      return answer ?? ''
    }
    expect(await entry({ ...entryFields, guildcareEntryConsent: false })).toContain('互助本人同意必须为“是”')
    expect(
      await entry({ ...entryFields, guildcareEntrySignedOn: '2030-01-01', guildcareStartMonth: '2026-04' }),
    ).toContain('互助签字日期不能晚于起缴月份')
  })

  test('gets no ticket that the family refuses, and the handler learns why', async () => {
    const { id } = await at.joins({ ...entryFields, guildcarePersonalAccountNo: 'M000777' }, '先来者')
    const [first] = await at.ticketsOf('guildcareAddition', id)
    expect(
      await at.call('guildcareAddition', 'succeed', first.id!, { handleMonth: '2026-04', registerNo: 'B2' }),
    ).toMatchObject({ code: 1 })
    // The reserve requires three months of service: a joiner waits that long, unless an earlier start is given.
    await at.policy('berth', {
      city: at.city,
      avgMonthlyWage: '9000',
      cutoffDay: 20,
      payDay: 25,
      baseAdjustMonth: 7,
      supplementAllowed: true,
      supplementMaxMonths: 6,
      lateFeeDailyRate: '0.05',
      berthreserveItems: berthItems(),
    })
    const { id: waiting } = await at.joins({ ...entryFields, entryDate: '2026-03-02' }, '等待者')
    expect(await at.ticketsOf('berthreserveAddition', waiting)).toMatchObject([{ startMonth: '2026-06' }])
    const early = { berthreserveNeeded: true, berthreserveStartMonth: '2026-04' }
    const { id: fresh } = await at.joins({ ...entryFields, entryDate: '2026-03-02', ...early }, '新来者')
    expect(await at.ticketsOf('berthreserveAddition', fresh)).toEqual([])
    expect(await at.ticketsOf('guildcareAddition', fresh)).toHaveLength(1)
    const message = (await at.messages('ticketMissing')).find(
      ({ title }) => (title as unknown as { cn: string }).cn === '增员任务未生成：新来者',
    )
    expect((message!.content as unknown as { cn: string }).cn).toContain('泊位储备金：不符合参加条件：入职未满3个月')
  })
})

const berthItems = (): Value =>
  (at.house.runtime.derived.catalog.entities.policy.fields.berthreserveItems.default as RecordData[]).map((row) =>
    row.amountMode === 'fixed' ? row : { ...row, baseFloor: '2000', baseCeiling: '30000' },
  ) as Value

describe('a leaver', () => {
  const enrolled = async (name: string): Promise<number> => {
    const { id } = await at.joins(entryFields, name)
    const [ticket] = await at.ticketsOf('guildcareAddition', id)
    expect(
      await at.call('guildcareAddition', 'succeed', ticket.id!, { handleMonth: '2026-03', registerNo: 'B3' }),
    ).toMatchObject({ code: 1 })
    return id
  }

  test('gets a ticket with the extra fields of the leave', async () => {
    const person = await enrolled('交卡者')
    const leave = { leaveDate: '2026-03-20', leaveReason: 'customerEnd' }
    expect(
      await at.leave(person, { ...leave, guildcareLeaveReturnedCard: true, guildcareLeaveNewGuild: '东港互助会' }),
    ).toMatchObject({ code: 1 })
    expect(await at.ticketsOf('guildcareReduction', person)).toMatchObject([
      {
        source: 'person',
        reductionReason: 'handedOver',
        returnedCard: true,
        newGuild: '东港互助会',
        incomplete: false,
      },
    ])
  })

  test('gets an incomplete ticket if a field is missing', async () => {
    const person = await enrolled('未交卡者')
    expect(await at.leave(person, { leaveDate: '2026-03-20', leaveReason: 'resignation' })).toMatchObject({ code: 1 })
    const [ticket] = await at.ticketsOf('guildcareReduction', person)
    expect(ticket).toMatchObject({ reductionReason: 'left', incomplete: true })
    expect((await at.detail('guildcareReduction', ticket.id!)).enrolment).toBeTruthy()
    expect(await at.messages('ticketIncomplete')).toContainEqual(
      expect.objectContaining({ content: expect.objectContaining({ cn: `${ticket.ticketNo}，请补充：证件已收回` }) }),
    )
  })

  test('with an open addition gets no reduction, which a message reports', async () => {
    const { id } = await at.joins(entryFields, '未办结者')
    expect(await at.leave(id, { leaveDate: '2026-03-20', leaveReason: 'resignation' })).toMatchObject({ code: 1 })
    expect(await at.messages('ticketMissing')).toContainEqual(
      expect.objectContaining({
        title: expect.objectContaining({ cn: '减员任务未生成：未办结者' }),
        content: expect.objectContaining({ cn: expect.stringContaining('职工互助保障：增员任务尚未办结') }),
      }),
    )
  })

  test('is refunded three months of a year charged for nine, even if another item was never charged', async () => {
    const { id } = await at.joins({ ...entryFields, guildcareStartMonth: '2026-04' })
    const [ticket] = await at.ticketsOf('guildcareAddition', id)
    expect(
      await at.call('guildcareAddition', 'succeed', ticket.id!, { handleMonth: '2026-04', registerNo: 'B4' }),
    ).toMatchObject({ code: 1 })
    expect(await at.generate('guildcare', '2026-04')).toMatchObject({ code: 1 })
    expect(await at.lines('guildcare', id)).toMatchObject([
      { expenseType: 'normal', guildAccidentCompany: '1350.00', guildHospitalCompany: '0.00', total: '1350.00' },
    ])
    const made = await at.house.create('/welfare/guildcareReduction', {
      person: id,
      reductionReason: 'left',
      lastMonth: '2026-09',
      returnedCard: true,
    })
    expect(await at.call('guildcareReduction', 'succeed', made, { handleMonth: '2026-04' })).toMatchObject({ code: 1 })
    expect(await at.lines('guildcare', id)).toMatchObject([
      { expenseType: 'normal', total: '1350.00' },
      { expenseType: 'refund', belongMonth: '2026-09', guildAccidentCompany: '-450.00', total: '-450.00' },
    ])
  })

  test('is refunded part of a year that the lines of the addition charged later', async () => {
    const { id } = await at.joins({ ...entryFields, guildcareStartMonth: '2026-03' }, '晚报者')
    const [ticket] = await at.ticketsOf('guildcareAddition', id)
    expect(
      await at.call('guildcareAddition', 'succeed', ticket.id!, { handleMonth: '2026-04', registerNo: 'B5' }),
    ).toMatchObject({ code: 1 })
    expect(await at.lines('guildcare', id)).toMatchObject([
      { expenseType: 'supplement', belongMonth: '2026-03', guildAccidentCompany: '1500.00' },
    ])
    const made = await at.house.create('/welfare/guildcareReduction', {
      person: id,
      reductionReason: 'left',
      lastMonth: '2026-10',
      returnedCard: false,
    })
    expect(await at.call('guildcareReduction', 'succeed', made, { handleMonth: '2026-04' })).toMatchObject({ code: 1 })
    expect((await at.lines('guildcare', id)).at(-1)).toMatchObject({ expenseType: 'refund', total: '-300.00' })
  })

  test("is refunded the amount of the item's refund formula, if it has one", async () => {
    const families = at.house.runtime.derived.catalog.families.handling as {
      key: string
      items: { refund?: string }[]
    }[]
    const [accident] = families.find(({ key }) => key === 'guildcare')!.items
    accident.refund = 'unusedMonths >= 3 ? charged * 0.5 : 0'
    const { id } = await at.joins({ ...entryFields, guildcareStartMonth: '2026-03' }, '按公式退费者')
    const [ticket] = await at.ticketsOf('guildcareAddition', id)
    expect(
      await at.call('guildcareAddition', 'succeed', ticket.id!, { handleMonth: '2026-04', registerNo: 'B6' }),
    ).toMatchObject({ code: 1 })
    const values = { person: id, reductionReason: 'left', lastMonth: '2026-09', returnedCard: false }
    const made = await at.house.create('/welfare/guildcareReduction', values)
    expect(await at.call('guildcareReduction', 'succeed', made, { handleMonth: '2026-04' })).toMatchObject({ code: 1 })
    expect((await at.lines('guildcare', id)).at(-1)).toMatchObject({ expenseType: 'refund', total: '-750.00' })
    delete accident.refund
  })
})

describe('the values of a ticket', () => {
  const add = async (values: Record<string, Value>) => {
    const { id } = await at.joins({ guildcareNeeded: false })
    return at.house.admin.post('/welfare/guildcareAddition/create', {
      values: {
        person: id,
        city: at.city,
        additionType: 'join',
        startMonth: '2026-04',
        memberGroup: 'sea',
        consent: true,
        ...values,
      },
    })
  }

  test.each<[string, Record<string, Value>, string, string]>([
    ['a consent that must be given', { consent: false }, 'consent', '本人同意必须为“是”'],
    ['a date that may not be after a month', { signedOn: '2026-05-01' }, 'signedOn', '签字日期不能晚于起缴月份'],
    ['a pattern', { additionType: 'return', formerNo: 'X1' }, 'formerNo', '原会员证号格式不正确'],
    ['a value required by another', { additionType: 'return' }, 'formerNo', '请输入原会员证号'],
    ['a required value', { memberGroup: null }, 'memberGroup', '请选择会员小组'],
  ])('checks %s', async (_, values, field, message) => {
    expect((await add(values)).errors).toMatchObject([{ field, message }])
  })

  test('may date the signature on the last day of the month, and may omit optional fields', async () => {
    expect(await add({ signedOn: '2026-04-30' })).toMatchObject({ code: 1 })
  })
})

describe('import files', () => {
  const cells = (idNumber: string, more: Record<string, string> = {}): Record<string, string> => ({
    personCustomer: customerName,
    personName: '林晓演',
    person: idNumber,
    city: '北京',
    additionType: '入会',
    startMonth: '2026-04',
    memberGroup: '海上',
    consent: '是',
    ...more,
  })
  let customerName = ''
  beforeAll(async () => {
    customerName = (await at.house.admin.get('/customer/detail', { id: at.customer })).result.name
  })

  test('of additions include the fields required on success, and check the rules', async () => {
    const people = [await at.joins({ guildcareNeeded: false }), await at.joins({ guildcareNeeded: false })]
    const { checked, written } = await at.imported('guildcareAdditionImport', [
      cells(people[0].idNumber, { registerNo: 'B77', signedOn: '2026-04-02' }),
      cells(people[1].idNumber, { consent: '否', signedOn: '2026-05-02' }),
    ])
    expect(checked.map(messagesOf)).toEqual([[], ['本人同意必须为“是”', '签字日期不能晚于起缴月份']])
    expect(written).toHaveLength(2)
    expect(await at.ticketsOf('guildcareAddition', people[0].id)).toMatchObject([
      { source: 'import', registerNo: 'B77', signedOn: '2026-04-02' },
    ])
  })

  test('of results include those fields, and require them', async () => {
    const people = [await at.joins(entryFields), await at.joins(entryFields)]
    const result = (idNumber: string, more: Record<string, string>) => ({
      personName: '林晓演',
      person: idNumber,
      result: '办理成功',
      handleMonth: '2026-04',
      ...more,
    })
    const { checked, written } = await at.imported('guildcareAdditionHandleImport', [
      result(people[0].idNumber, { registerNo: 'B78' }),
      result(people[1].idNumber, {}),
    ])
    expect(checked.map(messagesOf)).toEqual([[], ['备案号不能为空']])
    expect(written).toHaveLength(2)
    expect(await at.ticketsOf('guildcareAddition', people[0].id)).toMatchObject([
      { status: 'success', registerNo: 'B78' },
    ])
  })

  test('of joiners and leavers have the extra fields of the family', () => {
    const columns = (batches: string) =>
      at.house.runtime.derived.imports.get(batches)!.columns.map(({ field }) => field)
    expect(columns('personJoinImport')).toEqual(
      expect.arrayContaining(['guildcareEntryMemberGroup', 'guildcareEntryConsent', 'guildcareEntryRegisterNo']),
    )
    expect(columns('personLeaveImport')).toEqual(
      expect.arrayContaining(['guildcareLeaveReturnedCard', 'guildcareLeaveNewGuild']),
    )
  })
})
