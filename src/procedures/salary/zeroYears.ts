import type { ProcedureWork, Stored, Values } from '../../../engine/server/procedure.ts'
import { groupedBy } from '../welfare/groupedBy.ts'
import {
  agentOf,
  approvedStates,
  januaryOf,
  readBasicDeduction,
  readBrackets,
  readDeductions,
  readOther,
  type Withheld,
} from './payrollData.ts'
import { wageTax } from './taxLine.ts'
import { readTaxpayers, taxpayerFields } from './taxpayerOf.ts'

/** What a filing says of a month without income. */
export const noIncome = {
  currentIncome: '0.00',
  exemptIncome: '0.00',
  statutory: '0.00',
  otherDeduction: '0.00',
  currentTax: '0.00',
} as const satisfies Values<'personalTax'>

type OfMonth = Withheld & Pick<Stored<'personalTax'>, 'person' | 'taxMonth'>
export const agentAndMonthOf = (filing: OfMonth): string => `${agentOf(filing)} ${filing.taxMonth}`

/** The year's totals with filings of months without wages, read at once for all people of one agent and month. */
export async function readZeroYears(
  work: ProcedureWork,
  filings: readonly OfMonth[],
): Promise<(filing: OfMonth) => Values<'personalTax'>> {
  if (filings.length === 0) return () => ({})
  const people = await work.byId(
    'person',
    filings.map(({ person }) => person),
    { fields: taxpayerFields },
  )
  const brackets = await readBrackets(work)
  const known = new Map<string, (id: number) => Values<'personalTax'>>()
  for (const [key, own] of groupedBy(filings, agentAndMonthOf)) {
    const [agent] = own
    const { taxMonth } = agent
    const ids = own.map(({ person }) => person)
    const wanted = { states: approvedStates, incomeType: 'wage', from: januaryOf(taxMonth), to: taxMonth } as const
    const earlier = await readOther(work, { ...agent, id: 0 }, ids, wanted)
    const rows = await readDeductions(work, agent, ids)
    const taxpayerOf = await readTaxpayers(
      work,
      agent,
      ids.map((id) => people.get(id)!),
      { taxMonth, earlier },
    )
    const terms = { brackets, monthly: await readBasicDeduction(work, taxMonth) }
    const earned = groupedBy(earlier.lines, ({ person }) => person)
    known.set(key, (id) => {
      const row = rows.get(id)
      const {
        cumExempt: _exempt,
        taxRate: _rate,
        quickDeduction: _quick,
        ...year
      } = wageTax(
        { grossPay: null, exemptIncome: null, statutory: null, otherDeduction: null },
        taxpayerOf(people.get(id)!),
        {
          taxMonth,
          earlier: earned.get(id) ?? [],
          cumSpecial: row?.cumTotal ?? null,
          cumPension: row?.cumPersonalPension ?? null,
        },
        terms,
      )
      return { ...year, currentTax: '0.00' }
    })
  }
  return (filing) => known.get(agentAndMonthOf(filing))!(filing.person)
}
