import { addDays, addMonths } from '../../../engine/expression/index.ts'
import type { RecordData } from '../../../engine/model/model.ts'
import type { Employer } from '../customer/contractPast.ts'
import { idNumber, mobile } from '../identifiers.ts'
import { cities, middleDot, personName, streetAddress } from '../pools.ts'
import type { Random } from '../random.ts'

/** What happens to an employee's contract in the current month. */
export type Course =
  | 'active'
  | 'expiring'
  | 'expired'
  | 'terminated'
  | 'leaving'
  | 'resigning'
  | 'joining'
  | 'cancelled'
  | 'openEnded'
  | 'thirdTerm'

/** An employee, and their contract terms. */
export interface DemoPerson {
  values: RecordData
  course: Course
  /** In order; an empty end is open. */
  terms: { start: string; end: string | null }[]
  months: number
  wage: string
  leaveDate: string | null
}

const positions = [
  '装配工',
  '质检员',
  '仓管员',
  '客服代表',
  '行政专员',
  '会计',
  '软件工程师',
  '保洁员',
  '驾驶员',
  '收银员',
  '护理员',
  '课程顾问',
]

const costCenters = ['研发一部', '生产部', '销售部', '客服中心', '综合管理部']

/** Headcounts distributed like those of real customers: many small ones, a few large. */
export const headcount = (random: Random): number =>
  Math.min(80, Math.max(3, Math.round(12 * Math.exp((random.next() + random.next() - 1) * 1.6))))

/** Cities with known policies, weighted by how many people work there; some work where their customer is served. */
const workCities = [
  ['110100', 30],
  ['310100', 25],
  ['440300', 15],
  ['440100', 10],
  ['330100', 12],
  ['510100', 8],
] as const
/** The median wage of each industry. */
const medians: Readonly<Record<string, number>> = {
  catering: 5200,
  realEstate: 5200,
  manufacturing: 6800,
  construction: 6800,
  logistics: 7200,
  wholesaleRetail: 7500,
  education: 9000,
  health: 9000,
  it: 17_500,
}
const countries = ['新加坡', '马来西亚', '韩国', '日本', '英国']
const leaveReasons = [
  ['resignation', 60],
  ['mutual', 15],
  ['expired', 10],
  ['dismissal', 7],
  ['returned', 8],
] as const

interface PersonAround {
  today: string
  employer: Employer
  course: Course
  taken: Set<string>
  /** Set if another person of this customer has the same name. */
  name?: string
}

// oxlint-disable-next-line max-lines-per-function -- it is one record, field by field, whose random numbers are drawn in this order
export function person(random: Random, { today, employer, course, taken, name }: PersonAround): DemoPerson {
  const months = random.chance(0.55) ? 36 : 24
  const terms = termsOf(random, today, course, months)
  const entryDate = terms[0].start
  const workerKind =
    course === 'active'
      ? random.weighted([
          ['regular', 955],
          ['retiree', 22],
          ['intern', 17],
          ['partTime', 6],
        ] as const)
      : 'regular'
  const foreign = workerKind === 'regular' && random.chance(0.02)
  const gender = random.chance(0.54) ? 'male' : 'female'
  const birthDate = addDays(
    addMonths(workerKind === 'retiree' ? today : entryDate, -12 * ageOf(random, workerKind))!,
    -random.integer(1, 300),
  )!
  const draw = () => (foreign ? `DEMO${random.digits(6)}` : idNumber(random, birthDate, gender))
  let id = draw()
  while (taken.has(id)) id = draw()
  taken.add(id)
  const workCity = random.chance(0.7) ? random.weighted(workCities) : employer.city
  const city = cities.find(({ code }) => code === workCity)!
  const employmentForm =
    course === 'thirdTerm'
      ? 'dispatch'
      : random.weighted([
          ['dispatch', 35],
          ['outsourcing', 40],
          ['agency', 20],
          ['internal', 5],
        ] as const)
  const wage =
    Math.round(
      ((medians[employer.industry] ?? 7200) * Math.exp((random.next() + random.next() + random.next() - 1.5) * 0.6)) /
        50,
    ) * 50
  const leaveDate = leaveOf(random, today, course, entryDate)
  const relief = random.chance(0.01)
  const values: RecordData = {
    name: name ?? (random.chance(0.03) ? middleDot(random) : personName(random)),
    idType: foreign ? 'passport' : 'idcard',
    idNumber: id,
    idLongTerm: !foreign && birthDate < addMonths(today, -552)!,
    idValidFrom: addMonths(today, -random.integer(6, 90)),
    gender,
    birthDate,
    nationality: foreign ? random.pick(countries) : '中国',
    ethnicity: foreign
      ? null
      : random.weighted([
          ['汉族', 92],
          ['回族', 3],
          ['满族', 3],
          ['壮族', 2],
        ] as const),
    householdType: foreign
      ? 'foreign'
      : random.weighted([
          ['localUrban', 30],
          ['localRural', 12],
          ['otherUrban', 33],
          ['otherRural', 22],
          ['hmt', 1],
        ] as const),
    maritalStatus: random.pick(['single', 'married', 'married']),
    education: random.pick(['senior', 'college', 'college', 'bachelor', 'bachelor', 'master']),
    mobile: mobile(random),
    currentAddress: city.name + city.district + streetAddress(random),
    customer: employer.id,
    serviceContract: employer.contract,
    agency: employer.agency,
    supportStaff: employer.supportStaff,
    costCenter: random.chance(0.6) ? random.pick(costCenters) : null,
    position: random.pick(positions),
    workCity,
    insuranceCity: workCity,
    employmentForm,
    workerKind,
    entryDate,
    leaveDate,
    leaveReason: leaveDate ? random.weighted(leaveReasons) : null,
    employmentStatus: statusOf(course),
    baseSalary: `${Math.min(35_000, Math.max(4500, wage))}.00`,
    taxSubject: random.chance(0.92) ? 'provider' : 'customer',
    taxStartMonth: entryDate.slice(0, 7),
    taxRelief: relief ? 'disabled' : 'none',
    reliefRate: relief ? '50' : null,
    ...(course === 'joining' && { firstJobThisYear: random.chance(0.3) }),
    fullSixty: entryDate < `${Number(today.slice(0, 4)) - 1}-01-02` && wage < 4800,
  }
  if (!values.idLongTerm) values.idValidTo = addMonths(String(values.idValidFrom), foreign ? 120 : 240)
  return {
    values,
    course,
    terms: course === 'cancelled' ? [] : terms,
    months,
    wage: String(values.baseSalary),
    leaveDate,
  }
}

/** Most people are between 24 and 38. */
const ageOf = (random: Random, workerKind: string): number =>
  workerKind === 'retiree'
    ? random.integer(55, 62)
    : workerKind === 'intern'
      ? random.integer(18, 20)
      : random.weighted([
          [random.integer(19, 23), 12],
          [random.integer(24, 36), 62],
          [random.integer(37, 46), 26],
        ])

const statusOf = (course: Course): string =>
  (
    {
      joining: 'pending',
      cancelled: 'cancelled',
      resigning: 'leaving',
      terminated: 'left',
      leaving: 'left',
    } as Partial<Record<Course, string>>
  )[course] ?? 'active'

/** For people who leave: soon, today, or some time after they joined. */
function leaveOf(random: Random, today: string, course: Course, entryDate: string): string | null {
  if (course === 'leaving') return today
  if (course === 'resigning') return addDays(today, random.integer(-3, 25))!
  if (course !== 'terminated') return null
  const [soonest, day] = [addDays(entryDate, 20)!, addDays(today, -random.integer(5, 400))!]
  return day > soonest ? day : soonest < today ? soonest : addDays(today, -1)!
}

/** Consecutive terms, the last of them according to its course. */
function termsOf(random: Random, today: string, course: Course, months: number): DemoPerson['terms'] {
  if (course === 'joining' || course === 'cancelled') {
    const start = addDays(today, random.integer(3, 25))!
    return [{ start, end: addDays(addMonths(start, months)!, -1) }]
  }
  const ends: Record<Course, readonly [number, number]> = {
    active: [31, months * 29],
    expiring: [0, 30],
    expired: [-40, -1],
    terminated: [60, months * 20],
    leaving: [60, months * 20],
    resigning: [60, months * 20],
    openEnded: [0, 0],
    thirdTerm: [40, 200],
    joining: [0, 0],
    cancelled: [0, 0],
  }
  const end =
    course === 'openEnded'
      ? addDays(today, -random.integer(30, 300))!
      : addDays(today, random.integer(...ends[course]))!
  const earlier =
    course === 'thirdTerm' || course === 'openEnded'
      ? 2
      : course === 'terminated' || course === 'leaving' || course === 'resigning'
        ? 0
        : random.weighted([
            [0, 80],
            [1, 17],
            [2, 3],
          ] as const)
  // Counted back from the day after the last: each term ends the day before the next begins.
  const starts = Array.from({ length: earlier + (course === 'openEnded' ? 0 : 1) }, (_, index) =>
    addMonths(addDays(end, 1)!, -months * (index + 1))!,
  ).toReversed()
  const borders = [...starts, addDays(end, 1)!]
  const fixed = starts.map((start, index) => ({ start, end: addDays(borders[index + 1], -1) }))
  return course === 'openEnded' ? [...fixed, { start: addDays(end, 1)!, end: null }] : fixed
}
