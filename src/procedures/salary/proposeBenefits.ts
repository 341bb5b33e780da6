import { procedure, type ProcedureWork, type Stored, type Values } from '../../../engine/server/procedure.ts'
import { decimal, money, total } from '../money/amounts.ts'
import { groupedBy } from '../welfare/groupedBy.ts'

type Payroll = Pick<Stored<'payroll'>, 'id' | 'incomeType' | 'payrollMonth'>
export type Proposed = Pick<Values<'payrollLine'>, 'afterTaxDeduct' | 'otherPreTax'>

/**
 * The effect of the month's benefits on the wages of these people: their own part is deducted after tax, the company's
 * part of taxable ones is income. People in another wage payroll of the month have it there.
 */
export async function benefitsFor(
  work: ProcedureWork,
  lines: readonly { payroll: Payroll; person: number }[],
): Promise<(payroll: Payroll, person: number) => Proposed> {
  const wages = lines.filter(({ payroll }) => payroll.incomeType === 'wage')
  const months = [...new Set(wages.map(({ payroll }) => payroll.payrollMonth))]
  const person = [...new Set(wages.map((line) => line.person))]
  const there = await work.read('payrollLine', {
    where: {
      person,
      payrollMonth: months,
      incomeType: 'wage',
      batchStatus: { not: 'void' },
      lineStatus: { not: 'removed' },
    },
    fields: ['person', 'payroll', 'payrollMonth'],
  })
  const paidBy = groupedBy(there, (line) => keyOf(line.person, line.payrollMonth!))
  const benefits = await work.read('otherBenefit', {
    where: { person, feeMonth: months, stage: 'confirmed' },
    fields: ['person', 'feeMonth', 'personalAmount', 'companyAmount', 'taxable'],
  })
  const given = groupedBy(benefits, (one) => keyOf(one.person!, one.feeMonth))
  return ({ id, incomeType, payrollMonth }, one) => {
    const key = keyOf(one, payrollMonth)
    if (incomeType !== 'wage' || paidBy.get(key)?.some(({ payroll }) => payroll !== id)) return {}
    const own = given.get(key) ?? []
    const borne = total(own.map(({ personalAmount }) => decimal(personalAmount)))
    const income = total(own.filter(({ taxable }) => taxable).map(({ companyAmount }) => decimal(companyAmount)))
    return {
      ...(!borne.isZero() && { afterTaxDeduct: money(borne) }),
      ...(!income.isZero() && { otherPreTax: money(income) }),
    }
  }
}

const keyOf = (person: number, month: string): string => `${person} ${month}`

/** For added lines, unless entered otherwise. */
export const proposeBenefits = procedure<'payrollLine'>(async (work, { records }) => {
  const payrolls = await work.byId(
    'payroll',
    records.map(({ payroll }) => payroll),
    { fields: ['incomeType', 'payrollMonth'] },
  )
  const payrollOf = (record: Stored<'payrollLine'>) => payrolls.get(record.payroll)!
  const proposed = await benefitsFor(
    work,
    records.map((record) => ({ payroll: payrollOf(record), person: record.person })),
  )
  await work.changeAll(
    'payrollLine',
    records.map((record) => ({
      record,
      values: Object.fromEntries(
        Object.entries(proposed(payrollOf(record), record.person)).filter(
          ([name]) => record[name as keyof Proposed] === null,
        ),
      ),
    })),
  )
})
