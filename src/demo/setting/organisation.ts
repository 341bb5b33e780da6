import type { RecordData } from '../../../engine/model/model.ts'
import { uscc } from '../identifiers.ts'
import { cities, personName, streetAddress } from '../pools.ts'
import { landline } from '../identifiers.ts'
import type { Random } from '../random.ts'

/** Rows refer to each other by these keys; the writer turns them into ids. */
export interface OrganisationUser {
  loginName: string
  realName: string
  roles: string[]
  department: string
  disabled?: boolean
  neverSignedIn?: boolean
}

export const departments: readonly { name: string; parent?: string }[] = [
  { name: '客户服务部', parent: '总部' },
  { name: '市场部', parent: '总部' },
  { name: '合同部', parent: '总部' },
  { name: '财务部', parent: '总部' },
  { name: '薪资社保部', parent: '总部' },
  { name: '华东分公司', parent: '总部' },
  { name: '华东客服组', parent: '华东分公司' },
]

/** One user for each preset role, named after it, and the colleagues that customers are distributed among. */
export function users(random: Random): OrganisationUser[] {
  const account = (loginName: string, department: string, roles = [loginName]): OrganisationUser => ({
    loginName,
    realName: personName(random),
    roles,
    department,
  })
  const many = (prefix: string, count: number, department: string, roles: string[]) =>
    Array.from({ length: count }, (_, index) =>
      account(`${prefix}${String(index + 1).padStart(2, '0')}`, department, roles),
    )
  const made = [
    account('customerManager', '客户服务部'),
    account('support', '客户服务部'),
    account('sales', '市场部'),
    account('contractClerk', '合同部'),
    account('settlementClerk', '财务部'),
    account('cashier', '财务部'),
    account('invoiceClerk', '财务部'),
    account('financeManager', '财务部'),
    account('payrollClerk', '薪资社保部'),
    account('welfareClerk', '薪资社保部'),
    account('policyClerk', '薪资社保部'),
    account('auditor', '总部'),
    account('publisher', '总部'),
    ...many('kefu', 3, '客户服务部', ['support']),
    ...many('kefuEast', 2, '华东客服组', ['support']),
    ...many('sale', 3, '市场部', ['sales']),
    account('managerEast', '华东分公司', ['customerManager', 'sales']),
    { ...account('leaver01', '客户服务部', ['support']), disabled: true },
    { ...account('leaver02', '市场部', ['sales']), disabled: true },
  ]
  return made.map((user, index) => ({ ...user, neverSignedIn: index === made.length - 3 || user.neverSignedIn }))
}

export const classifications: readonly { name: string; parent?: string; disabled?: boolean }[] = [
  { name: '重点客户' },
  { name: '普通客户' },
  { name: '潜力客户' },
  { name: '制造', parent: '重点客户' },
  { name: '科技', parent: '重点客户' },
  { name: '服务', parent: '重点客户' },
  { name: '本地', parent: '普通客户' },
  { name: '外地', parent: '普通客户' },
  { name: '观察', parent: '潜力客户', disabled: true },
]

/** Four own entities and two partners; one license ends in 45 days. */
export function agencies(random: Random, inDays: (days: number) => string): RecordData[] {
  const places = [cities[4], cities[2], cities[5], cities[3], cities[8], cities[10]]
  return places.map((city, index) => {
    const own = index < 4
    const short = city.name.replace('市', '')
    return {
      code: `J00${index + 1}`,
      name: own ? `示范人力资源（${short}）有限公司` : `样例${short}人力资源服务中心`,
      kind: own ? 'own' : 'partner',
      uscc: uscc(random, 'enterprise'),
      agentFee: own ? null : '45.00',
      taxpayerKind: own ? (index === 3 ? 'small' : 'general') : 'general',
      dispatchLicenseNo: own ? `演示派遣字第${random.digits(6)}号` : null,
      dispatchLicenseEnd: own ? inDays(index === 1 ? 58 : random.integer(200, 900)) : null,
      cities: index === 0 ? ['320500', '310100'] : [city.code],
      address: city.name + city.district + streetAddress(random),
      contactPerson: personName(random),
      contactPhone: landline(random),
      department: index === 1 || index === 3 ? '华东分公司' : '总部',
      status: 'enabled',
    }
  })
}
