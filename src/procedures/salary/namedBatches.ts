import type { Label } from '../../../engine/model/model.ts'
import type { ProcedureWork } from '../../../engine/server/procedure.ts'

const hidden: Label = { cn: '（您无权查看）', en: '(one that you may not view)' }

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
    cn: [...named, ...(isAll ? [] : [hidden.cn])].join('、'),
    en: [...named, ...(isAll ? [] : [hidden.en])].join(', '),
  }
}
