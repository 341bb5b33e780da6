import { addDays, addMonths } from '../../../../engine/expression/index.ts'
import {
  type OpenValues,
  type ProcedureWork,
  rowsIn,
  type Stored,
  textIn,
  type Values,
} from '../../../../engine/server/procedure.ts'
import { decimal, money, total } from '../../money/amounts.ts'
import { groupedBy } from '../groupedBy.ts'
import { vestedPart, vestedPercent } from '../vesting.ts'
import { policyItems } from './amounts.ts'
import { expenseLineOf, type Family, type ReductionName } from './family.ts'

/** Of whom and when it is asked: a reduction, or one that is filled in. */
type Asked = Pick<Values<ReductionName>, 'person' | 'enrolment' | 'policy' | 'lastMonth' | 'leaveDate'>

/**
 * What leavers take along of the company's part, of each item for which the policy has a table: what was charged up to
 * the last paid month, the percentage for their years of service, and what that comes to.
 */
export async function vestedOf(
  work: ProcedureWork,
  family: Family,
  reductions: readonly Asked[],
): Promise<(reduction: Asked) => OpenValues> {
  const items = family.items.filter(({ hasCompany, vesting }) => hasCompany && vesting.length > 0)
  if (items.length === 0) return () => ({})
  const persons = await work.byId(
    'person',
    reductions.map(({ person }) => person ?? null),
    { fields: ['entryDate'] },
  )
  const policies = await work.byId(
    'policy',
    reductions.map(({ policy }) => policy ?? null),
  )
  const lines = await work.read(expenseLineOf(family), {
    where: { enrolment: reductions.flatMap(({ enrolment }) => enrolment ?? []), stage: ['open', 'locked'] },
  })
  const ofEnrolment = groupedBy(lines, ({ enrolment }) => enrolment)
  return ({ person, enrolment, policy, lastMonth, leaveDate }) => {
    const own = (ofEnrolment.get(enrolment ?? null) ?? []).filter(({ belongMonth }) => belongMonth <= String(lastMonth))
    const left = leaveDate ?? addDays(`${addMonths(String(lastMonth), 1)}-01`, -1)!
    const rows = policyItems(policies.get(policy!) ?? {}, family)
    return Object.fromEntries(
      items.flatMap(({ key }) => {
        const row = rows.find(({ item }) => item === key)
        const steps = row ? rowsIn<'policyVesting'>(row, 'vesting') : []
        const percent = vestedPercent(steps.map(stepOf), persons.get(person!)?.entryDate ?? null, left)
        const contributed = money(total(own.map((line) => decimal(textIn(line, `${key}Company`)))))
        return [
          [`${key}Contributed`, contributed],
          [`${key}VestedRate`, percent],
          [`${key}Vested`, vestedPart(contributed, percent)],
        ]
      }),
    )
  }
}

const stepOf = ({ years, percent }: Stored<'policyVesting'>) => ({ years: Number(years), percent: String(percent) })
