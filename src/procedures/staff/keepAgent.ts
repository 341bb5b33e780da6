import { procedure, type Part, type ProcedureWork, type Stored } from '../../../engine/server/procedure.ts'
import { namedBatches } from '../salary/namedBatches.ts'
import { agentOf, januaryOf } from '../salary/payrollData.ts'

/**
 * Each withholding agent has its own tax year for a person, with months, deductions and tax: a person taxed by one
 * agent this year changes to another only by leaving and joining, which gives the months of both.
 * Undoing an import of joiners does not take people from an agent that has taxed them since, either.
 * @throws Refusal invalid.
 */
export const keepAgent = procedure<'person'>(async (work, { records, before }) => {
  const now = new Map(records.map((record) => [record.id, record]))
  const moved = before.flatMap((was) => {
    const is = now.get(was?.id ?? 0)
    return was && is && agentOf(was) !== agentOf(is) ? [was] : []
  })
  if (moved.length === 0) return
  const lines = await work.read('payrollLine', {
    where: {
      person: moved.map(({ id }) => id),
      lineStatus: { not: 'removed' },
      batchStatus: { not: 'void' },
      taxMonth: { between: [januaryOf(work.today), null] },
    },
    fields: ['person', 'payroll'],
  })
  const payrolls = await work.byId(
    'payroll',
    lines.map(({ payroll }) => payroll),
    { fields: ['batchNo', 'taxSubject', 'agency', 'customer', 'withholdingAgent'] },
  )
  for (const person of moved) {
    const taxing = lines
      .filter((line) => line.person === person.id)
      .map(({ payroll }) => payrolls.get(payroll)!)
      .find((payroll) => agentOf(payroll) === agentOf(person))
    if (taxing) await refuse(work, taxing, now.get(person.id)!.taxSubject !== person.taxSubject)
  }
})

type Taxing = Part<'payroll', 'batchNo' | 'withholdingAgent'>

async function refuse(work: ProcedureWork, taxing: Taxing, isOtherSubject: boolean): Promise<never> {
  const named = await namedBatches(work, [taxing])
  const { withholdingAgent } = taxing
  return work.refuse('person', [
    {
      field: (isOtherSubject ? 'taxSubject' : 'agency') satisfies keyof Stored<'person'>,
      code: 'rule',
      message: {
        cn: `批次${named.cn}已由${withholdingAgent}计税：变更扣缴义务人请办理离职后再入职`,
        en: `Payroll ${named.en} is taxed by ${withholdingAgent}: to change the withholding agent, offboard and rehire the person`,
      },
    },
  ])
}
