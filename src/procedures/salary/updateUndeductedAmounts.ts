import type { ProcedureWork, Stored, Values } from '../../../engine/server/procedure.ts'
import { decimal } from '../money/amounts.ts'

interface List {
  /** The rows that these people have now. */
  former: readonly Stored<'undeducted'>[]
  /** Key → the row that the list should have. */
  wanted: ReadonlyMap<string, Pick<Values<'undeducted'>, 'person' | 'payroll' | 'feeMonth' | 'amount' | 'ofBenefits'>>
  keyOf(row: Stored<'undeducted'>): string
}

/** Makes the rows of "Amounts not deducted" those wanted. A row that stays keeps the day since when it is listed. */
export async function updateUndeductedAmounts(work: ProcedureWork, { former, wanted, keyOf }: List): Promise<void> {
  const known = new Map(former.map((row) => [keyOf(row), row]))
  await work.delete(
    'undeducted',
    former.filter((row) => !wanted.has(keyOf(row)) || known.get(keyOf(row)) !== row),
  )
  await work.changeAll(
    'undeducted',
    [...wanted].flatMap(([key, values]) => {
      const record = known.get(key)
      if (!record) return []
      const isSame = record.payroll === values.payroll && decimal(record.amount).equals(decimal(values.amount))
      return isSame ? [] : [{ record, values }]
    }),
  )
  await work.insert(
    'undeducted',
    [...wanted].flatMap(([key, values]) => (known.has(key) ? [] : [{ ...values, since: work.today }])),
  )
}
