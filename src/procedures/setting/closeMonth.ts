import { addMonths } from '../../../engine/expression/index.ts'
import { procedure, type ProcedureWork } from '../../../engine/server/procedure.ts'
import { decimal, money, total } from '../money/amounts.ts'
import { isDue } from '../settlement/billableCosts.ts'
import { lockBilling } from '../settlement/lockBilling.ts'
import { monthsWithoutStatement } from '../settlement/monthsWithoutStatement.ts'
import { monthRange } from '../welfare/monthRange.ts'

/**
 * Checks that a month to be closed has no statement still in progress, because it could never be finished, and none
 * missing, because its fixed and minimum fees could never be charged. Due and unbilled costs go into later statements,
 * and the user closing the books is notified of them.
 * @throws Refusal invalid, with the statements or contracts.
 */
export const closeMonth = procedure<'parameter'>(async (work, { records: [parameter], before: [old] }) => {
  const { closedMonth } = parameter
  if (closedMonth === null || closedMonth === old?.closedMonth) return
  await lockBilling(work)
  const open = await work.read('statement', {
    where: { stage: 'generated', billMonth: { between: [null, closedMonth] } },
    fields: ['statementNo'],
    order: 'statementNo',
  })
  if (open.length > 0) {
    const named = open.slice(0, 5).map(({ statementNo }) => statementNo)
    work.refuse('parameter', [
      {
        field: 'closedMonth',
        code: 'openStatements',
        message: {
          cn: `还有${open.length}份账单未确认，请先确认或作废：${named.join('、')}`,
          en: `Statements that are not confirmed yet (${open.length}); confirm or void them first: ${named.join(', ')}`,
        },
      },
    ])
  }
  const [first] = await work.read('statement', { fields: ['billMonth'], order: 'billMonth', limit: 1 })
  if (first)
    await refuseMissing(
      work,
      monthRange(old?.closedMonth ? addMonths(old.closedMonth, 1)! : first.billMonth, closedMonth),
    )
  await reportUnbilled(work, closedMonth)
})

async function refuseMissing(work: ProcedureWork, months: readonly string[]): Promise<void> {
  if (months.length === 0) return
  const missing = await monthsWithoutStatement(work, months)
  if (missing.length === 0) return
  const named = missing.slice(0, 5)
  const [cn, en] = ['、', ', '].map((comma, language) =>
    named.map(({ contractNo, month }) => `${contractNo}${[`（${month}）`, ` (${month})`][language]}`).join(comma),
  )
  work.refuse('parameter', [
    {
      field: 'closedMonth',
      code: 'missingStatements',
      message: {
        cn: `还有${missing.length}份有固定服务费或最低收费的账单未生成，关账后无法补收，请先生成（不应收的用调整冲减）：${cn}`,
        en: `Statements with fixed or minimum fees that could not be charged later (${missing.length}): generate them first, and deduct what is not due by an adjustment: ${en}`,
      },
    },
  ])
}

async function reportUnbilled(work: ProcedureWork, closedMonth: string): Promise<void> {
  const wageMonth = addMonths(closedMonth, work.settings.parameter.wageMonthOffset)!
  const [costs] = await work.groups('costLine', {
    where: { allOf: [{ statement: null }, isDue({ billMonth: closedMonth, wageMonth, insuranceMonth: closedMonth })] },
    by: [],
    sum: ['amount'],
  })
  const parameter = await work.read('parameter', { limit: 1 })
  const [count, amount] = [costs?.count ?? 0, money(total([decimal(costs?.sum.amount)]))]
  await work.notify('parameter', parameter[0], [
    {
      type: 'monthClosed',
      link: '/settlement/unbilledcost?tab=all',
      title: { cn: `${closedMonth}已关账`, en: `${closedMonth} is closed` },
      content:
        count === 0
          ? { cn: '没有未出账费用', en: 'All costs are billed' }
          : {
              cn: `未出账费用${count}笔，合计${amount}，将计入之后的账单`,
              en: `${count} ${count === 1 ? 'cost' : 'costs'} of ${amount} not billed, carried into later statements`,
            },
    },
  ])
}
