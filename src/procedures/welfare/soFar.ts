/** What an item came to in the months of a calendar year before one of them, by the lines of one enrolment. */
export interface SoFar {
  baseSoFar: string
  companySoFar: string
  personalSoFar: string
}
/** By item; one that is not there has come to nothing. */
export type YearSoFar = Readonly<Record<string, SoFar>>

export const nothingSoFar: SoFar = { baseSoFar: '0.00', companySoFar: '0.00', personalSoFar: '0.00' }
