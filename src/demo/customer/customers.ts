import type { RecordData } from '../../../engine/model/model.ts'
import { companyAccount, landline, mobile, uscc } from '../identifiers.ts'
import { bankBranch, brands, cities, personName, streetAddress, trades } from '../pools.ts'
import type { Random } from '../random.ts'
import { customerPast } from './customerPast.ts'
import type { CustomerPast } from './customerPast.ts'
import type { DemoCustomer, DemoSurroundings } from './DemoCustomer.ts'

/** Names stay distinct far beyond a hundred thousand: brand, trade, city, second brand, then a number. */
function names(index: number) {
  const place = ((index * 37) % 150) + Math.floor(index / 150) * 150
  const [brand, pinyin] = brands[place % 15]
  const [trade, industry] = trades[Math.floor(place / 15) % 10]
  const city = cities[(Math.floor(place / 150) + place) % 12]
  const round = Math.floor(place / 150)
  const second = round === 0 ? '' : brands[round % 15][0]
  const number = Math.floor(round / 15)
  const suffix = number ? String(number + 1) : ''
  return { brand: brand + second + suffix, pinyin: `${pinyin}${index}`, trade, industry, city }
}

/**
 * A customer's base data; the sections below draw their random numbers in a fixed order, so that the demo stays the
 * same.
 */
function companyOf(random: Random, index: number) {
  const { brand, pinyin, trade, industry, city } = names(index)
  const type = random.weighted([
    ['enterprise', 80],
    ['branch', 6],
    ['soleTrader', 4],
    ['institution', 4],
    ['socialOrg', 3],
    ['overseas', 3],
  ] as const)
  const form =
    type === 'enterprise'
      ? random.weighted([
          ['有限公司', 85],
          ['股份有限公司', 15],
        ] as const)
      : { branch: '有限公司分公司', soleTrader: '经营部', institution: '中心', socialOrg: '协会', overseas: '代表处' }[
          type
        ]
  const corporateName = `${brand}${trade}（演示）${form}`
  const code = type === 'overseas' ? null : uscc(random, type)
  const billingType = random.weighted([
    ['eSpecial', 50],
    ['eNormal', 25],
    ['paperSpecial', 10],
    ['paperNormal', 8],
    ['none', 7],
  ] as const)
  const special = billingType === 'eSpecial' || billingType === 'paperSpecial'
  const billed = billingType !== 'none'
  const paymentTerms = random.weighted([
    ['prepaid', 45],
    ['net30', 20],
    ['monthEnd', 10],
    ['fixedDay', 10],
    ['net15', 8],
    ['net45', 4],
    ['net60', 3],
  ] as const)
  const address = `${city.name}${city.district}${streetAddress(random)}`
  const consigneeMobile = mobile(random)
  const mail = (box: string) => `${box}@${pinyin}.example.com`
  return {
    brand,
    pinyin,
    trade,
    industry,
    city,
    type,
    corporateName,
    code,
    billingType,
    special,
    billed,
    paymentTerms,
    address,
    consigneeMobile,
    mail,
  }
}

type Company = ReturnType<typeof companyOf>

interface Drawn {
  index: number
  around: DemoSurroundings
  company: Company
  past: CustomerPast
}

export function customer(random: Random, index: number, around: DemoSurroundings): DemoCustomer {
  const company = companyOf(random, index)
  const past = customerPast(random, { index, around, corporateName: company.corporateName })
  const { approvals, support } = past
  const drawn: Drawn = { index, around, company, past }
  const values: RecordData = {
    ...companyValues(random, drawn),
    ...invoiceValues(random, drawn),
    ...serviceValues(random, drawn),
    ...approvalValues(drawn),
    pictures:
      company.type === 'overseas'
        ? [around.picture('门头照片', index)]
        : random.chance(0.3)
          ? [around.picture('授权委托书', index), around.picture('印鉴卡', index + 2)]
          : null,
    remark: random.chance(0.1) ? '重要客户，每月对账前先电话沟通' : null,
    createdBy: support,
    createdAt: approvals[0].at,
    updatedBy: approvals[approvals.length - 1].by,
    updatedAt: approvals[approvals.length - 1].at,
  }
  return { values, contacts: contactsOf(random, company), approvals }
}

function companyValues(random: Random, { index, around, company }: Drawn): RecordData {
  const { brand, pinyin, trade, industry, city, type, corporateName, code, address } = company
  return {
    account: `${pinyin}_demo`,
    type,
    name: `${brand}${trade.slice(0, 2)}`,
    corporateName,
    uscc: code,
    licenseImage: [around.picture('营业执照', index)],
    legalRepresentative: personName(random),
    establishedDate: around.daysAgo(random.integer(1200, 9000)).slice(0, 10),
    industry,
    scale: random.weighted([
      ['s1', 35],
      ['s2', 45],
      ['s3', 15],
      ['s4', 4],
      ['s5', 1],
    ] as const),
    region: city.region,
    address,
    classification: random.pick([
      '重点客户/制造',
      '重点客户/科技',
      '重点客户/服务',
      '普通客户/本地',
      '普通客户/外地',
      '潜力客户',
      '普通客户',
    ]),
    registrationMethod: random.weighted([
      ['backOffice', 70],
      ['migration', 30],
    ] as const),
  }
}

/** The data printed on invoices, and where they are sent. */
function invoiceValues(random: Random, { index, around, company }: Drawn): RecordData {
  const { brand, trade, city, code, corporateName, billingType, special, billed, address, consigneeMobile, mail } =
    company
  return {
    billingType,
    invoiceTitle: billed ? corporateName : null,
    taxNumber: billed ? (code ?? `99${random.digits(16)}`) : null,
    depositBank: special || (billed && random.chance(0.5)) ? bankBranch(random, city.name) : null,
    bankAccount: special || (billed && random.chance(0.5)) ? companyAccount(random) : null,
    billingPhone: special ? landline(random) : null,
    generalTaxpayerCert: special ? [around.picture('一般纳税人证明', index + 1)] : null,
    invoiceEmail: billingType.startsWith('e') ? mail('fapiao') : null,
    payerNames: random.chance(0.15) ? [`${brand}${trade}控股（演示）有限公司`] : null,
    consigneeName: personName(random),
    consigneeMobile,
    consigneeAddress: `${address}${random.integer(2, 20)}楼`,
    invoiceMailingAddress: billingType.startsWith('paper') ? `${address}${random.integer(2, 20)}楼` : null,
  }
}

function serviceValues(random: Random, { index, around, company, past: { support } }: Drawn): RecordData {
  const { city, paymentTerms } = company
  return {
    supportStaff: support,
    salesman: random.pick(around.salesmen),
    agency: random.pick(around.agencies),
    serviceTypes: random.some(
      [
        'dispatch',
        'outsourcing',
        'jobOutsourcing',
        'insuranceAgency',
        'payrollAgency',
        'personnelAgency',
        'recruitment',
        'commercialInsurance',
      ],
      random.integer(1, 3),
    ),
    insuranceAccountMode: random.weighted([
      ['provider', 70],
      ['customer', 20],
      ['mixed', 10],
    ] as const),
    insuranceCities: random.chance(0.7) ? [city.code] : null,
    paymentTerms,
    paymentDay:
      paymentTerms === 'prepaid' ? random.integer(5, 15) : paymentTerms === 'fixedDay' ? random.integer(1, 28) : null,
    statementDay: 10,
    creditLimit: random.chance(0.4) ? `${random.integer(5, 50) * 10_000}.00` : '0.00',
    openingBalance:
      index === 14 || random.chance(0.1)
        ? `${random.integer(500, 80_000)}.${String(random.integer(0, 99)).padStart(2, '0')}`
        : null,
  }
}

function approvalValues({ around, past }: Drawn): RecordData {
  const { state, status, support, submissionTime, approvalTime, rejectReason, changes } = past
  return {
    approvalStatus: status,
    accountStatus: state === 'disabled' || (status !== 'approved' && state !== 'changed') ? 'disabled' : 'enabled',
    submissionTime,
    submitter: support,
    approvalTime,
    approver: approvalTime ? around.approver : null,
    rejectReason,
    changedFields: changes ? { ...changes } : null,
  }
}

const contactsOf = (random: Random, { mail }: Company): RecordData[] =>
  Array.from({ length: random.integer(1, 3) }, (_, position) => ({
    name: personName(random),
    position: random.pick(['人事经理', '人事专员', '财务主管', '行政主管', '会计']),
    kind:
      position === 0
        ? ['general', 'settlement']
        : random.some(['hr', 'insurance', 'invoice', 'legal'], random.integer(1, 2)),
    mobile: mobile(random),
    email: mail(`contact${position + 1}`),
    primary: position === 0,
  }))
