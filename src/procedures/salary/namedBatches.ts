import type { Label } from '../../../engine/model/model.ts'
import type { ProcedureWork } from '../../../engine/server/procedure.ts'

const others: Label = { cn: '（其他客户）', en: "(another customer's)" }

/**
 * The numbers of payrolls in a message, as far as the user may view them: what one person is paid may stand in payrolls
 * of several customers.
 */
export async function namedBatches(
  work: ProcedureWork,
  payrolls: readonly { id: number; batchNo: string }[],
): Promise<Label> {
  const seen = await work.visibleAmong(
    'payroll',
    payrolls.map(({ id }) => id),
  )
  const named = payrolls.filter(({ id }) => seen.has(id)).map(({ batchNo }) => batchNo)
  const isAll = named.length === payrolls.length
  return {
    cn: [...named, ...(isAll ? [] : [others.cn])].join('、'),
    en: [...named, ...(isAll ? [] : [others.en])].join(', '),
  }
}
