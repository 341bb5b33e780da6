import type { Value } from '../../engine/model/model.ts'
import { givenFor } from '../importing.ts'
import type { HandlingHouse } from '../welfare/handled.ts'
import { call, type Case, create, done, endpointOf, found, update, updateCell } from './Case.ts'

const name = '林晓演'
const source = { source: 'says that it came in a file' }
type Make = (all: HandlingHouse) => Promise<Case>

/** A waiting ticket, and the name of its handling in a file. */
async function handled(
  { house }: HandlingHouse,
  {
    batches,
    entity,
    id,
    idNumber,
    month = {},
  }: { batches: string; entity: string; id: number; idNumber: string; month?: Record<string, string> },
  [word, transition, cells, values]: [string, string, Record<string, string>, Record<string, Value>],
): Promise<Case> {
  const row = { personName: name, person: idNumber, result: word, ...month, ...cells }
  return {
    batches,
    row,
    given: await givenFor(house, batches, [row]),
    ways: { [transition]: () => call(house, entity, transition, id, values) },
    ...(transition !== 'succeed' && {
      differs: {
        handleMonth: 'the file names one month for all of its rows',
        failReason: 'the file has one column of reasons',
      },
    }),
  }
}

const results: [string, string, Record<string, string>, Record<string, Value>][] = [
  ['办理成功', 'succeed', { handleMonth: '2026-03' }, { handleMonth: '2026-03' }],
  ['办理失败', 'fail', { handleMonth: '2026-03', failReason: '原单位未停保' }, { failReason: '原单位未停保' }],
  ['退回', 'return', { handleMonth: '2026-03', failReason: '缺材料' }, { returnReason: '缺材料' }],
]

const made = async (answer: ReturnType<typeof create>): Promise<number> => (await done(answer)).id!

/** Makes a ticket of each kind, ready to be handled. */
const tickets: Record<string, (all: HandlingHouse) => Promise<{ id: number; idNumber: string }>> = {
  async Addition(all) {
    const who = await all.person()
    return { idNumber: who.idNumber, id: await made(all.add('socialsecurity', { person: who.id })) }
  },
  async Adjustment(all) {
    const { person } = await all.enrolled('socialsecurity', { declaredBase: '12000' })
    const values = { person: person.id, adjustType: 'midyear', effectiveMonth: '2026-03', newBase: '13500' }
    return { idNumber: person.idNumber, id: await made(all.create('socialsecurityAdjustment', values)) }
  },
  async Reduction(all) {
    const { person } = await all.enrolled('socialsecurity')
    const values = { person: person.id, reductionReason: 'resign', lastMonth: '2026-03' }
    return { idNumber: person.idNumber, id: await made(all.create('socialsecurityReduction', values)) }
  },
  async Supplement(all) {
    const who = await all.person()
    const values = {
      person: who.id,
      supplementType: 'missed',
      fromMonth: '2026-01',
      toMonth: '2026-02',
      reason: '漏报',
      base: '5000',
    }
    return { idNumber: who.idNumber, id: await made(all.create('socialsecuritySupplement', values)) }
  },
}

const handlings = Object.entries(tickets).flatMap(([kind, ticket]) =>
  results.map((result): [string, Make] => [
    `${kind}: ${result[1]}`,
    async (all) =>
      handled(
        all,
        { batches: `socialsecurity${kind}HandleImport`, entity: `socialsecurity${kind}`, ...(await ticket(all)) },
        result,
      ),
  ]),
)

/** A person whose base is collected, and how a file names them. */
async function collected({ house, enrolled }: HandlingHouse) {
  const { person } = await enrolled('socialsecurity', { declaredBase: '9000' })
  const entity = 'socialsecurityBaseChange'
  await done(
    house.admin.post(`${endpointOf(house, entity)}/start`, {
      values: { year: 2026, effectiveMonth: '2026-07', averageFrom: 'blank', city: '110100' },
    }),
  )
  const { id } = await found(house, entity, { person: { equals: person.id } })
  return { entity, id: id!, row: { year: '2026', personName: name, person: person.idNumber } }
}

/** One family represents all families of its template. */
export const welfareCases: Record<string, Make> = {
  async 'Addition: a new one'(all) {
    const who = await all.person()
    const values = { additionType: 'new', startMonth: '2026-03', declaredBase: '5000.00', workForm: 'contract' }
    return {
      batches: 'socialsecurityAdditionImport',
      row: {
        personCustomer: all.around.name,
        personName: name,
        person: who.idNumber,
        city: '北京',
        ...values,
        workForm: '劳动合同',
        additionType: '新参保',
      },
      given: { givenPersonCustomer: all.around.customer },
      ways: { form: () => create(all.house, 'socialsecurityAddition', { person: who.id, city: '110100', ...values }) },
      differs: source,
    }
  },
  async 'Addition: one that was returned'(all) {
    const { id, idNumber } = await tickets.Addition(all)
    await done(call(all.house, 'socialsecurityAddition', 'return', id, { returnReason: '缺材料' }))
    const values = { declaredBase: '8000.00' }
    return {
      batches: 'socialsecurityAdditionImport',
      row: {
        personCustomer: all.around.name,
        personName: name,
        person: idNumber,
        city: '北京',
        additionType: '新参保',
        startMonth: '2026-03',
        workForm: '劳动合同',
        ...values,
      },
      given: { givenPersonCustomer: all.around.customer },
      ways: {
        form: () => update(all.house, 'socialsecurityAddition', id, { ...values, city: '110100' }),
        cell: () => updateCell(all.house, 'socialsecurityAddition', id, values),
      },
      differs: source,
    }
  },
  async 'Adjustment: a new one'(all) {
    const { person } = await all.enrolled('socialsecurity', { declaredBase: '12000' })
    const values = { effectiveMonth: '2026-03', newBase: '13500.00' }
    return {
      batches: 'socialsecurityAdjustmentImport',
      row: { personName: name, person: person.idNumber, adjustType: '中途调基', ...values },
      given: { givenEffectiveMonth: '2026-03' },
      ways: {
        form: () =>
          create(all.house, 'socialsecurityAdjustment', { person: person.id, adjustType: 'midyear', ...values }),
      },
      differs: source,
    }
  },
  async 'Reduction: a new one'(all) {
    const { person } = await all.enrolled('socialsecurity')
    const values = { lastMonth: '2026-03' }
    return {
      batches: 'socialsecurityReductionImport',
      row: {
        personCustomer: all.around.name,
        personName: name,
        person: person.idNumber,
        reductionReason: '离职',
        ...values,
      },
      given: { givenPersonCustomer: all.around.customer },
      ways: {
        form: () =>
          create(all.house, 'socialsecurityReduction', { person: person.id, reductionReason: 'resign', ...values }),
      },
      differs: source,
    }
  },
  async 'Supplement: a new one'(all) {
    const who = await all.person()
    const values = { fromMonth: '2026-01', toMonth: '2026-02', base: '5000.00', reason: '漏报' }
    return {
      batches: 'socialsecuritySupplementImport',
      row: {
        personCustomer: all.around.name,
        personName: name,
        person: who.idNumber,
        supplementType: '漏缴',
        lateFeeBearer: '客户',
        ...values,
      },
      given: { givenPersonCustomer: all.around.customer },
      ways: {
        form: () =>
          create(all.house, 'socialsecuritySupplement', {
            person: who.id,
            supplementType: 'missed',
            lateFeeBearer: 'customer',
            ...values,
          }),
      },
      differs: source,
    }
  },
  async 'BaseChange: a wage that is collected'(all) {
    const { entity, id, row } = await collected(all)
    const values = { averageWage: '13520.35', newBase: '13520.35' }
    return {
      batches: `${entity}Import`,
      row: { ...row, ...values },
      given: { givenYear: 2026 },
      ways: { form: () => update(all.house, entity, id, values) },
    }
  },
  async 'BaseChange: a base that is typed into the list'(all) {
    const { entity, id, row } = await collected(all)
    const values = { newBase: '9800.00' }
    return {
      batches: `${entity}Import`,
      row: { ...row, ...values },
      given: { givenYear: 2026 },
      ways: {
        form: () => update(all.house, entity, id, values),
        cell: () => updateCell(all.house, entity, id, values),
      },
    }
  },
  async 'ExpenseLine: somebody the bureau knows and we do not'({ house, enrolled }) {
    const { enrolment } = await enrolled('socialsecurity', { declaredBase: '12000' })
    await done(house.admin.post('/welfare/socialsecurityExpenseSummary/generate', { values: { feeMonth: '2026-03' } }))
    const at = (await house.admin.get('/welfare/socialsecurityEnrolment/detail', { id: enrolment })).result
    const amounts = {
      pensionActualBase: '12000.00',
      pensionActualCompany: '1920.00',
      pensionActualPersonal: '960.00',
      actualTotal: '2880.00',
    }
    const who = { feeMonth: '2026-03', personName: '外人', idNumber: '990101199003074518', belongMonth: '2026-03' }
    const row = { ...who, account: '9900110100社保', expenseType: '正常缴费', ...amounts }
    return {
      batches: 'socialsecurityBigTableImport',
      row,
      given: await givenFor(house, 'socialsecurityBigTableImport', [row]),
      ways: {
        form: () =>
          create(house, 'socialsecurityExpenseLine', {
            ...who,
            account: (at.account as unknown as { id: number }).id,
            expenseType: 'normal',
            ...amounts,
          }),
      },
      differs: { reconcileStatus: 'a file of the bureau compares; who types a line in does not' },
    }
  },
  async 'Enrolment: its account number'(all) {
    const { person, enrolment } = await all.enrolled('accumulationfund', { fundCompanyRate: '7' })
    // The lines of the month contain the number, too.
    await done(
      all.house.admin.post('/welfare/accumulationfundExpenseSummary/generate', { values: { feeMonth: '2026-03' } }),
    )
    const values = { personalAccountNo: '970000000012' }
    const row = { personName: name, person: person.idNumber, ...values }
    const entity = 'accumulationfundEnrolment'
    return {
      batches: 'accumulationfundPersonCodeImport',
      row,
      given: await givenFor(all.house, 'accumulationfundPersonCodeImport', [row]),
      ways: {
        form: () => update(all.house, entity, enrolment, values),
        editAccount: () => call(all.house, entity, 'editAccount', enrolment, values),
      },
    }
  },
  ...Object.fromEntries(handlings),
}
