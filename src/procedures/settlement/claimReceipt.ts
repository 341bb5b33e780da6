import { followUp, scopeOf } from '../../../engine/server/effects.ts'
import { invalid } from '../../../engine/server/errors.ts'
import { declaredConditions } from '../../../engine/server/filters.ts'
import { writeHistory } from '../../../engine/server/history.ts'
import { readOptions } from '../../../engine/server/options.ts'
import { main, readStored, visibleConditions } from '../../../engine/server/read.ts'
import type { Context, Db, Procedure } from '../../../engine/server/runtime.ts'
import { lockRecord } from '../../../engine/server/save.ts'
import { updateRecord } from '../../../engine/server/write.ts'
import type { RecordData } from '../../../engine/schema/model.ts'
import { asWhole, changeRecord, entityOf } from './stored.ts'

/**
 * Whose money it may be: the customer that the payer's name is known of, else the only one that owes just this amount.
 */
export const suggestCustomer: Procedure = async ({ context, db, records: [receipt] }) => {
  if (receipt.payerCustomer !== null) return { values: { customer: receipt.payerCustomer } }
  const statement = entityOf(context, 'statement')
  const owing = await readStored(
    context,
    db,
    statement,
    [
      ...visibleConditions(context, statement),
      ...declaredConditions(context, statement, main, {
        status: ['confirmed', 'invoiced'],
        outstandingAmount: { between: [receipt.amount, receipt.amount] },
      }),
    ],
    { fields: ['customer'], limit: 50 },
  )
  const customers = new Set(owing.map(({ customer }) => customer))
  return { values: { customer: customers.size === 1 ? [...customers][0] : null } }
}

/** Says whose money it is, and remembers under which name this customer pays. @throws Refusal invalid. */
export const claimReceipt: Procedure = async ({ context, db, records, values }) => {
  const receipt = entityOf(context, 'receipt')
  const customer = values.customer as number
  const {
    list: [found],
  } = await readOptions(context, db, entityOf(context, 'customer'), { ids: [customer], page: 1, size: 1 })
  if (!found || found.disabled)
    throw invalid([
      {
        field: 'customer',
        code: 'reference',
        message: { cn: '客户不存在或已停用', en: 'The customer does not exist or is disabled' },
      },
    ])
  const { append, updates, notify } = receipt.actions.claim
  for (const record of records) {
    const old = { ...record }
    await changeRecord(context, db, receipt, record, {
      customer,
      claimedBy: context.user.id || null,
      claimedAt: context.now,
    })
    await rememberPayer(context, db, customer, record)
    await followUp(
      context,
      db,
      receipt,
      [{ append, updates, notify }],
      scopeOf(context, receipt, record, old, ['customer']),
    )
    await writeHistory(context, db, receipt, 'claim', record, old)
  }
}

/** A name that is known already, of this customer or of another, is left as it is. */
async function rememberPayer(
  context: Context,
  db: Db,
  id: number,
  { payerName, payerCustomer }: RecordData,
): Promise<void> {
  if (payerCustomer !== null) return
  const entity = entityOf(context, 'customer')
  const old = await lockRecord(asWhole(context), db, entity, id)
  const record = { ...old, payerNames: [...((old.payerNames ?? []) as string[]), payerName!] }
  await updateRecord(context, db, entity, record, old, new Set())
  await writeHistory(context, db, entity, 'update', record, old)
}
