import { addMonths } from '../../../engine/expression/index.ts'
import { procedure, type ProcedureWork } from '../../../engine/server/procedure.ts'
import { isDue } from '../settlement/billableCosts.ts'
import { lockBilling } from '../settlement/lockBilling.ts'
import { monthsWithoutStatement } from '../settlement/monthsWithoutStatement.ts'
import { monthRange } from '../welfare/monthRange.ts'

/**
 * Checks that a month to be closed has no statement still in progress, because it could never be finished, and none
 * missing, because its fixed and minimum fees could never be charged. Due and unbilled costs go into later statements,
 * which a message says.
 * @throws Refusal invalid, naming the statements or contracts as far as the user may view them.
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
    const seen = await work.visibleAmong(
      'statement',
      open.map(({ id }) => id),
    )
    const named = open.filter(({ id }) => seen.has(id)).map(({ statementNo }) => statementNo)
    const isAll = named.length === open.length
    work.refuse('parameter', [
      {
        field: 'closedMonth',
        code: 'openStatements',
        message: {
          cn:
            (isAll ? `还有${open.length}份账单未确认` : '还有账单未确认（含您无权查看的）') +
            `，请先确认或作废${after('：', '、', named)}`,
          en:
            `Statements that are not confirmed yet (${isAll ? open.length : 'also some that you may not view'}); ` +
            `confirm or void them first${after(': ', ', ', named)}`,
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

/** The first few of those that may be named. */
const after = (colon: string, comma: string, named: readonly string[]): string =>
  named.length > 0 ? `${colon}${named.slice(0, 5).join(comma)}` : ''

async function refuseMissing(work: ProcedureWork, months: readonly string[]): Promise<void> {
  if (months.length === 0) return
  const missing = await monthsWithoutStatement(work, months)
  if (missing.length === 0) return
  const seen = await work.visibleAmong(
    'contract',
    missing.map(({ contract }) => contract),
  )
  const named = missing.filter(({ contract }) => seen.has(contract))
  const isAll = named.length === missing.length
  const cn = named.map(({ contractNo, month }) => `${contractNo}（${month}）`)
  const en = named.map(({ contractNo, month }) => `${contractNo} (${month})`)
  work.refuse('parameter', [
    {
      field: 'closedMonth',
      code: 'missingStatements',
      message: {
        cn:
          (isAll
            ? `还有${missing.length}份有固定服务费或最低收费的账单未生成`
            : '有固定服务费或最低收费的账单未生成（含您无权查看的合同）') +
          `，关账后无法补收，请先生成（不应收的用调整冲减）${after('：', '、', cn)}`,
        en:
          'Statements with fixed or minimum fees that could not be charged later ' +
          `(${isAll ? missing.length : 'also of contracts that you may not view'}): ` +
          `generate them first, and deduct what is not due by an adjustment${after(': ', ', ', en)}`,
      },
    },
  ])
}

async function reportUnbilled(work: ProcedureWork, closedMonth: string): Promise<void> {
  const wageMonth = addMonths(closedMonth, work.settings.parameter.wageMonthOffset)!
  const unbilled = await work.first('costLine', {
    where: { allOf: [{ statement: null }, isDue({ billMonth: closedMonth, wageMonth, insuranceMonth: closedMonth })] },
    fields: ['id'],
  })
  const parameter = await work.read('parameter', { limit: 1 })
  await work.notify('parameter', parameter[0], [
    {
      type: 'monthClosed',
      link: '/settlement/unbilledcost?tab=all',
      title: { cn: `${closedMonth}已关账`, en: `${closedMonth} is closed` },
      // How many, and how much, each receiver sees in the list, as far as they may see the costs.
      content: unbilled
        ? { cn: '未出账的费用将计入之后的账单', en: 'Costs that are not billed are carried into later statements' }
        : { cn: '没有未出账费用', en: 'All costs are billed' },
    },
  ])
}
