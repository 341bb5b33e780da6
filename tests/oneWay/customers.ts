import { customerValues, uscc } from '../customer.ts'
import { customerRow } from '../importing.ts'
import { contract, contracts, employee, employer, laborValues, serviceValues, sign } from '../contract.ts'
import type { TestServer } from '../server.ts'
import { type Case, create, update, updateCell } from './Case.ts'

/** A signed contract of a customer with one employee, with their names in files. */
async function expiring(house: TestServer) {
  const at = await employer(house)
  const service = await house.create(
    contracts,
    serviceValues(at.customer, at.agency, { startDate: '2025-04-01', endDate: '2026-03-31' }),
  )
  await sign(house, service, '2025-04-01')
  const person = await employee(house, { customer: at.customer, agency: at.agency, service })
  return { ...at, service, person }
}

export const customerCases: Record<string, (house: TestServer) => Promise<Case>> = {
  async 'a new customer'(house) {
    const values = await customerValues(house, {
      uscc: uscc(700),
      account: 'imported700',
      name: '进口客户700',
      corporateName: '进口客户（演示）有限公司700',
      depositBank: '没有发票时不显示的银行',
    })
    return {
      batches: 'customerImport',
      row: customerRow(700, {
        paymentTerms: '确认后30天',
        statementDay: '10',
        depositBank: '没有发票时不显示的银行',
      }) as Record<string, string>,
      ways: { form: () => create(house, 'customer', values) },
      differs: {
        registrationMethod: 'says that it came in a file',
        licenseImage: 'no cell holds a picture: it is asked for before approval',
        approvalAttachments: 'no cell holds a file',
      },
    }
  },

  async 'a rejected customer that is submitted again'(house) {
    const values = await customerValues(house)
    const id = await house.create('/customer', values)
    await house.admin.post('/customer/reject', { id, values: { rejectReason: '资料不完整，请补充' } })
    const change = { remark: '补充说明' }
    return {
      batches: 'customerImport',
      row: { uscc: String(values.uscc), ...change },
      given: { updateExisting: true },
      ways: {
        form: () => update(house, 'customer', id, { ...change, address: String(values.address) }),
        cell: () => updateCell(house, 'customer', id, change),
      },
    }
  },

  async 'a rejected customer without invoices that gets another name'(house) {
    const values = await customerValues(house)
    const id = await house.create('/customer', values)
    await house.admin.post('/customer/reject', { id, values: { rejectReason: '资料不完整，请补充' } })
    const change = { corporateName: '改名后的客户（演示）有限公司' }
    return {
      batches: 'customerImport',
      row: { uscc: String(values.uscc), ...change },
      given: { updateExisting: true },
      ways: { form: () => update(house, 'customer', id, change) },
    }
  },

  async 'a receipt'(house) {
    const bank = await house.create('/bank/bank', {
      bankName: '北辰示范银行',
      branchName: '北辰示范银行演示支行',
      cnapsCode: '990100000018',
      kind: 'stateOwned',
      city: '310100',
    })
    const companyAccount = await house.create('/bank/companyAccount', {
      agency: (await employer(house)).agency,
      accountName: '示范派遣有限公司',
      accountNo: '9900880000000012',
      bank,
      accountKind: 'basic',
      purpose: ['receipt'],
    })
    const values = {
      receivedDate: '2026-03-10',
      amount: '1000.00',
      method: 'bankTransfer',
      companyAccount,
      payerName: '陌生付款人',
      bankSerialNo: 'ONEWAY1',
    }
    return {
      batches: 'receiptImport',
      row: {
        receivedDate: '2026-03-10',
        companyAccount: '9900880000000012',
        payerName: values.payerName,
        amount: '1000.00',
        method: '银行转账',
        bankSerialNo: 'ONEWAY1',
      },
      ways: { form: () => create(house, 'receipt', values) },
      differs: {
        entryMode: 'says that it came in a file',
        'settlementJournal.action': 'says that it came in a file',
      },
    }
  },

  async 'the renewal of a labour contract'(house) {
    const at = await expiring(house)
    const old = await house.create(
      contracts,
      laborValues(at.customer, at.agency, at.person.id, { monthlyWage: '7000' }),
    )
    await sign(house, old, '2026-03-01')
    const { contractNo } = await contract(house, old)
    const dates = { startDate: '2026-04-01', endDate: '2029-03-31' }
    return {
      batches: 'laborRenewalImport',
      row: {
        renewalOf: String(contractNo),
        customer: at.name,
        personName: '林晓演',
        personIdNumber: at.person.idNumber,
        termType: '固定期限',
        ...dates,
      },
      ways: {
        form: () => create(house, 'contract', { renewalOf: old, termType: 'fixed', probationMonths: 0, ...dates }),
      },
    }
  },

  async 'the renewal of a service contract'(house) {
    const at = await expiring(house)
    const { contractNo } = await contract(house, at.service)
    const dates = { startDate: '2026-04-01', endDate: '2027-03-31' }
    return {
      batches: 'serviceRenewalImport',
      row: { renewalOf: String(contractNo), customer: at.name, ...dates },
      ways: { form: () => create(house, 'contract', { renewalOf: at.service, ...dates }) },
    }
  },

  async 'somebody who joins'(house) {
    const at = await expiring(house)
    const { contractNo } = await contract(house, at.service)
    const families = house.runtime.derived.catalog.families.handling.map(({ key }) => `${String(key)}Needed`)
    const same = {
      name: '何静',
      idNumber: '990101199506072223',
      mobile: '15400000026',
      position: '测试工程师',
      entryDate: '2026-03-10',
    }
    return {
      batches: 'personJoinImport',
      row: {
        customer: at.name,
        serviceContract: String(contractNo),
        idType: '居民身份证',
        householdType: '外地城镇',
        workCity: '上海',
        insuranceCity: '上海',
        employmentForm: '外包用工',
        baseSalary: '12000.00',
        ...Object.fromEntries(families.map((name) => [name, '否'])),
        ...same,
      },
      ways: {
        form: () =>
          create(house, 'person', {
            customer: at.customer,
            serviceContract: at.service,
            idType: 'idcard',
            householdType: 'otherUrban',
            workCity: '310100',
            insuranceCity: '310100',
            employmentForm: 'outsourcing',
            baseSalary: '12000.00',
            ...Object.fromEntries(families.map((name) => [name, false])),
            ...same,
          }),
      },
    }
  },

  async 'somebody who leaves'(house) {
    const at = await expiring(house)
    return {
      batches: 'personLeaveImport',
      row: {
        customer: at.name,
        name: '林晓演',
        idNumber: at.person.idNumber,
        leaveDate: '2026-03-31',
        leaveReason: '员工辞职',
      },
      ways: {
        leave: () =>
          house.admin.post('/staff/person/leave', {
            id: at.person.id,
            values: { leaveDate: '2026-03-31', leaveReason: 'resignation' },
          }),
      },
    }
  },
}
