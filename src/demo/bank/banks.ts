import { ProcedureWork } from '../../../engine/server/procedure.ts'
import { insertMany } from '../../../engine/server/records/insertMany.ts'
import type { Context, Db } from '../../../engine/server/runtime.ts'
import type { RecordData } from '../../../engine/model/model.ts'
import { companyAccount, landline } from '../identifiers.ts'
import { banks, cities, streetAddress } from '../pools.ts'
import { Random } from '../random.ts'
import type { Resolve } from '../Resolve.ts'

const seed = 20260304
/** In the order of the pool of names. */
const kinds = ['stateOwned', 'jointStock', 'city', 'rural', 'stateOwned']
const offices = ['演示支行', '示范支行', '样例支行', '演示分行营业部', '示范分行营业部']

/**
 * Twenty-five branches, five of each bank, and the accounts of the own entities: a basic one each, and others by
 * purpose.
 */
export async function writeBanks(context: Context, db: Db, resolve: Resolve): Promise<void> {
  const random = new Random(seed)
  const { entities } = context.derived.catalog
  const branches = branchesOf(random)
  const ids = await insertMany(context, db, entities.bank, branches)
  const agencies = await new ProcedureWork(context, db).read('agency', { fields: ['code', 'name'] })
  const names = new Map<string, string>(agencies.map(({ code, name }) => [code, name]))
  const accounts = accountsOf(random).map(({ agency, branch, ...account }) => ({
    ...account,
    agency: resolve('agency', agency),
    accountName: names.get(agency)!,
    bank: ids[branch],
  }))
  await insertMany(context, db, entities.companyAccount, accounts)
}

const branchesOf = (random: Random): RecordData[] =>
  Array.from({ length: 25 }, (_, index) => {
    const [bank, city] = [index % banks.length, cities[(index * 5 + Math.floor(index / 12)) % cities.length]]
    const code = String(991 + bank)
    return {
      bankName: banks[bank],
      branchName: `${banks[bank]}${city.name.replace('市', '')}${offices[Math.floor(index / 5)]}`,
      cnapsCode: code + random.digits(9),
      kind: kinds[bank],
      city: city.code,
      address: city.name + city.district + streetAddress(random),
      phone: random.chance(0.8) ? landline(random) : null,
      wageSupported: index % 7 !== 6,
      sort: index,
      status: index === 24 ? 'disabled' : 'enabled',
      remark: index === 24 ? '网点撤并' : null,
    }
  })

/** Ten accounts: which entity, at which branch, for which purpose. */
function accountsOf(random: Random): (RecordData & { agency: string; branch: number })[] {
  const account = (agency: string, branch: number, accountKind: string, purpose: string[], rest: RecordData = {}) => ({
    agency,
    branch,
    accountKind,
    purpose,
    accountNo: companyAccount(random),
    isDefault: false,
    openDate: `20${random.integer(12, 23)}-0${random.integer(1, 9)}-1${random.integer(0, 9)}`,
    payFormat: purpose.includes('wage') ? random.pick(['generic', 'csv', 'text']) : null,
    status: 'enabled',
    ...rest,
  })
  return [
    account('J001', 0, 'basic', ['receipt', 'tax'], { isDefault: true }),
    account('J001', 1, 'general', ['wage']),
    account('J001', 2, 'special', ['social', 'fund']),
    account('J001', 3, 'general', ['receipt', 'refund']),
    account('J002', 5, 'basic', ['receipt', 'wage', 'tax'], { isDefault: true }),
    account('J002', 6, 'special', ['social', 'fund']),
    account('J003', 10, 'basic', ['receipt', 'tax'], { isDefault: true }),
    account('J003', 11, 'general', ['wage']),
    account('J004', 15, 'basic', ['receipt', 'wage', 'tax'], { isDefault: true }),
    account('J004', 16, 'temporary', ['receipt'], { status: 'disabled', remark: '临时账户已到期' }),
  ]
}
