import { edit, linesOf, act, approve, paid, payroll } from '../salary/salary.ts'
import type { RecordData } from '../../engine/model/model.ts'
import { billedCustomer } from '../statement.ts'
import type { TestServer } from '../server.ts'
import { call, type Case, create, done, endpointOf, found, idOf, update, updateCell } from './Case.ts'

const personOf = async (house: TestServer, id: number): Promise<RecordData> =>
  (await house.admin.get('/staff/person/detail', { id })).result

/** A line of a calculated payroll, with its names in a file. */
async function calculated(house: TestServer) {
  const at = await paid(house)
  const lines = await linesOf(house, at.payroll)
  await edit(house, lines[0], { baseSalary: '20000', afterTaxAdd: '1' })
  await done(act(house, at.payroll, 'calculate'))
  const { batchNo } = await payroll(house, at.payroll)
  const row = async (person: number) => {
    const { name, idNumber } = await personOf(house, person)
    return { payroll: String(batchNo), personName: String(name), person: String(idNumber) }
  }
  return { ...at, lines, row }
}

export const salaryCases: Record<string, (house: TestServer) => Promise<Case>> = {
  async 'wages of a calculated payroll'(house) {
    const { lines, people, row } = await calculated(house)
    const values = { baseSalary: '21000.00' }
    return {
      batches: 'payrollLineImport',
      row: { ...(await row(people[0])), ...values },
      ways: {
        form: () => update(house, 'payrollLine', lines[0].id!, { ...values, afterTaxAdd: '1.00' }),
        cell: () => updateCell(house, 'payrollLine', lines[0].id!, values),
      },
    }
  },

  async 'somebody more in a calculated payroll'(house) {
    const { lines, people, row, payroll: batch } = await calculated(house)
    await done(call(house, 'payrollLine', 'remove', lines[1].id!))
    await house.database.pool.query('update "payrollLine" set "deletedAt" = now() where id = $1', [lines[1].id])
    await done(act(house, batch, 'calculate'))
    return {
      batches: 'payrollLineImport',
      row: { ...(await row(people[1])), baseSalary: '7000.00' },
      ways: { form: () => create(house, 'payrollLine', { payroll: batch, person: people[1], baseSalary: '7000.00' }) },
    }
  },

  async 'what the bank says of a payment'(house) {
    const at = await paid(house, {}, { terms: { advanceAllowed: true, advanceLimit: '100000' }, heads: 1 })
    const [clerk, manager, cashier] = [
      await house.user('paying', ['payrollClerk']),
      await house.user('deciding', ['financeManager']),
      await house.user('cashing', ['cashier']),
    ]
    const bank = await house.create('/bank/bank', {
      bankName: '北辰示范银行',
      branchName: '北辰示范银行代发支行',
      cnapsCode: '991100000099',
      kind: 'jointStock',
      city: '320500',
      wageSupported: true,
    })
    const accountNo = '9900010000000123455'
    await house.create('/bank/personBankCard', {
      person: at.people[0],
      accountName: '员工甲',
      accountNo,
      bank,
      effectiveFrom: '2026-01',
    })
    const payerAccount = await house.create('/bank/companyAccount', {
      agency: at.agency,
      accountName: '示范派遣有限公司',
      accountNo: '9900880000000029',
      bank,
      accountKind: 'general',
      purpose: ['wage'],
      payFormat: 'csv',
    })
    await approve(house, at.payroll, { clerk, manager })
    const values = { payrolls: [at.payroll], payerAccount, payMethod: 'bankFile', planPayDate: '2026-03-16' }
    const path = endpointOf(house, 'payBatch')
    const { id } = await done(clerk.post(`${path}/create`, { values }))
    for (const [name, as] of [
      ['submit', clerk],
      ['approve', manager],
      ['send', cashier],
    ] as const)
      await done(as.post(`${path}/${name}`, { id }))
    const { batchNo } = (await house.admin.get(`${path}/detail`, { id })).result
    const line = await found(house, 'payLine', { payBatch: { equals: id! } })
    const failure = { result: 'failed', failReason: '账号有误' }
    return {
      batches: 'payLineImport',
      row: {
        payBatch: String(batchNo),
        lineNo: '1',
        accountName: '员工甲',
        accountNo,
        amount: String(line.amount),
        result: '失败',
        failReason: '账号有误',
      },
      ways: {
        form: () => update(house, 'payLine', line.id!, failure),
        markResult: () => call(house, 'payLine', 'markResult', line.id!, failure),
      },
    }
  },

  async 'a filing without income'(house) {
    const {
      people: [person],
    } = await billedCustomer(house, { heads: 1 })
    const { name, idNumber } = await personOf(house, person)
    return {
      batches: 'personalTaxImport',
      row: {
        personName: String(name),
        idType: '居民身份证',
        person: String(idNumber),
        taxMonth: '2026-02',
        taxSubject: '我司代扣代缴',
        zeroReason: '停薪留职',
      },
      ways: {
        form: () => create(house, 'personalTax', { person, taxMonth: '2026-02', zeroReason: 'unpaidLeave' }),
      },
    }
  },

  async 'a deduction that was carried forward'(house) {
    const {
      people: [person],
    } = await billedCustomer(house, { heads: 1 })
    const path = endpointOf(house, 'specialDeduction')
    for (const [taxMonth, cumHousingRent] of [
      ['2026-01', '1500'],
      ['2026-02', '3000'],
    ])
      await house.create(path, { person, taxMonth, cumHousingRent })
    await done(house.admin.post(`${path}/carry`, { values: { taxMonth: '2026-03' } }))
    const carried = await found(house, 'specialDeduction', {
      person: { equals: person },
      taxMonth: { equals: '2026-03' },
    })
    const { name, idNumber } = await personOf(house, idOf(carried.person))
    const values = { cumHousingRent: '4000.00' }
    return {
      batches: 'specialDeductionImport',
      row: {
        personName: String(name),
        idType: '居民身份证',
        person: String(idNumber),
        taxMonth: '2026-03',
        ...values,
      },
      ways: {
        form: () => update(house, 'specialDeduction', carried.id!, { ...values, remark: null }),
        cell: () => updateCell(house, 'specialDeduction', carried.id!, values),
      },
      differs: { source: 'says that it came in a file' },
    }
  },

  async 'a benefit of a whole customer, whose contract nobody names'(house) {
    const { customer, name } = await billedCustomer(house, { heads: 0 })
    const values = { feeMonth: '2026-03', itemName: '端午礼盒', supplier: '演示商贸', quantity: 20, unitPrice: '100' }
    return {
      batches: 'otherBenefitImport',
      row: { ...values, quantity: '20', customer: name, benefitType: '节日福利' },
      ways: { form: () => create(house, 'otherBenefit', { ...values, customer, benefitType: 'welfareGoods' }) },
    }
  },
}
