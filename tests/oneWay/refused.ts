import { sql } from 'kysely'
import { customerValues, uscc } from '../customer.ts'
import { contract, contracts, employer, serviceValues, sign } from '../contract.ts'
import { customerRow } from '../importing.ts'
import type { TestServer } from '../server.ts'
import { type Case, create, update } from './Case.ts'

/** A change that both a form and an import refuse. */
export interface Refused extends Pick<Case, 'batches' | 'row' | 'given'> {
  form: Case['ways'][string]
  /** The refusal by both: field → code. */
  codes: Record<string, string>
}

type Make = (house: TestServer) => Promise<Refused>

/** The renewal of a service contract after `spoil` has made a record unfit to be referred to by a new contract. */
const renewal =
  (field: string, spoil: (house: TestServer, at: { customer: number; contract: number }) => Promise<unknown>): Make =>
  async (house) => {
    const at = await employer(house)
    const old = await house.create(
      contracts,
      serviceValues(at.customer, at.agency, { startDate: '2025-04-01', endDate: '2026-03-31' }),
    )
    await sign(house, old, '2025-04-01')
    const { contractNo } = await contract(house, old)
    await spoil(house, { ...at, contract: old })
    const dates = { startDate: '2026-04-01', endDate: '2027-03-31' }
    return {
      batches: 'serviceRenewalImport',
      row: { renewalOf: String(contractNo), customer: at.name, ...dates },
      form: () => create(house, 'contract', { renewalOf: old, ...dates }),
      codes: { [field]: 'reference' },
    }
  }

export const refusedCases: Record<string, Make> = {
  'a renewal for a customer that is disabled by now': renewal('customer', ({ database }, { customer }) =>
    sql`update customer set "accountStatus" = 'disabled' where id = ${customer}`.execute(database.kysely),
  ),
  'a renewal by an entity of ours that is disabled by now': renewal('agency', async (house, { contract: id }) => {
    const agency = await house.create('/customer/agency', {
      code: 'J901',
      name: '停用派遣有限公司',
      kind: 'own',
      uscc: uscc(90_001),
      taxpayerKind: 'general',
      cities: ['320500'],
      dispatchLicenseNo: '演示派遣字第2号',
      dispatchLicenseEnd: '2030-12-31',
    })
    await house.admin.post('/customer/agency/disable', { id: agency })
    await sql`update contract set agency = ${agency} where id = ${id}`.execute(house.database.kysely)
  }),

  async 'a customer whose names another has'(house) {
    const there = await customerValues(house)
    await house.create('/customer', there)
    const names = { name: String(there.name), corporateName: String(there.corporateName) }
    const values = await customerValues(house, { ...names, uscc: uscc(710), account: 'imported710' })
    return {
      batches: 'customerImport',
      row: customerRow(710, names) as Record<string, string>,
      form: () => create(house, 'customer', values),
      codes: { name: 'unique', corporateName: 'unique' },
    }
  },

  async 'a customer whose account follows from a mobile, and is taken'(house) {
    await house.create('/customer', await customerValues(house, { account: '15400000711' }))
    const { account: _, ...values } = await customerValues(house, { uscc: uscc(711), consigneeMobile: '15400000711' })
    return {
      batches: 'customerImport',
      row: customerRow(711, { account: null, consigneeMobile: '15400000711' }) as Record<string, string>,
      form: () => create(house, 'customer', values),
      codes: { account: 'unique' },
    }
  },

  async 'a customer without what its kind of invoice makes necessary'(house) {
    const values = await customerValues(house, { uscc: uscc(712), account: 'imported712', billingType: 'eNormal' })
    return {
      batches: 'customerImport',
      row: customerRow(712, { billingType: '数电普通发票' }) as Record<string, string>,
      form: () => create(house, 'customer', values),
      codes: { invoiceEmail: 'required' },
    }
  },

  async 'a rejected customer that takes the name of another'(house) {
    const there = await customerValues(house)
    await house.create('/customer', there)
    const values = await customerValues(house)
    const id = await house.create('/customer', values)
    await house.admin.post('/customer/reject', { id, values: { rejectReason: '资料不完整，请补充' } })
    return {
      batches: 'customerImport',
      row: { uscc: String(values.uscc), name: String(there.name) },
      given: { updateExisting: true },
      form: () => update(house, 'customer', id, { name: String(there.name) }),
      codes: { name: 'unique' },
    }
  },
}
