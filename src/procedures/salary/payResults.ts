import { sql } from 'kysely'
import { followUp, scopeOf } from '../../../engine/server/effects.ts'
import { invalid } from '../../../engine/server/errors.ts'
import { writeHistory } from '../../../engine/server/history.ts'
import type { Context, Db, Procedure } from '../../../engine/server/runtime.ts'
import { lockRecord } from '../../../engine/server/save.ts'
import { insertRecords } from '../../../engine/server/write.ts'
import type { RecordData } from '../../../engine/schema/model.ts'
import { keepDefaultCard } from '../bank/cards.ts'
import { asWhole, changeRecord, column, entityOf, isAnyOf, readAll } from '../settlement/stored.ts'
import { tellSalary } from './journal.ts'
import { markWages, settleBatch } from './payBatch.ts'

/** What the bank has said of payments, by hand. @throws Refusal invalid: a failure without a reason. */
export const markResult: Procedure = async ({ context, db, records, values }) => {
  if (values.result !== 'success' && !values.failReason)
    throw invalid([
      {
        field: 'failReason',
        code: 'required',
        message: { cn: '失败或退票必须填写失败原因', en: 'A failed or returned payment needs a reason' },
      },
    ])
  for (const line of records) {
    const old = { ...line }
    await changeRecord(context, db, entityOf(context, 'payLine'), line, {
      result: values.result,
      failReason: values.result === 'success' ? null : values.failReason,
      paidAt: values.result === 'success' ? (values.paidAt ?? context.now) : null,
    })
    await writeHistory(context, db, entityOf(context, 'payLine'), 'markResult', line, old)
  }
  await record(context, db, records)
}

/** What the bank has said of payments, by its file. */
export const recordResult: Procedure = async ({ context, db, records }) => {
  await record(context, db, records)
}

async function record(context: Context, db: Db, lines: readonly RecordData[]): Promise<void> {
  const entity = entityOf(context, 'payLine')
  for (const line of lines) {
    const result = String(line.result)
    const old = { ...line }
    await changeRecord(context, db, entity, line, {
      status: result,
      paidAt: result === 'success' ? (line.paidAt ?? context.now) : null,
    })
    await markWages(context, db, [line], result)
    if (result !== 'success') {
      await failCard(context, db, line)
      await followUp(
        context,
        db,
        entity,
        [{ append: [], updates: [], notify: entity.actions.markResult.notify }],
        scopeOf(context, entity, line, old),
      )
    }
  }
  await stampCards(
    context,
    db,
    lines.filter(({ result }) => result === 'success'),
  )
  const batches = new Map(
    (
      await readAll(
        context,
        db,
        'payBatch',
        [
          isAnyOf(
            'id',
            lines.map(({ payBatch }) => payBatch as number),
          ),
        ],
        ['batchNo'],
      )
    ).map((one) => [one.id!, one]),
  )
  await tellSalary(
    context,
    db,
    lines.map((line) => ({
      subject: 'payLine',
      documentNo: String(batches.get(line.payBatch as number)!.batchNo),
      customer: line.customer,
      payBatch: line.payBatch,
      payLine: line.id!,
      person: line.person,
      action: 'result',
      statusBefore: 'sent',
      statusAfter: String(line.status),
      amountBefore: line.amount,
      amountAfter: line.amount,
      reason: line.failReason ?? null,
    })),
  )
  for (const id of batches.keys()) await settleBatch(context, db, id)
  await settlePayrolls(context, db, lines)
}

/** The cards that these payments went to tell when it was. */
async function stampCards(context: Context, db: Db, paid: readonly RecordData[]): Promise<void> {
  if (paid.length === 0) return
  const entity = entityOf(context, 'personBankCard')
  const cards = await readAll(
    context,
    db,
    entity.name,
    [
      isAnyOf(
        'person',
        paid.map(({ person }) => person as number),
      ),
      sql<boolean>`${column('status')} = 'enabled'`,
    ],
    undefined,
    true,
  )
  for (const { person, accountNo, paidAt } of paid) {
    const card = cards.find((one) => one.person === person && one.accountNo === accountNo)
    if (card && String(card.lastPaidAt ?? '') < String(paidAt))
      await changeRecord(context, db, entity, card, { lastPaidAt: paidAt! })
  }
}

async function failCard(context: Context, db: Db, { person, accountNo, failReason }: RecordData): Promise<void> {
  const entity = entityOf(context, 'personBankCard')
  for (const card of await readAll(
    context,
    db,
    entity.name,
    [
      isAnyOf('person', [person as number]),
      sql<boolean>`(${column('accountNo')} = ${accountNo} and ${column('status')} = 'enabled')`,
    ],
    undefined,
    true,
  )) {
    const old = { ...card }
    await changeRecord(context, db, entity, card, { verifyStatus: 'failed', verifyRemark: failReason ?? null })
    await writeHistory(context, db, entity, 'fail', card, old)
  }
}

/** A payroll is paid when everybody of it is who is to be paid. */
async function settlePayrolls(context: Context, db: Db, lines: readonly RecordData[]): Promise<void> {
  const wages = await readAll(
    context,
    db,
    'payrollLine',
    [
      isAnyOf(
        'id',
        lines.map(({ payrollLine }) => payrollLine as number),
      ),
    ],
    ['payroll'],
  )
  for (const id of new Set(wages.map(({ payroll }) => payroll as number))) {
    const payroll = await lockRecord(asWhole(context), db, entityOf(context, 'payroll'), id)
    const open = await readAll(
      context,
      db,
      'payrollLine',
      [
        isAnyOf('payroll', [id]),
        sql<boolean>`(${column('lineStatus')} <> 'removed' and ${column('netPay')} > 0 and ${column('payStatus')} is distinct from 'success')`,
      ],
      ['payStatus'],
    )
    if (payroll.status === 'paying' && open.length === 0)
      await changeRecord(context, db, entityOf(context, 'payroll'), payroll, { status: 'paid', paidAt: context.now })
  }
}

/** The payee's new card, which becomes their default, and stands in the payment. */
export const changeCard: Procedure = async ({ context, db, records, values }) => {
  const entity = entityOf(context, 'personBankCard')
  for (const line of records) {
    const [person] = await readAll(context, db, 'person', [isAnyOf('id', [line.person as number])], ['name'])
    const card: RecordData = {
      person: line.person,
      accountName: values.accountName,
      accountNo: values.accountNo,
      bank: values.bank,
      isDefault: true,
      effectiveFrom: context.now.slice(0, 7),
      verifyStatus: 'unverified',
      status: 'enabled',
      nameDiffReason: values.accountName === person.name ? null : '代发时更换',
    }
    await insertRecords(context, db, entity, [card])
    await keepDefaultCard({ context, db, entity: entity.name, records: [card], values: {} })
    await writeHistory(context, db, entity, 'create', card, null)
    const old = { ...line }
    await changeRecord(context, db, entityOf(context, 'payLine'), line, {
      accountName: values.accountName,
      accountNo: values.accountNo,
      bank: values.bank,
    })
    await writeHistory(context, db, entityOf(context, 'payLine'), 'changeCard', line, old)
    const [batch] = await readAll(context, db, 'payBatch', [isAnyOf('id', [line.payBatch as number])], ['batchNo'])
    await tellSalary(context, db, [
      {
        subject: 'payLine',
        documentNo: String(batch.batchNo),
        customer: line.customer,
        payBatch: line.payBatch,
        payLine: line.id!,
        person: line.person,
        action: 'changeCard',
        statusBefore: line.status,
        statusAfter: line.status,
      },
    ])
  }
}
