import { procedure, type ProcedureWork, type Stored, type Values } from '../../../engine/server/procedure.ts'
import { decimal, money, total } from '../money/amounts.ts'
import { groupedBy } from '../welfare/groupedBy.ts'

type Payroll = Pick<Stored<'payroll'>, 'id' | 'incomeType' | 'payrollMonth'>
export type Proposed = Pick<Values<'payrollLine'>, 'afterTaxDeduct' | 'otherPreTax'>

/**
 * What the benefits of the month come to in the wages of these people: what they bear themselves is taken off after tax,
 * what the company bears of taxable ones is income. Whoever is in another wage payroll of the month has it there.
 */
export async function benefitsFor(
  work: ProcedureWork,
  { id, incomeType, payrollMonth }: Payroll,
  people: readonly number[],
): Promise<(person: number) => Proposed> {
  if (incomeType !== 'wage') return () => ({})
  const elsewhere = await work.read('payrollLine', {
    where: {
      person: people,
      payroll: { not: id },
      payrollMonth,
      incomeType: 'wage',
      batchStatus: { not: 'void' },
      lineStatus: { not: 'removed' },
    },
    fields: ['person'],
  })
  const taken = new Set(elsewhere.map(({ person }) => person))
  const benefits = await work.read('otherBenefit', {
    where: { person: people.filter((one) => !taken.has(one)), feeMonth: payrollMonth, stage: 'confirmed' },
    fields: ['person', 'personalAmount', 'companyAmount', 'taxable'],
  })
  const byPerson = groupedBy(benefits, ({ person }) => person!)
  return (person) => {
    const own = byPerson.get(person) ?? []
    const borne = total(own.map(({ personalAmount }) => decimal(personalAmount)))
    const income = total(own.filter(({ taxable }) => taxable).map(({ companyAmount }) => decimal(companyAmount)))
    return {
      ...(!borne.isZero() && { afterTaxDeduct: money(borne) }),
      ...(!income.isZero() && { otherPreTax: money(income) }),
    }
  }
}

/** Of lines that were added: where nobody said otherwise. */
export const proposeBenefits = procedure<'payrollLine'>(async (work, { records }) => {
  const payrolls = await work.byId(
    'payroll',
    records.map(({ payroll }) => payroll),
    { fields: ['incomeType', 'payrollMonth'] },
  )
  for (const [payroll, own] of groupedBy(records, (record) => record.payroll)) {
    const proposed = await benefitsFor(
      work,
      payrolls.get(payroll)!,
      own.map(({ person }) => person),
    )
    await work.changeAll(
      'payrollLine',
      own.map((record) => ({
        record,
        values: Object.fromEntries(
          Object.entries(proposed(record.person)).filter(([name]) => record[name as keyof Proposed] === null),
        ),
      })),
    )
  }
})
