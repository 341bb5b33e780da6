import { procedure, type Part, type ProcedureWork, type Stored, type Values } from '../../../engine/server/procedure.ts'
import { decimal, money } from '../money/amounts.ts'
import { earnings } from './grossToNet.ts'
import { readLastPaid } from './lastPaid.ts'
import { begunWith, benefitsFor } from './proposeBenefits.ts'
import { firstDay, lastDay } from '../monthDays.ts'

const repeated = [
  ...earnings.filter((name) => name !== 'otherPreTax'),
  'afterTaxAdd',
  'afterTaxDeduct',
] as const satisfies readonly (keyof Stored<'payrollLine'>)[]
type Repeated = Part<'payrollLine', (typeof repeated)[number] | 'benefitDeduct'>

/**
 * Fills a new batch with lines: everybody who works in the month, or has left in it; or those of the previous batch,
 * with what recurs.
 */
export const fillPayroll = procedure<'payroll'>(async (work, { records }) => {
  for (const payroll of records) {
    const people = await readEmployed(work, payroll)
    const last = payroll.source === 'last' ? await readLast(work, payroll) : undefined
    const shareFor = await benefitsFor(
      work,
      people.map(({ id }) => ({ payroll, person: id })),
    )
    const begun = (id: number): Values<'payrollLine'> => {
      const repeats = recurring(last?.get(id))
      if (payroll.incomeType !== 'wage') return repeats
      const share = shareFor(payroll, id)
      const deducted = decimal(repeats.afterTaxDeduct).plus(share.benefitDeduct)
      const afterTaxDeduct = deducted.isZero() ? null : money(deducted)
      return { ...repeats, ...begunWith(share), afterTaxDeduct }
    }
    await work.insert(
      'payrollLine',
      (last ? people.filter(({ id }) => last.has(id)) : people).map(
        ({ id, name, baseSalary }): Values<'payrollLine'> => ({
          payroll: payroll.id,
          person: id,
          personName: name,
          baseSalary: payroll.incomeType === 'wage' ? baseSalary : '0.00',
          ...begun(id),
          lineStatus: 'normal',
          welfarePersonalTotal: '0.00',
          welfareCompanyTotal: '0.00',
          currentTax: '0.00',
          statutory: '0.00',
          otherDeduction: '0.00',
        }),
      ),
    )
  }
})

/** A benefit of the previous month does not recur. */
function recurring(before: Repeated | undefined): Values<'payrollLine'> {
  if (!before) return {}
  const { benefitDeduct, ...repeats } = before
  const kept = decimal(repeats.afterTaxDeduct).minus(decimal(benefitDeduct))
  return {
    ...Object.fromEntries(repeated.map((name) => [name, repeats[name]])),
    afterTaxDeduct: kept.gt(0) ? money(kept) : null,
  }
}

async function readEmployed(
  work: ProcedureWork,
  { id, customer, serviceContract, agency, taxSubject, payrollMonth }: Stored<'payroll'>,
): Promise<Employed[]> {
  const there = { customer, serviceContract, agency, taxSubject }
  const fields = ['name', 'baseSalary'] as const
  const now = await work.read('person', {
    where: {
      ...there,
      employmentStatus: ['active', 'leaving', 'left'],
      entryDate: { between: [null, lastDay(payrollMonth)] },
      anyOf: [{ leaveDate: null }, { leaveDate: { between: [firstDay(payrollMonth), null] } }],
    },
    fields,
  })
  // People who left in the month and have returned since, here or elsewhere, must still be paid for it.
  const stints = await work.read('employmentRecord', {
    where: {
      ...there,
      person: { not: now.map((each) => each.id) },
      entryDate: { between: [null, lastDay(payrollMonth)] },
      leaveDate: { between: [firstDay(payrollMonth), null] },
    },
    fields: ['person', 'baseSalary'],
    order: 'entryDate',
  })
  const earned = new Map(stints.map((stint) => [stint.person, stint.baseSalary]))
  const back = await work.read('person', { where: { id: [...earned.keys()] }, fields })
  const paid = await readLastPaid(
    work,
    serviceContract,
    back.map((each) => each.id),
    id,
  )
  return [
    ...now,
    ...back.map((each) => ({ ...each, baseSalary: paid.get(each.id) ?? earned.get(each.id) ?? each.baseSalary })),
  ]
}

type Employed = Part<'person', 'name' | 'baseSalary'>

/** Person → their line in the last batch of the same contract and kind that was not voided. */
async function readLast(
  work: ProcedureWork,
  { id, customer, serviceContract, incomeType, taxSubject, agency }: Stored<'payroll'>,
): Promise<Map<number, Repeated>> {
  const payrolls = await work.read('payroll', {
    where: { serviceContract, incomeType, taxSubject, agency, status: { not: 'void' }, id: { not: id } },
    fields: ['payrollMonth'],
    order: 'payrollMonth',
  })
  const last = payrolls.at(-1)
  if (!last) return new Map()
  const lines = await work.read('payrollLine', {
    where: { payroll: last.id, lineStatus: { not: 'removed' } },
    fields: ['person', 'benefitDeduct', ...repeated],
  })
  // Those from before this was recorded include the benefits of their month.
  const before = { ...last, customer, incomeType }
  const shareFor = await benefitsFor(
    work,
    lines.filter(({ benefitDeduct }) => benefitDeduct === null).map(({ person }) => ({ payroll: before, person })),
  )
  return new Map(
    lines.map((line) => [
      line.person,
      { ...line, benefitDeduct: line.benefitDeduct ?? money(shareFor(before, line.person).benefitDeduct) },
    ]),
  )
}
