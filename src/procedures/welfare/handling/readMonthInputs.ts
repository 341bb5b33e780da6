import { type OpenValues, type ProcedureWork, textIn } from '../../../../engine/server/procedure.ts'
import { type MonthInputs, nothingEntered } from '../about.ts'
import { monthInputOf, type Family } from './family.ts'

/** Monthly entries for these people, by person and month; empty in families that prompt for none. */
export async function readMonthInputs(
  work: ProcedureWork,
  family: Family,
  persons: readonly (number | null)[],
): Promise<ReadonlyMap<string, MonthInputs>> {
  if (family.monthInputs.length === 0) return new Map()
  const found: readonly OpenValues[] = await work.read(monthInputOf(family), {
    where: { person: persons.filter((id) => id !== null) },
  })
  return new Map(
    found.map((entry) => [keyOf(Number(entry.person), String(textIn(entry, 'month'))), valuesOf(family, entry)]),
  )
}

const keyOf = (person: number | null | undefined, month: string): string => `${person} ${month}`
const valuesOf = ({ monthInputs }: Family, entry: OpenValues): MonthInputs => ({
  ...nothingEntered,
  ...Object.fromEntries(monthInputs.map((name) => [name, textIn(entry, name)])),
})

export const monthInputsIn = (
  { entered }: { entered: ReadonlyMap<string, MonthInputs> },
  person: number | null | undefined,
  month: string,
): MonthInputs => entered.get(keyOf(person, month)) ?? nothingEntered
