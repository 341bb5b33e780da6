import { addMonths } from '../../engine/expression/index.ts'
import type { Context, Db } from '../../engine/server/runtime.ts'
import { insertRecords } from '../../engine/server/write.ts'
import type { RecordData } from '../../engine/schema/model.ts'
import { fundRate, personalRates, percent, readEmployed, type Employed } from './employed.ts'
import { Random } from './random.ts'

/**
 * What welfare delivers for these bill months: insurance and other benefits of the month itself, for everybody who is at work with a customer
 * that has a service contract then. Wages come from payrolls.
 */
export async function writeCostLines(context: Context, db: Db, months: readonly string[], seed: number): Promise<void> {
  const { entities } = context.derived.catalog
  const { people, contractOf, isThere } = await readEmployed(context, db)
  const random = new Random(seed)
  for (const month of months) {
    const lines: RecordData[] = []
    const customers = new Set(people.map(({ customer }) => customer))
    for (const customer of customers) {
      const contract = contractOf(customer, month)
      if (contract === undefined) continue
      const own = people.filter((person) => person.customer === customer)
      const delivered = { customer, contract }
      for (const person of own) {
        if (isThere(person, month)) lines.push(...insurance(random, person, month).map((line) => ({ ...delivered, ...line })))
      }
      if (lines.some((line) => line.contract === contract)) lines.push(...ofCompany(random, month, own.length).map((line) => ({ ...delivered, ...line })))
    }
    const made = lines.map((line, index) => ({ party: 'company', ...line, sourceId: `${sourcePrefix[String(line.sourceType)]}${month.replace('-', '')}${String(index + 1).padStart(5, '0')}` }))
    await insertRecords({ ...context, now: `${month}-08 18:20:00` < context.now ? `${month}-08 18:20:00` : context.now }, db, entities.costLine, made)
  }
}

const sourcePrefix: Record<string, string> = { socialExpense: 'SB', medicalExpense: 'YB', fundExpense: 'GJ', otherBenefits: 'FL' }

function insurance(random: Random, { id: person, city, baseSalary: base, entryDate, leaveDate }: Employed, costMonth: string): RecordData[] {
  const policies = `${cityNames[city] ?? '全国'}${costMonth.slice(0, 4)}年度`
  const common = { person, costMonth, base, joinedOn: entryDate, leftOn: leaveDate }
  const item = (feeItem: string, sourceType: string, kind: string, rate: string, party = 'company'): RecordData =>
    ({ ...common, feeItem, sourceType, policy: `${policies}${kind}政策`, rate, party, amount: percent(base, rate) })
  const fund = fundRate(person)
  const extra = random.chance(0.02) ? addMonths(costMonth, -random.integer(1, 3))! : undefined
  return [
    item('pension', 'socialExpense', '社保', '16'), item('pension', 'socialExpense', '社保', personalRates(person).pension, 'personal'), item('injury', 'socialExpense', '社保', '0.4'),
    item('medicalBasic', 'medicalExpense', '医保', '9'), item('housingFund', 'fundExpense', '公积金', fund), item('housingFund', 'fundExpense', '公积金', personalRates(person).housingFund, 'personal'),
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
