import { Decimal } from 'decimal.js'

// The monthly amounts of the ten schemes by their laws and plans, calculated without the files and the server.

export interface Situation {
  month: string
  base: string
  birthDate: string
  entryDate: string
  nationality: string
  workerKind: string
  choices: Record<string, string | boolean>
  entered: { attendedDays?: string; additionalWages?: string }
  /** Limits of the policy, for samples of another year than the test's policy. */
  limits: Limits
  /** The sums charged for the item in earlier months of the year. */
  soFar(item: string): { base: Decimal; company: Decimal; personal: Decimal }
}
export interface Limits {
  deferral: { compensation: string; deferred: string; catchUp: string }
}
export type Sides = [company: Decimal, personal: Decimal]
type Scheme = (given: Situation) => Record<string, Sides>

const decimalOf = (value: string | number) => new Decimal(value)
const zero = decimalOf(0)
const cents = (value: Decimal) => value.toDecimalPlaces(2, Decimal.ROUND_HALF_UP)
const share = (base: Decimal, percent: string | number) => cents(base.times(percent).div(100))
const least = (value: Decimal, most: string | Decimal) => Decimal.min(value, most)

/** The age in whole years on the last day of the month before. */
export function ageIn(birthDate: string, month: string): number {
  const [year, number] = month.split('-').map(Number)
  const before = new Date(Date.UTC(year, number - 1, 0)).toISOString().slice(0, 10)
  return Number(before.slice(0, 4)) - Number(birthDate.slice(0, 4)) - (before.slice(5) < birthDate.slice(5) ? 1 : 0)
}
const index = (month: string) => Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7))
const monthsSince = (date: string, month: string) => index(month) - index(date)

/** Singapore's age bands: upper age, and the rates of employer and employee in percent. */
const cpfBands: [number, string, string][] = [
  [55, '17', '20'],
  [60, '15.5', '17'],
  [65, '12', '11.5'],
  [70, '9', '7.5'],
  [200, '7.5', '5'],
]
/** The sum is rounded to the dollar, the employee's share loses its cents, and the employer pays the rest. */
function cpfShares(wages: Decimal, employee: Decimal, employerRate: string): Sides {
  const all = wages.times(employerRate).div(100).plus(employee).toDecimalPlaces(0, Decimal.ROUND_HALF_UP)
  const own = employee.toDecimalPlaces(0, Decimal.ROUND_FLOOR)
  return [all.minus(own), own]
}

/** Additional wages count up to the yearly ceiling less the ordinary wages of the year's months. */
function additionalCharged({ base, entryDate, month, entered, soFar }: Situation): Decimal {
  const months = Math.min(12, monthsSince(entryDate, month) + 13 - Number(month.slice(5)))
  const room = decimalOf(102000)
    .minus(least(decimalOf(base), '7400').times(months))
    .minus(soFar('cpfAdditional').base)
  return least(decimalOf(entered.additionalWages ?? 0), Decimal.max(0, room))
}

/** The sums charged for an item in the year so far. */
export type Sums = ReturnType<Situation['soFar']>
export const noSums: Sums = { base: zero, company: zero, personal: zero }

export function addTo(before: Sums, item: string, given: Situation, [company, personal]: Sides): Sums {
  const { base, limits } = given
  const counted =
    item === 'cpfAdditional'
      ? additionalCharged(given)
      : item === 'deferral'
        ? least(decimalOf(base), Decimal.max(0, decimalOf(limits.deferral.compensation).minus(before.base)))
        : decimalOf(base)
  return {
    base: before.base.plus(counted),
    company: before.company.plus(company),
    personal: before.personal.plus(personal),
  }
}

export const model: Record<string, Scheme> = {
  hongkongmpf({ base, birthDate, entryDate, month }) {
    const age = ageIn(birthDate, month)
    if (age < 18 || age >= 65) return { mpf: [zero, zero] }
    const contribution = share(least(decimalOf(base), '30000'), 5)
    return { mpf: [contribution, decimalOf(base).lt(7100) || monthsSince(entryDate, month) < 1 ? zero : contribution] }
  },

  singaporecpf(given) {
    const { base, birthDate, month, nationality } = given
    const wages = decimalOf(base)
    const [, employer, employee] = cpfBands.find(([to]) => ageIn(birthDate, month) < to)!
    const none: Sides = [zero, zero]
    const more = decimalOf(given.entered.additionalWages ?? 0)
    if (nationality !== '新加坡' || wages.plus(more).lte(50)) return { cpf: none, cpfAdditional: none }
    const sharesOf = (counted: Decimal) => {
      const tapered = Decimal.max(0, counted.minus(500)).times(3)
      const own = (counted.lte(750) ? tapered : counted).times(employee).div(100)
      return cpfShares(counted, own, employer)
    }
    const counted = least(wages, '7400')
    const ordinary = sharesOf(counted)
    if (more.isZero()) return { cpf: ordinary, cpfAdditional: none }
    // The month is rounded as a whole, and additional wages are charged the increase.
    const whole = sharesOf(counted.plus(additionalCharged(given)))
    const [byEmployer, byEmployee] = whole.map((side, index) => side.minus(ordinary[index]))
    return { cpf: ordinary, cpfAdditional: [byEmployer, byEmployee] }
  },

  retirementplan({ base, birthDate, entryDate, month, choices, limits, soFar }) {
    if (monthsSince(entryDate, month) < 3) return { deferral: [zero, zero] }
    const before = soFar('deferral')
    const { compensation, deferred, catchUp } = limits.deferral
    const isOlder = Number(month.slice(0, 4)) - Number(birthDate.slice(0, 4)) >= 50
    const most = decimalOf(deferred)
      .plus(isOlder ? catchUp : 0)
      .minus(before.personal)
    const own = cents(Decimal.max(0, least(share(decimalOf(base), String(choices.deferralPersonalRate)), most)))
    const counted = Decimal.min(before.base.plus(base), compensation)
    const matched = Decimal.min(before.personal.plus(own), counted.times('0.05')).times('0.5').minus(before.company)
    return { deferral: [cents(Decimal.max(0, matched)), own] }
  },

  germansocial({ base, choices }) {
    const pension = least(decimalOf(base), '8050')
    const health = least(decimalOf(base), '5512.5')
    const care = choices.germanCareTier === 'childless' ? '2.4' : '1.8'
    const both = (on: Decimal, rate: string): Sides => [share(on, rate), share(on, rate)]
    return {
      germanPension: both(pension, '9.3'),
      germanHealth: both(health, '8.55'),
      germanUnemployment: both(pension, '1.3'),
      germanCare: [share(health, '1.8'), share(health, care)],
      germanInsolvency: [share(pension, '0.15'), zero],
    }
  },

  enterpriseannuity({ base, choices }) {
    const on = least(decimalOf(base), '35283')
    return {
      annuity: [share(on, String(choices.annuityCompanyRate)), share(on, String(choices.annuityPersonalRate))],
    }
  },

  hongkongvoluntary({ base, choices }) {
    const rates = [choices.voluntaryCompanyRate, choices.voluntaryPersonalRate].map(String)
    return { voluntary: [share(decimalOf(base), rates[0]), share(decimalOf(base), rates[1])] }
  },

  unionfee({ base, choices }) {
    const tens = decimalOf(base).div(10).floor().times(10)
    return {
      unionFund: [share(decimalOf(base), 2), zero],
      unionDues: [zero, choices.unionDuesOn === true ? share(tens, '0.5') : zero],
    }
  },

  groupmedical({ birthDate, month, choices }) {
    const age = ageIn(birthDate, month)
    const tiers: Record<string, [number, number]> = { one: [300, 500], two: [600, 1000], spouseChild: [800, 1200] }
    const [company, personal] = tiers[String(choices.groupFamilyTier ?? 'one')]
    return {
      groupCover: [decimalOf(age < 40 ? 1200 : age < 50 ? 1800 : 2700), zero],
      groupFamily: choices.groupFamilyOn === true ? [decimalOf(company), decimalOf(personal)] : [zero, zero],
    }
  },

  mealallowance: ({ entered }) => ({ mealAllowance: [cents(decimalOf(entered.attendedDays ?? 0).times(25)), zero] }),

  physicalexam({ birthDate, month }) {
    const turns = Number(month.slice(0, 4)) - Number(birthDate.slice(0, 4))
    return { physical: [decimalOf(turns < 40 ? 400 : 850), zero] }
  },

  relocation: ({ workerKind }) => ({ relocation: [decimalOf(workerKind === 'regular' ? 8000 : 0), zero] }),
}

/**
 * Items not paid monthly: the months of a cycle, the month it starts in, and whether a partial cycle is paid pro rata.
 */
const cycles: Record<string, { months: number; from: number; inPart: boolean }> = {
  groupCover: { months: 12, from: 1, inPart: true },
  groupFamily: { months: 3, from: 1, inPart: true },
  physical: { months: 12, from: 5, inPart: false },
}

/** The part of a cycle's amounts that is due in a month, for a person who pays from `start` on. */
export function dueOf(item: string, amounts: Sides, month: string, start: string): Sides {
  if (item === 'relocation') return month === start ? amounts : [zero, zero]
  const cycle = cycles[item]
  if (!cycle) return amounts
  const passed = (Number(month.slice(5)) - cycle.from + 12) % cycle.months
  if (passed === 0) return amounts
  if (month !== start) return [zero, zero]
  const left = cycle.months - passed
  return cycle.inPart ? (amounts.map((amount) => cents(amount.times(left).div(cycle.months))) as Sides) : amounts
}

/** The vested percentage of the company's part, by whole years of service. */
export type Plan = 'deferral' | 'annuity' | 'voluntary'
export function vestedIn(plan: Plan, entryDate: string, leaveDate: string): number {
  const months = monthsSince(entryDate, leaveDate.slice(0, 7)) - (leaveDate.slice(8) < entryDate.slice(8) ? 1 : 0)
  const years = Math.floor(months / 12)
  if (plan === 'voluntary') return years < 3 ? 0 : Math.min(10, years) * 10
  return plan === 'annuity' ? Math.min(5, years) * 20 : years < 2 ? 0 : Math.min(6, years) * 20 - 20
}
