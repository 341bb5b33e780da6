import { sql } from 'kysely'
import { addDays, addMonths, Decimal } from '../../engine/expression/index.ts'
import type { Context, Db } from '../../engine/server/runtime.ts'
import { tableOf } from '../../engine/server/scope.ts'
import { insertRecords } from '../../engine/server/write.ts'
import type { RecordData } from '../../engine/schema/model.ts'
import { Random } from './random.ts'

interface Employed {
  id: number; customer: number; city: string; employmentForm: string; baseSalary: string; entryDate: string; leaveDate: string | null
}
interface ServiceTerm { id: number; customer: number; startDate: string; lastDay: string | null }

const lastDay = (month: string) => addDays(addMonths(`${month}-01`, 1)!, -1)!
const percent = (amount: string, rate: string) => new Decimal(amount).times(rate).dividedBy(100).toFixed(2)
const times = (amount: string, factor: number) => new Decimal(amount).times(factor).toFixed(2)

/**
 * What payroll and welfare deliver for these bill months: wages of the month before, insurance and other benefits of the month itself, for
 * everybody who is at work with a customer that has a service contract then.
 */
export async function writeCostLines(context: Context, db: Db, months: readonly string[], seed: number): Promise<void> {
  const { entities } = context.derived.catalog
  const { rows: people } = await sql<Employed>`select id, customer, "insuranceCity" as city, "employmentForm", "baseSalary"::text as "baseSalary", "entryDate", "leaveDate"
    from ${tableOf(context, entities.person)} where "deletedAt" is null and "employmentStatus" <> 'cancelled' order by id`.execute(db)
  const { rows: terms } = await sql<ServiceTerm>`select id, customer, "startDate", "lastDay" from ${tableOf(context, entities.contract)}
    where category = 'service' and stage in ('signed', 'terminated') order by "startDate"`.execute(db)
  const contractOf = (customer: number, month: string) =>
    terms.findLast((term) => term.customer === customer && term.startDate <= lastDay(month) && (term.lastDay ?? '9999') >= `${month}-01`)?.id
  const isThere = ({ entryDate, leaveDate }: Employed, month: string) => entryDate <= lastDay(month) && (leaveDate === null || leaveDate >= `${month}-01`)

  const random = new Random(seed)
  for (const month of months) {
    const before = addMonths(month, -1)!
    const lines: RecordData[] = []
    const customers = new Set(people.map(({ customer }) => customer))
    for (const customer of customers) {
      const contract = contractOf(customer, month)
      if (contract === undefined) continue
      const own = people.filter((person) => person.customer === customer)
      const delivered = { customer, contract }
      for (const person of own) {
        if (isThere(person, before)) lines.push(...wages(random, person, before).map((line) => ({ ...delivered, ...line })))
        if (isThere(person, month)) lines.push(...insurance(random, person, month).map((line) => ({ ...delivered, ...line })))
      }
      if (lines.some((line) => line.contract === contract)) lines.push(...ofCompany(random, month, own.length).map((line) => ({ ...delivered, ...line })))
    }
    const made = lines.map((line, index) => ({ party: 'company', ...line, sourceId: `${sourcePrefix[String(line.sourceType)]}${month.replace('-', '')}${String(index + 1).padStart(5, '0')}` }))
    await insertRecords({ ...context, now: `${month}-08 18:20:00` < context.now ? `${month}-08 18:20:00` : context.now }, db, entities.costLine, made)
  }
}

const sourcePrefix: Record<string, string> = { payroll: 'XZ', socialExpense: 'SB', medicalExpense: 'YB', fundExpense: 'GJ', otherBenefits: 'FL' }

/** Agency workers are paid by the customer itself. */
function wages(random: Random, { id: person, employmentForm, baseSalary, entryDate, leaveDate }: Employed, costMonth: string): RecordData[] {
  if (employmentForm === 'agency') return []
  const isPart = entryDate > `${costMonth}-15` || leaveDate !== null && leaveDate <= `${costMonth}-15`
  const amount = times(baseSalary, (isPart ? 0.5 : 1) * random.weighted([[1, 70], [1.05, 20], [1.12, 8], [0.95, 2]] as const))
  const common = { person, costMonth, sourceType: 'payroll', joinedOn: entryDate, leftOn: leaveDate }
  const tax = new Decimal(amount).times(0.8).minus(5000)
  return [
    { ...common, feeItem: 'grossWage', amount },
    ...tax.gt(0) ? [{ ...common, feeItem: 'incomeTax', party: 'personal', amount: tax.times(tax.gt(3000) ? 0.1 : 0.03).toFixed(2) }] : [],
  ]
}

function insurance(random: Random, { id: person, city, baseSalary: base, entryDate, leaveDate }: Employed, costMonth: string): RecordData[] {
  const policies = `${cityNames[city] ?? '全国'}${costMonth.slice(0, 4)}年度`
  const common = { person, costMonth, base, joinedOn: entryDate, leftOn: leaveDate }
  const item = (feeItem: string, sourceType: string, kind: string, rate: string, party = 'company'): RecordData =>
    ({ ...common, feeItem, sourceType, policy: `${policies}${kind}政策`, rate, party, amount: percent(base, rate) })
  const fund = ['5', '7', '8', '12'][person % 4]
  const extra = random.chance(0.02) ? addMonths(costMonth, -random.integer(1, 3))! : undefined
  return [
    item('pension', 'socialExpense', '社保', '16'), item('pension', 'socialExpense', '社保', '8', 'personal'), item('injury', 'socialExpense', '社保', '0.4'),
    item('medicalBasic', 'medicalExpense', '医保', '9'), item('housingFund', 'fundExpense', '公积金', fund), item('housingFund', 'fundExpense', '公积金', fund, 'personal'),
    ...extra === undefined ? [] : [{ ...item('backPayment', 'socialExpense', '社保', '16'), costMonth: extra }],
  ]
}

const cityNames: Record<string, string> = {
  110100: '北京', 120100: '天津', 310100: '上海', 320100: '南京', 320500: '苏州', 330100: '杭州', 420100: '武汉', 440100: '广州', 440300: '深圳', 500100: '重庆', 510100: '成都', 610100: '西安',
}

/** Some months have presents, check-ups or a yearly fee for all. */
function ofCompany(random: Random, costMonth: string, heads: number): RecordData[] {
  const common = { costMonth, sourceType: 'otherBenefits' }
  if (costMonth.endsWith('-09') && random.chance(0.6)) return [{ ...common, feeItem: 'welfareGoods', amount: `${heads * 200}.00` }]
  if (costMonth.endsWith('-05') && random.chance(0.4)) return [{ ...common, feeItem: 'checkup', amount: `${heads * 350}.00` }]
  if (costMonth.endsWith('-08') && random.chance(0.5)) return [{ ...common, feeItem: 'disabilityFund', amount: `${heads * 90}.00` }]
  return random.chance(0.1) ? [{ ...common, feeItem: 'commercialInsurance', amount: `${heads * 45}.00` }] : []
}
