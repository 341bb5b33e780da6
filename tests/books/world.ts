import type { RecordData, Value } from '../../engine/model/model.ts'
import { runDaily } from '../../engine/server/jobs/daily.ts'
import { contracts, employer, serviceValues, sign } from '../contract.ts'
import { uscc } from '../customer.ts'
import type { Answer, Client, TestServer } from '../server.ts'
import { policyInForce } from '../welfare.ts'
import { newModel, type Model } from './model/tables.ts'
import type { PartMonth } from './model/fees.ts'
import { endOf, monthOf } from './model/months.ts'
import { Stage } from './Stage.ts'

const firstDay = '2026-01-05'
const contractStart = '2026-01-01'
/** After every story. */
export const lastDay = '2027-12-31'
export const limits = {
  social: { floor: '6821', ceiling: '35283' },
  fund: { floor: '2420', ceiling: '35283' },
  /** For people with a rural household, instead of the one of `social`. */
  rural: { floor: '10000', ceiling: '30000' },
}

/** One of our entities: the employer of people, which withholds their tax. */
export interface Agency {
  id: number
  wageAccount: number
  receiptAccount: number
}
export interface Customer {
  id: number
  /** Index of our entity that serves it. */ agency: number
  /** Every contract it ever signed. */ contracts: Contract[]
  /** Which of them bill people now: the first most, and the other some. */ current: [number, number]
  name: string
  fee: Fee
}
export interface Contract {
  id: number
  /** Whether it bills most people of the customer, or some. */ place: 0 | 1
  start: string
  /** Its last day, where it is not after every story. */ end?: string
  /** The act that ended it early. */ act?: number
  /** The act that ended it early or undid that last. */ changed?: number
  /** The day of that act, and its last day before. */ endedOn?: string
  before?: string
}
export const isInForce = ({ start, end }: Pick<Contract, 'start' | 'end'>, month: string): boolean =>
  start <= endOf(month) && monthOf(end ?? lastDay) >= month

/** How a contract charges its fee. */
export interface Fee {
  mode: 'perHead' | 'percentage' | 'fixed' | 'tiered'
  minimum?: string
  /** What people cost who are there for a part of a month; a full month if absent. */ part?: PartMonth
  /** Wages are paid only after the customer has paid for them. */ prepaid?: boolean
  /** The last day of both contracts. */ end?: string
}

/** An invariant does not hold. `rule` names it, so that shrinking keeps only stories that break the same one. */
export class Broken extends Error {
  readonly rule: string
  constructor(rule: string, message: string) {
    super(`${rule}: ${message}`)
    this.rule = rule
  }
}

/** A company, and beside it a model of what a clerk with paper books would know. */
export class World {
  day = firstDay
  model: Model = newModel()
  customers: Customer[] = []
  /** A readable log of what was done. */ log: string[] = []
  /** By name: what an invariant remembers from one check to the next. */ kept = new Map<string, unknown>()
  agencies: Agency[] = []
  policies = { social: 0, fund: 0 }

  private constructor(
    readonly stage: Stage,
    readonly city: string,
    private readonly known: readonly string[],
  ) {}

  /** @param known points of the issue whose faults the story avoids */
  static async begin(fees: readonly Fee[], known: readonly string[]): Promise<World> {
    const { stage, city } = await Stage.next()
    const world = new World(stage, city, known)
    stage.goTo(firstDay)
    // Our two entities serve the customers in turn.
    for (let count = 0; count < Math.min(2, fees.length); count++) await world.addAgency()
    for (const fee of fees) await world.addCustomer(fee)
    await world.addPolicies()
    return world
  }

  /** Whether this fault is known and the story avoids it. */
  avoids(point: string): boolean {
    return this.known.includes(point)
  }

  get month(): string {
    return monthOf(this.day)
  }

  get house(): TestServer {
    return this.stage.house
  }

  /** Moves on to another day, with the system's nightly work. */
  async goTo(day: string): Promise<void> {
    this.day = day
    this.stage.goTo(day)
    await runDaily(this.house.runtime)
  }

  get = async <T = RecordData>(path: string, query: Record<string, unknown> = {}): Promise<T> => {
    const answer = await this.house.admin.get(path, query)
    if (answer.code !== 1) throw new Error(`GET ${path}: ${JSON.stringify(answer)}`)
    return answer.result as T
  }

  async all(path: string, filters: Record<string, unknown> = {}): Promise<RecordData[]> {
    const found: RecordData[] = []
    for (let page = 1; ; page++) {
      const query = { filters, sort: 'id', size: 1000, page }
      const { list, total } = await this.get<{ list: RecordData[]; total: number }>(`${path}/list`, query)
      found.push(...list)
      if (found.length >= total) return found
    }
  }

  /** Posts as a user. A refusal is an answer; a server error breaks the rule `answers`. */
  async post(path: string, body: object, as: Client = this.house.admin): Promise<Answer> {
    const answer = await as.post(path, body)
    if (answer.status >= 500) throw new Broken('answers', `${path} ${JSON.stringify(body)}: ${JSON.stringify(answer)}`)
    return answer
  }

  act(path: string, action: string, id: number, values?: Record<string, Value>, as?: Client): Promise<Answer> {
    return this.post(`${path}/${action}`, { id, ...(values && { values }) }, as)
  }

  async revisionOf(path: string, id: number): Promise<number> {
    return (await this.get(`${path}/detail`, { id })).revision as number
  }

  private async addCustomer(fee: Fee): Promise<void> {
    const which = this.customers.length % this.agencies.length
    const agency = this.agencies[which].id
    const { customer, name } = await employer(this.house, {
      agency,
      contacts: [
        { name: '赵文', kind: ['settlement'], mobile: '15400000009', email: 'zhao@qilan.example.com', primary: true },
      ],
    })
    const made: Customer = { id: customer, agency: which, contracts: [], current: [0, 1], name, fee }
    for (const place of [0, 1] as const)
      made.contracts.push({
        id: await this.sign(made, place, { startDate: contractStart, endDate: fee.end ?? lastDay }),
        place,
        start: contractStart,
        end: fee.end,
      })
    this.customers.push(made)
  }

  /** A signed contract that bills most people of the customer, or its other one. */
  async sign({ id, agency, fee }: Customer, place: 0 | 1, terms: Record<string, Value>): Promise<number> {
    const rule = place === 0 ? feeRule(fee) : { ...feeRule({ mode: 'perHead' }), serviceType: 'outsourcing' }
    const contract = await this.house.create(
      contracts,
      serviceValues(id, this.agencies[agency].id, {
        taxMethod: 'diffSimple',
        surchargeRate: '12',
        diffInvoiceMode: 'single',
        ...(fee.prepaid ? { advanceAllowed: false } : { advanceAllowed: true, advanceLimit: '10000000' }),
        ...(place === 1 && { serviceTypes: ['outsourcing'] }),
        feeRules: [rule] as Value,
        ...terms,
      }),
    )
    await sign(this.house, contract, this.day)
    return contract
  }

  private async addAgency(): Promise<void> {
    const { house, city, stage } = this
    const id = await house.create('/customer/agency', {
      code: `J${100 + stage.next()}`,
      name: `示范派遣有限公司${stage.next()}`,
      kind: 'own',
      uscc: uscc(50_000 + stage.next()),
      taxpayerKind: 'general',
      cities: [city],
      dispatchLicenseNo: '演示派遣字第1号',
      dispatchLicenseEnd: '2030-12-31',
    })
    const account = (purpose: string) =>
      house.create('/bank/companyAccount', {
        agency: id,
        accountName: '示范派遣有限公司',
        accountNo: `990088${1_000_000_000 + stage.next()}`,
        bank: stage.bank,
        accountKind: 'general',
        purpose: [purpose],
        ...(purpose === 'wage' && { payFormat: 'csv' }),
      })
    this.agencies.push({ id, wageAccount: await account('wage'), receiptAccount: await account('receipt') })
  }

  /** Our entity that serves a customer. */
  agencyOf(customer: number): Agency {
    return this.agencies[this.customers[customer].agency]
  }

  private async addPolicies(): Promise<void> {
    for (const kind of ['social', 'fund'] as const) {
      const { floor, ceiling } = limits[kind]
      this.policies[kind] = await policyInForce(this.house, {
        kind,
        city: this.city,
        agency: this.agencies[0].id,
        limits: { baseFloor: floor, baseCeiling: ceiling },
      })
      this.model.policies[kind].push({ from: '2025-01', floor, ceiling })
    }
    const { floor, ceiling } = limits.rural
    await policyInForce(this.house, {
      kind: 'social',
      city: this.city,
      agency: this.agencies[0].id,
      limits: { baseFloor: floor, baseCeiling: ceiling },
      householdTypes: ['localRural'],
    })
    this.model.policies.rural.push({ from: '2025-01', floor, ceiling })
  }
}

function feeRule({ mode, minimum, part = 'fullMonth' }: Fee): Record<string, Value> {
  const pricing: Record<Fee['mode'], Record<string, Value>> = {
    perHead: { unitPrice: '120' },
    percentage: { ratePercent: '3', percentBase: 'wage' },
    fixed: { fixedAmount: '2000' },
    tiered: {
      tiers: [
        { from: 1, to: 3, price: '150' },
        { from: 4, to: null, price: '100' },
      ] as Value,
    },
  }
  return {
    serviceType: 'dispatch',
    feeMode: mode,
    chargeRule: part,
    effectiveFrom: '2026-01',
    ...pricing[mode],
    ...(minimum !== undefined && { minAmount: minimum }),
  }
}
