import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isLong } from '../long.ts'
import type { Label, RecordData, Value } from '../../engine/model/model.ts'
import { handlingHouse, messagesOf, type HandlingHouse } from './handled.ts'

let all: HandlingHouse
let { house, person, detail, call, create, enrolled, suggested, ticketsOf, checked, written } = {} as HandlingHouse
beforeAll(async () => {
  all = await handlingHouse()
  ;({ house, person, detail, call, create, enrolled, suggested, ticketsOf, checked, written } = all)
})
afterAll(() => house?.close())

const adjust = (family: string, values: Record<string, Value>) =>
  create(`${family}Adjustment`, { adjustType: 'midyear', effectiveMonth: '2026-03', ...values })
const idOf = (value: unknown) => (value as { id: number }).id

describe('a base adjustment', () => {
  test('takes the values of the enrolment, and the new amounts by the policy in force', async () => {
    const { person: who, enrolment } = await enrolled('socialsecurity', { declaredBase: '12000' })
    const {
      result: { id },
      code,
    } = await adjust('socialsecurity', { person: who.id, newBase: '13500' })
    expect(code).toBe(1)
    // The sample of the domain: 12 000 → 13 500 in Beijing.
    expect(await detail('socialsecurityAdjustment', id)).toMatchObject({
      ticketNo: expect.stringMatching(/^SST20260315\d{4}$/),
      status: 'pending',
      source: 'manual',
      enrolment: { id: enrolment },
      oldBase: '12000.00',
      newBase: '13500.00',
      pensionBase: '13500.00',
      pensionCompany: '2160.00',
      companyDiff: '253.50',
      personalDiff: '127.50',
      account: { name: '大户社保110100' },
    })
    expect(await detail('socialsecurityEnrolment', enrolment)).toMatchObject({
      declaredBase: '12000.00',
      lastAdjustMonth: null,
    })
    const open = await detail('socialsecurityAdjustment', id)
    expect((await adjust('socialsecurity', { person: who.id, newBase: '14000' })).errors).toMatchObject([
      { field: 'person', message: `该人员有办理中的任务${open.ticketNo}` },
    ])

    expect(await call('socialsecurityAdjustment', 'succeed', id, { handleMonth: '2026-03' })).toMatchObject({ code: 1 })
    expect(await detail('socialsecurityEnrolment', enrolment)).toMatchObject({
      declaredBase: '13500.00',
      pensionBase: '13500.00',
      pensionCompany: '2160.00',
      companyTotal: '2281.50',
      lastAdjustMonth: '2026-03',
      status: 'enrolled',
    })
    expect(await call('socialsecurityAdjustment', 'revoke', id)).toMatchObject({ code: 1 })
    expect(await detail('socialsecurityEnrolment', enrolment)).toMatchObject({
      declaredBase: '12000.00',
      pensionBase: '12000.00',
      companyTotal: '2028.00',
      lastAdjustMonth: null,
    })
    expect(await detail('socialsecurityAdjustment', id)).toMatchObject({ status: 'processing', handleMonth: null })
  })

  test.skipIf(!isLong)('is computed for the form before it is saved', async () => {
    const { person: who } = await enrolled('accumulationfund', { declaredBase: '12000', fundCompanyRate: '7' })
    const base = await suggested('accumulationfundAdjustment', {
      person: who.id,
      adjustType: 'annual',
      newBase: '13500',
    })
    expect(base).toMatchObject({
      oldBase: '12000.00',
      fundOldCompanyRate: '7.0000',
      effectiveMonth: '2026-03',
      base: '13500.00',
      companyDiff: '105.00',
      personalDiff: '105.00',
    })
    expect(base).not.toHaveProperty('newBase')
    expect(await suggested('accumulationfundAdjustment', { person: who.id, adjustType: 'rate' })).toMatchObject({
      fundNewCompanyRate: '7.0000',
      companyDiff: '0.00',
    })
    expect(
      await suggested('accumulationfundAdjustment', { person: who.id, adjustType: 'rate', fundNewCompanyRate: '12' }),
    ).toMatchObject({ fundCompany: '1440.00', companyDiff: '600.00', personalDiff: '600.00' })
  })

  test('of a rate or tier must be allowed by the policy and differ from the present one', async () => {
    const { person: who, enrolment } = await enrolled('accumulationfund', {
      declaredBase: '12000',
      fundCompanyRate: '7',
    })
    const rate = (fundNewCompanyRate: string) =>
      adjust('accumulationfund', { person: who.id, adjustType: 'rate', fundNewCompanyRate })
    expect((await rate('13')).errors).toMatchObject([
      { field: 'fundNewCompanyRate', message: '比例或档次不在政策范围内' },
    ])
    expect((await rate('7')).errors).toMatchObject([{ field: 'fundNewCompanyRate', message: '调整类型与填写内容不符' }])
    const { result } = await rate('12')
    expect(await call('accumulationfundAdjustment', 'succeed', result.id, { handleMonth: '2026-03' })).toMatchObject({
      code: 1,
    })
    expect(await detail('accumulationfundEnrolment', enrolment)).toMatchObject({
      fundCompanyRate: '12.0000',
      fundCompany: '1440.00',
      fundPersonal: '1440.00',
      declaredBase: '12000.00',
    })

    const tiered = await enrolled(
      'medicalinsurance',
      { city: '440300', declaredBase: '6000' },
      { insuranceCity: '440300' },
    )
    const tier = await adjust('medicalinsurance', {
      person: tiered.person.id,
      adjustType: 'tier',
      medicalNewTier: 't2',
    })
    expect(await detail('medicalinsuranceAdjustment', tier.result.id)).toMatchObject({
      medicalOldTier: 't1',
      medicalNewTier: 't2',
      newBase: null,
      medicalCompany: '97.13',
      companyDiff: '-226.62',
    })
  })

  test("is refused without enrolment, with the same base, too early, or with the system's own type", async () => {
    expect((await adjust('socialsecurity', { person: (await person()).id, newBase: '9000' })).errors).toMatchObject([
      { field: 'person', message: '该人员未参保' },
    ])
    const { person: who } = await enrolled('socialsecurity', { declaredBase: '12000' })
    expect((await adjust('socialsecurity', { person: who.id, newBase: '12000' })).errors).toMatchObject([
      { field: 'newBase' },
    ])
    expect((await adjust('socialsecurity', { person: who.id })).errors).toMatchObject([{ field: 'newBase' }])
    expect(
      (await adjust('socialsecurity', { person: who.id, newBase: '13000', effectiveMonth: '2026-02' })).errors,
    ).toMatchObject([{ field: 'effectiveMonth', message: '生效月份早于起缴月份' }])
    expect(
      (await adjust('socialsecurity', { person: who.id, newBase: '13000', adjustType: 'policy' })).errors,
    ).toMatchObject([{ field: 'adjustType' }])
  })

  test('cannot be revoked unless it is the last of its enrolment', async () => {
    const { person: who, enrolment } = await enrolled('socialsecurity', { declaredBase: '12000' })
    const first = (await adjust('socialsecurity', { person: who.id, newBase: '13000' })).result.id
    await call('socialsecurityAdjustment', 'succeed', first, { handleMonth: '2026-03' })
    const second = (await adjust('socialsecurity', { person: who.id, newBase: '14000', effectiveMonth: '2026-04' }))
      .result.id
    await call('socialsecurityAdjustment', 'succeed', second, { handleMonth: '2026-03' })
    expect(await call('socialsecurityAdjustment', 'revoke', first)).toMatchObject({ code: 409 })
    expect(await call('socialsecurityAdjustment', 'revoke', second)).toMatchObject({ code: 1 })
    expect(await detail('socialsecurityEnrolment', enrolment)).toMatchObject({
      declaredBase: '13000.00',
      lastAdjustMonth: '2026-03',
      pensionBase: '13000.00',
    })
  })

  test.skipIf(!isLong)('can be imported, and so can its result', async () => {
    const [first, second] = [
      await enrolled('socialsecurity', { declaredBase: '9000' }),
      await enrolled('socialsecurity', { declaredBase: '9000' }),
    ]
    const stranger = await person()
    const row = (idNumber: string, newBase: string, personName = '林晓演') => ({
      personName,
      person: idNumber,
      adjustType: '年度调基',
      effectiveMonth: '2026-07',
      newBase,
    })
    const { id, rows } = await checked('socialsecurityAdjustmentImport', [
      row(first.person.idNumber, '9900'),
      row(second.person.idNumber, '9000'),
      row(stranger.idNumber, '9900'),
      row(second.person.idNumber, '9900', '别人'),
    ])
    expect(rows.map((each) => [each.rowStatus, ...messagesOf(each)])).toEqual([
      ['toCreate'],
      ['failed', expect.stringContaining('新申报基数与原申报基数相同')],
      ['failed', expect.stringContaining('该人员未参保')],
      ['failed', expect.stringContaining('与系统数据不一致'), expect.stringContaining('重复')],
    ])
    const after = await written('socialsecurityAdjustmentImport', id)
    expect(after.map((each) => [each.rowStatus, ...messagesOf(each)]).slice(0, 2)).toEqual([
      ['created'],
      ['failed', expect.stringContaining('新申报基数与原申报基数相同')],
    ])
    expect(await ticketsOf('socialsecurityAdjustment', first.person.id)).toMatchObject([
      { source: 'import', newBase: '9900.00', status: 'pending' },
    ])
    // A row for the same month corrects the open ticket; a row for another month is refused.
    for (const [effectiveMonth, newBase, ...result] of [
      ['2026-07', '9950', 'updated'],
      ['2026-08', '12000', 'failed', expect.stringContaining('该人员有办理中的任务')],
    ]) {
      const again = await checked('socialsecurityAdjustmentImport', [
        { ...row(first.person.idNumber, newBase), effectiveMonth },
      ])
      const [updated] = await written('socialsecurityAdjustmentImport', again.id)
      expect([updated.rowStatus, ...messagesOf(updated)]).toEqual(result)
    }
    expect(await ticketsOf('socialsecurityAdjustment', first.person.id)).toMatchObject([
      { effectiveMonth: '2026-07', newBase: '9950.00', status: 'pending' },
    ])
    const results = await checked('socialsecurityAdjustmentHandleImport', [
      { personName: '林晓演', person: first.person.idNumber, result: '办理成功', handleMonth: '2026-03' },
      { personName: '林晓演', person: second.person.idNumber, result: '办理成功', handleMonth: '2026-03' },
    ])
    expect(results.rows.map(({ rowStatus }) => rowStatus)).toEqual(['toUpdate', 'failed'])
    await written('socialsecurityAdjustmentHandleImport', results.id)
    expect(await detail('socialsecurityEnrolment', first.enrolment)).toMatchObject({
      declaredBase: '9950.00',
      lastAdjustMonth: '2026-07',
    })
  })
})

describe('a yearly base collection', () => {
  const factsIn = ({ result }: { result: { facts: Record<'label' | 'value', Label>[] } }) =>
    result.facts.map(({ label, value }) => `${label.cn} ${value.cn}`)
  const rowsOf = async (family: string, year: number): Promise<RecordData[]> =>
    (await house.admin.get(`/welfare/${family}BaseChange/list`, { filters: { year: { equals: year } }, size: 100 }))
      .result.list

  test('starts with one row for everybody enrolled, only once', async () => {
    const { person: who } = await enrolled('medicalinsurance', { declaredBase: '9000' })
    const { result: proposed } = await house.admin.post('/welfare/medicalinsuranceBaseChange/start/prepare', {})
    expect(proposed.values).toMatchObject({ year: 2026, effectiveMonth: '2026-07', averageFrom: 'payroll' })
    const values = { year: 2026, effectiveMonth: '2026-07', averageFrom: 'blank', city: '110100' }
    const start = () => house.admin.post('/welfare/medicalinsuranceBaseChange/start', { values })
    const foreseen = async () =>
      factsIn(await house.admin.post('/welfare/medicalinsuranceBaseChange/start/foresee', { values }))
    expect(await foreseen()).toEqual(['将生成申报记录 1', '客户 1', '本年度已有记录 0'])
    expect(await rowsOf('medicalinsurance', 2026)).toEqual([])
    expect(await start()).toMatchObject({ code: 1, result: { made: 1 } })
    expect(await foreseen()).toEqual(['将生成申报记录 0', '客户 0', '本年度已有记录 1'])
    expect((await start()).result).toMatchObject({ made: 0 })
    expect(await rowsOf('medicalinsurance', 2026)).toMatchObject([
      {
        person: { id: who.id },
        status: 'collecting',
        oldBase: '9000.00',
        newBase: null,
        clamp: null,
        effectiveMonth: '2026-07',
        customer: { id: all.around.customer },
      },
    ])
  })

  test('is declared, confirmed and becomes an adjustment, unless the base is unchanged', async () => {
    const changed = await enrolled('accumulationfund', { declaredBase: '9000', fundCompanyRate: '7' })
    const same = await enrolled('accumulationfund', { declaredBase: '9000', fundCompanyRate: '7' })
    const entity = 'accumulationfundBaseChange'
    await house.admin.post(`/welfare/${entity}/start`, {
      values: { year: 2026, effectiveMonth: '2026-07', averageFrom: 'blank' },
    })
    const rowOf = async (insured: { person: { id: number } }) =>
      (await rowsOf('accumulationfund', 2026)).find((row) => idOf(row.person) === insured.person.id)!
    const row = await rowOf(changed)
    expect(await call(entity, 'declare', row.id!)).toMatchObject({ code: 409 })
    const update = async (record: RecordData, values: Record<string, Value>) =>
      house.admin.post(`/welfare/${entity}/update`, {
        id: record.id,
        revision: (await detail(entity, record.id!)).revision,
        values,
      })
    expect(await update(row, { averageWage: '2000', newBase: '2000' })).toMatchObject({ code: 1 })
    expect(await detail(entity, row.id!)).toMatchObject({
      status: 'declared',
      clamp: 'below',
      base: '2420.00',
      changePercent: '-77.7800',
    })
    // Sent with the revision before, because the write of the save's own procedure belongs to that save.
    const late = (values: Record<string, Value>) =>
      house.admin.post(`/welfare/${entity}/update`, { id: row.id, revision: row.revision, values })
    expect(await late({ newBase: '3000' })).toMatchObject({
      code: 409,
      conflict: { fields: { newBase: { base: null, theirs: '2000.00', mine: '3000.00' } } },
    })
    expect(await late({ remark: '并行' })).toMatchObject({ code: 1 })
    expect(
      await suggested(
        entity,
        { person: changed.person.id, year: 2026, averageWage: '40000', effectiveMonth: '2026-07' },
        ['averageWage'],
      ),
    ).toMatchObject({ newBase: '40000.00', clamp: 'above', base: '35283.00' })
    expect(await update(row, { newBase: '13520.35' })).toMatchObject({ code: 1 })
    expect(await update(await rowOf(same), { newBase: '9000' })).toMatchObject({ code: 1 })
    for (const item of [row, await rowOf(same)]) {
      expect(await call(entity, 'confirm', item.id!)).toMatchObject({ code: 1 })
    }
    const foreseen = [
      await call(entity, 'generate/foresee', row.id!),
      await call(entity, 'generate/foresee', (await rowOf(same)).id!),
    ]
    expect(await ticketsOf('accumulationfundAdjustment', changed.person.id)).toEqual([])
    for (const item of [row, await rowOf(same)]) {
      expect(await call(entity, 'generate', item.id!)).toMatchObject({ code: 1 })
      expect(await detail(entity, item.id!)).toMatchObject({ status: 'generated' })
    }
    expect((await update(row, { newBase: '14000' })).code).toBe(409)
    expect(await ticketsOf('accumulationfundAdjustment', same.person.id)).toEqual([])
    expect(await ticketsOf('accumulationfundAdjustment', changed.person.id)).toMatchObject([
      {
        source: 'baseChange',
        baseChange: { id: row.id },
        adjustType: 'annual',
        effectiveMonth: '2026-07',
        oldBase: '9000.00',
        newBase: '13520.35',
        status: 'pending',
      },
    ])
    const [{ companyDiff, personalDiff }] = await ticketsOf('accumulationfundAdjustment', changed.person.id)
    expect(foreseen.map(factsIn)).toEqual([
      ['将生成调整任务 1', '无变化 0', `单位每月增减 ￥${companyDiff}`, `个人每月增减 ￥${personalDiff}`],
      ['将生成调整任务 0', '无变化 1', '单位每月增减 ￥0.00', '个人每月增减 ￥0.00'],
    ])
    expect(Number(companyDiff)).toBeGreaterThan(0)
  })

  test.skipIf(!isLong)('can be imported: missing rows are created, and confirmed rows stay', async () => {
    const [first, second] = [
      await enrolled('socialsecurity', { declaredBase: '9000' }),
      await enrolled('socialsecurity', { declaredBase: '9000' }),
    ]
    const row = (idNumber: string, averageWage: string, newBase = '') => ({
      year: '2027',
      personName: '林晓演',
      person: idNumber,
      averageWage,
      newBase,
      personConfirmed: '是',
    })
    const batch = await checked('socialsecurityBaseChangeImport', [
      row(first.person.idNumber, '13520.35'),
      row(second.person.idNumber, '10000', '11000'),
    ])
    expect(batch.rows.map(({ rowStatus }) => rowStatus)).toEqual(['toCreate', 'toCreate'])
    await written('socialsecurityBaseChangeImport', batch.id)
    const made = await rowsOf('socialsecurity', 2027)
    expect(
      made
        .map(
          ({ newBase, status, effectiveMonth, personConfirmed, pensionBase }) =>
            `${String(newBase)} ${String(status)} ${String(effectiveMonth)} ${String(personConfirmed)} ${String(pensionBase)}`,
        )
        .sort(),
    ).toEqual(['11000.00 declared 2027-07 true 11000.00', '13520.35 declared 2027-07 true 13520.00'])
    expect(
      await call('socialsecurityBaseChange', 'confirm', made.find(({ newBase }) => newBase === '11000.00')!.id!),
    ).toMatchObject({ code: 1 })
    const again = await checked('socialsecurityBaseChangeImport', [
      row(first.person.idNumber, '14000'),
      row(second.person.idNumber, '12000'),
    ])
    expect(again.rows.map((each) => [each.rowStatus, ...messagesOf(each)])).toEqual([
      ['toUpdate'],
      ['failed', expect.stringContaining('该人员年度基数已确认')],
    ])
  })
})
