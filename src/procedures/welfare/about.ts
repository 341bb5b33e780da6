import { addDays, monthsBetween } from '../../../engine/expression/index.ts'
import type { Values } from '../../../engine/server/procedure.ts'
import { monthsFrom } from './monthRange.ts'
import type { YearSoFar } from './soFar.ts'

/** The fields of a person that it is derived from. */
export const aboutFields = ['birthDate', 'entryDate', 'gender', 'nationality', 'householdType', 'workerKind'] as const
type AboutPerson = Pick<Values<'person'>, (typeof aboutFields)[number]> & {
  /** Year → what they earned a month in it; known only in families that ask. */
  averageWages?: ReadonlyMap<number, string>
  /** Month → what they earned in it; known only in families that ask. */
  monthWages?: ReadonlyMap<string, string>
}

/** Monthly entries for a person, in families that prompt for them. */
export interface MonthInputs {
  attendedDays: string | null
  additionalWages: string | null
}
export const nothingEntered: MonthInputs = { attendedDays: null, additionalWages: null }

/** What a family's formulas may read of a person and a month, besides amounts. */
export interface About extends MonthInputs {
  /**
   * In whole years, at the end of the previous month: after a birthday, a person counts as older from the next month
   * on.
   */
  age: string | null
  /** The age at the end of the month's year. */
  ageAtYearEnd: string | null
  /** 0 in the month of hire. */
  serviceMonths: string | null
  /** 1 to 12. */
  calendarMonth: string | null
  gender: string | null
  nationality: string | null
  householdType: string | null
  workerKind: string | null
  /** How many people of the customer are in the family in the month. */
  headcount: string | null
  /** What payroll paid the person a month in the calendar year before. */
  averageWage: string | null
  /** The person's gross wages of the month, once they are approved. */
  monthWage: string | null
  /** The totals of each item in the year before the month; none for a month on its own. */
  soFar: YearSoFar
}

/** For an unknown person, when a policy is tried out. */
export const aboutNobody: About = {
  age: null,
  ageAtYearEnd: null,
  serviceMonths: null,
  calendarMonth: null,
  gender: null,
  nationality: null,
  householdType: null,
  workerKind: null,
  headcount: null,
  averageWage: null,
  monthWage: null,
  ...nothingEntered,
  soFar: {},
}

export function aboutOf(
  person: AboutPerson | undefined,
  month: string,
  {
    soFar = {},
    entered = nothingEntered,
    headcount = null,
  }: { soFar?: YearSoFar; entered?: MonthInputs; headcount?: string | null } = {},
): About {
  if (!person) return { ...aboutNobody, calendarMonth: String(Number(month.slice(5))), headcount, ...entered, soFar }
  const { birthDate, entryDate, gender, nationality, householdType, workerKind, averageWages, monthWages } = person
  const lived = birthDate ? monthsBetween(birthDate, addDays(`${month}-01`, -1)!) : null
  return {
    age: lived === null ? null : String(Math.floor(lived / 12)),
    ageAtYearEnd: birthDate ? String(Number(month.slice(0, 4)) - Number(birthDate.slice(0, 4))) : null,
    serviceMonths: entryDate ? String(monthsFrom(entryDate.slice(0, 7), month)) : null,
    calendarMonth: String(Number(month.slice(5))),
    gender: gender ?? null,
    nationality: nationality ?? null,
    householdType: householdType ?? null,
    workerKind: workerKind ?? null,
    headcount,
    averageWage: averageWages?.get(Number(month.slice(0, 4)) - 1) ?? null,
    monthWage: monthWages?.get(month) ?? null,
    ...entered,
    soFar,
  }
}
