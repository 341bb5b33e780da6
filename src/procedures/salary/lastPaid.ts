import type { ProcedureWork } from '../../../engine/server/procedure.ts'

/** Person → the base salary of their last wages under the contract, in any payroll but this one. */
export async function readLastPaid(
  work: ProcedureWork,
  serviceContract: number,
  people: readonly number[],
  except?: number,
): Promise<Map<number, string | null>> {
  const lines = await work.read('payrollLine', {
    where: { person: people, incomeType: 'wage', ...(except !== undefined && { payroll: { not: except } }) },
    fields: ['person', 'payroll', 'baseSalary'],
    order: 'payrollMonth',
  })
  const payrolls = await work.read('payroll', {
    where: { id: lines.map(({ payroll }) => payroll), serviceContract, status: { not: 'void' } },
    fields: ['batchNo'],
  })
  const own = new Set(payrolls.map((payroll) => payroll.id))
  return new Map(lines.filter(({ payroll }) => own.has(payroll)).map(({ person, baseSalary }) => [person, baseSalary]))
}
