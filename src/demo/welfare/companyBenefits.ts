import type { Context, Db } from '../../../engine/server/runtime.ts'
import { insertRecords } from '../../../engine/server/records/write.ts'
import type { RecordData } from '../../../engine/model/model.ts'
import { readEmployed } from '../staff/employed.ts'
import { Random } from '../random.ts'

/**
 * Benefits of these months that customers give to everybody at work: gifts, check-ups, yearly fees. Insurance and wages
 * come from expenses and payrolls.
 */
export async function writeCompanyBenefits(
  context: Context,
  db: Db,
  months: readonly string[],
  seed: number,
): Promise<void> {
  const { entities } = context.derived.catalog
  const { people, contractOf, isThere } = await readEmployed(context, db)
  const random = new Random(seed)
  for (const month of months) {
    const lines = [...new Set(people.map(({ customer }) => customer))].flatMap((customer): RecordData[] => {
      const contract = contractOf(customer, month)
      const own = people.filter((person) => person.customer === customer && isThere(person, month))
      return contract === undefined || own.length === 0
        ? []
        : ofCompany(random, month, own.length).map((line) => ({ customer, contract, party: 'company', ...line }))
    })
    lines.forEach((line, index) => {
      line.sourceId = `FL${month.replace('-', '')}${String(index + 1).padStart(5, '0')}`
    })
    await insertRecords(
      { ...context, now: `${month}-08 18:20:00` < context.now ? `${month}-08 18:20:00` : context.now },
      db,
      entities.costLine,
      lines,
    )
  }
}

/** Some months have gifts, check-ups or a yearly fee for all. */
function ofCompany(random: Random, costMonth: string, heads: number): RecordData[] {
  const common = { costMonth, sourceType: 'otherBenefits' }
  if (costMonth.endsWith('-09') && random.chance(0.6))
    return [{ ...common, feeItem: 'welfareGoods', amount: `${heads * 200}.00` }]
  if (costMonth.endsWith('-05') && random.chance(0.4))
    return [{ ...common, feeItem: 'checkup', amount: `${heads * 350}.00` }]
  if (costMonth.endsWith('-08') && random.chance(0.5))
    return [{ ...common, feeItem: 'disabilityFund', amount: `${heads * 90}.00` }]
  return random.chance(0.1) ? [{ ...common, feeItem: 'commercialInsurance', amount: `${heads * 45}.00` }] : []
}
