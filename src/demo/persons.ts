import { addDays, addMonths } from '../../engine/expression/index.ts'
import type { RecordData } from '../../engine/schema/model.ts'
import type { Employer } from './contractPast.ts'
import { idNumber, mobile } from './identifiers.ts'
import { cities, personName, streetAddress } from './pools.ts'
import type { Random } from './random.ts'

/** What becomes of an employee's contract in the month that is shown. */
export type Course = 'active' | 'expiring' | 'expired' | 'terminated' | 'leaving' | 'joining' | 'openEnded' | 'thirdTerm'

/** One employee, and the terms that they work under. */
export interface DemoPerson {
  values: RecordData
  course: Course
  /** From the first to the last; an empty end is open. */
  terms: { start: string; end: string | null }[]
  months: number
  wage: string
  leaveDate: string | null
}

const positions = ['装配工', '质检员', '仓管员', '客服代表', '行政专员', '会计', '软件工程师', '保洁员', '驾驶员', '收银员', '护理员', '课程顾问']

/** Headcounts spread as those of customers are: many small ones, a few large. */
export const headcount = (random: Random): number => Math.min(80, Math.max(3, Math.round(12 * Math.exp((random.next() + random.next() - 1) * 1.6))))

export function person(random: Random, { today, employer, course, taken }: { today: string; employer: Employer; course: Course; taken: Set<string> }): DemoPerson {
  const months = random.chance(0.55) ? 36 : 24
  const terms = termsOf(random, today, course, months)
  const entryDate = terms[0].start
  const gender = random.chance(0.52) ? 'male' : 'female'
  const birthDate = addDays(addMonths(entryDate, -12 * random.integer(18, 48))!, -random.integer(1, 300))!
  let id = idNumber(random, birthDate, gender)
  while (taken.has(id)) id = idNumber(random, birthDate, gender)
  taken.add(id)
  const city = cities.find(({ code }) => code === employer.city)!
  const employmentForm = course === 'thirdTerm' ? 'dispatch' : random.weighted([['dispatch', 45], ['outsourcing', 40], ['agency', 15]] as const)
  const wage = (Math.round(7200 * Math.exp((random.next() + random.next() + random.next() - 1.5) * 0.75) / 50) * 50)
  const leaveDate = course === 'leaving' ? today : course === 'terminated' ? addDays(today, -random.integer(5, 160))! : null
  const values: RecordData = {
    name: personName(random), idType: 'idcard', idNumber: id, idLongTerm: true, gender, birthDate, nationality: '中国', ethnicity: '汉族',
    householdType: random.weighted([['localUrban', 45], ['otherUrban', 25], ['otherRural', 20], ['localRural', 10]] as const),
    maritalStatus: random.pick(['single', 'married', 'married']), education: random.pick(['senior', 'college', 'college', 'bachelor', 'bachelor', 'master']),
    mobile: mobile(random), currentAddress: city.name + city.district + streetAddress(random),
    customer: employer.id, serviceContract: employer.contract, agency: employer.agency, supportStaff: employer.supportStaff,
    position: random.pick(positions), workCity: employer.city, insuranceCity: employer.city, employmentForm, workerKind: 'regular', entryDate,
    leaveDate, leaveReason: leaveDate ? 'resignation' : null, employmentStatus: course === 'joining' ? 'pending' : leaveDate ? 'left' : 'active',
    baseSalary: `${Math.min(25_000, Math.max(4500, wage))}.00`,
  }
  return { values, course, terms, months, wage: String(values.baseSalary), leaveDate }
}

/** Whole terms one after the other, the last of them as its course wants it. */
function termsOf(random: Random, today: string, course: Course, months: number): DemoPerson['terms'] {
  if (course === 'joining') {
    const start = addDays(today, random.integer(3, 25))!
    return [{ start, end: addDays(addMonths(start, months)!, -1) }]
  }
  const ends: Record<Course, readonly [number, number]> = {
    active: [31, months * 29], expiring: [0, 30], expired: [-40, -1], terminated: [60, months * 20], leaving: [60, months * 20], openEnded: [0, 0], thirdTerm: [40, 200], joining: [0, 0],
  }
  const end = course === 'openEnded' ? addDays(today, -random.integer(30, 300))! : addDays(today, random.integer(...ends[course]))!
  const earlier = course === 'thirdTerm' || course === 'openEnded' ? 2 : course === 'terminated' || course === 'leaving' ? 0 : random.weighted([[0, 80], [1, 17], [2, 3]] as const)
  // Back from the day after the last: each term ends the day before the next begins.
  const starts = Array.from({ length: earlier + (course === 'openEnded' ? 0 : 1) }, (_, index) => addMonths(addDays(end, 1)!, -months * (index + 1))!).toReversed()
  const borders = [...starts, addDays(end, 1)!]
  const fixed = starts.map((start, index) => ({ start, end: addDays(borders[index + 1], -1) }))
  return course === 'openEnded' ? [...fixed, { start: addDays(end, 1)!, end: null }] : fixed
}
