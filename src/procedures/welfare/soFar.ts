/** The totals of an item in the earlier months of a calendar year, from the lines of one enrolment. */
export interface SoFar {
  baseSoFar: string
  companySoFar: string
  personalSoFar: string
}
/** By item; a missing one is zero. */
export type YearSoFar = Readonly<Record<string, SoFar>>

export const nothingSoFar: SoFar = { baseSoFar: '0.00', companySoFar: '0.00', personalSoFar: '0.00' }
