import { sql } from 'kysely'
import { recompute } from '../../../engine/server/effects.ts'
import { Refusal } from '../../../engine/server/errors.ts'
import { idsOf } from '../../../engine/server/references.ts'
import type { Context, Db, Procedure } from '../../../engine/server/runtime.ts'
import { lockRecord } from '../../../engine/server/save.ts'
import { storeFile } from '../../../engine/server/storeFile.ts'
import { insertRecords } from '../../../engine/server/write.ts'
import type { Label, RecordData, Value } from '../../../engine/schema/model.ts'
import { type Amount, decimal, total } from '../settlement/amounts.ts'
import { asWhole, changeRecord, column, entityOf, isAnyOf, readAll } from '../settlement/stored.ts'
import { bankFile } from './bankFile.ts'
import { tellSalary } from './journal.ts'

const refused = (text: Label) => new Refusal('notAllowed', { text })
/** A payment that was made, or may yet be. */
export const live = ['pending', 'sent', 'success']

/** Of the payrolls that were chosen: the account that their entity pays wages from. */
export const suggestPayBatch: Procedure = async ({ context, db, values, form }) => {
  const typed = new Set(form!.typed)
  const given = (form!.parameters.payrolls ?? '')
    .split(',')
    .map(Number)
    .filter((id) => Number.isInteger(id) && id > 0)
  const chosen = typed.has('payrolls')
    ? idsOf(values.payrolls ?? null)
    : given.length > 0
      ? given
      : idsOf(values.payrolls ?? null)
  const payrolls = await readAll(context, db, 'payroll', [isAnyOf('id', chosen)], ['agency'])
  const accounts =
    payrolls.length === 0
      ? []
      : await readAll(
          context,
          db,
          'companyAccount',
          [
            isAnyOf('agency', [payrolls[0].agency as number]),
            sql<boolean>`(${column('status')} = 'enabled' and 'wage' = any(${column('purpose')}))`,
          ],
          ['agency'],
        )
  return {
    values: {
      ...(!typed.has('payrolls') && payrolls.length > 0 && { payrolls: payrolls.map(({ id }) => id!) as Value }),
      ...(!typed.has('payerAccount') && accounts.length > 0 && { payerAccount: accounts[0].id! }),
    },
  }
}

/**
 * A new batch gets a line for everybody of its payrolls who is to be paid and is not yet.
 * @throws Refusal notAllowed.
 */
export const fillPayBatch: Procedure = async ({ context, db, records }) => {
  for (const batch of records) await fill(context, db, batch)
}

async function fill(context: Context, db: Db, batch: RecordData, among?: ReadonlySet<number>): Promise<void> {
  const payrolls: RecordData[] = []
  for (const id of idsOf(batch.payrolls).sort((a, b) => a - b))
    payrolls.push(await lockRecord(asWhole(context), db, entityOf(context, 'payroll'), id))
  const [account] = await readAll(
    context,
    db,
    'companyAccount',
    [isAnyOf('id', [batch.payerAccount as number])],
    ['agency'],
  )
  if (payrolls.some(({ status }) => status !== 'approved' && status !== 'paying'))
    throw refused({ cn: '只能为已审核的薪资批次生成代发', en: 'Only approved payrolls are paid' })
  if (payrolls.some(({ agency }) => agency !== account?.agency))
    throw refused({
      cn: '付款账户与薪资批次不属于同一主体',
      en: 'The account belongs to another entity than the payrolls',
    })
  const entity = entityOf(context, 'payrollLine')
  const due = (
    await readAll(
      context,
      db,
      'payrollLine',
      [
        isAnyOf(
          'payroll',
          payrolls.map(({ id }) => id!),
        ),
        sql<boolean>`(${column('lineStatus')} = 'normal' and ${column('netPay')} > 0)`,
      ],
      undefined,
      true,
    )
  ).filter(({ id, payStatus }) => (among ? among.has(id!) : !live.includes(String(payStatus))))
  if (due.length === 0) throw refused({ cn: '没有待发放的工资明细', en: 'Nobody is left to be paid' })
  const cards = new Map(
    (
      await readAll(
        context,
        db,
        'personBankCard',
        [
          isAnyOf(
            'id',
            due.map(({ wageCard }) => wageCard as number | null),
          ),
        ],
        ['accountName', 'accountNo', 'bank'],
      )
    ).map((card) => [card.id!, card]),
  )
  const owners = await readAll(
    context,
    db,
    'customer',
    [isAnyOf('id', [...new Set(payrolls.map(({ customer }) => customer as number))])],
    ['name'],
  )
  await changeRecord(context, db, entityOf(context, 'payBatch'), batch, {
    agency: account.agency,
    customer: payrolls[0].customer,
    customers: owners
      .map(({ name }) => String(name))
      .join('、')
      .slice(0, 500),
  })
  const lines = due.map((line, index): RecordData => {
    const payroll = payrolls.find(({ id }) => id === line.payroll)!
    const card = cards.get(line.wageCard as number)
    return {
      payBatch: batch.id!,
      customer: payroll.customer,
      lineNo: index + 1,
      payrollLine: line.id!,
      person: line.person,
      accountName: card?.accountName ?? null,
      accountNo: card?.accountNo ?? null,
      bank: card?.bank ?? null,
      amount: line.netPay,
      summary: `${String(payroll.payrollMonth).slice(5)}月${payroll.incomeType === 'annualBonus' ? '奖金' : '工资'}`,
      status: 'pending',
      result: null,
      failReason: null,
      paidAt: null,
    }
  })
  for (const line of lines) recompute(context, entityOf(context, 'payLine'), line)
  await insertRecords(context, db, entityOf(context, 'payLine'), lines)
  for (const line of due) await changeRecord(context, db, entity, line, { payStatus: 'pending' })
  await tellSalary(context, db, [
    {
      subject: 'payBatch',
      documentNo: String(batch.batchNo),
      customer: batch.customer,
      payBatch: batch.id!,
      action: 'create',
      statusAfter: 'draft',
      amountAfter: total(lines.map(({ amount }) => decimal(amount as Amount))).toFixed(2),
    },
  ])
}

/** @throws Refusal notAllowed: a card is missing or failed, or a customer that pays first has not paid. */
export const submitPayBatch: Procedure = async ({ context, db, records }) => {
  for (const batch of records) {
    const lines = await linesIn(context, db, batch, ['pending'])
    const cards = await readAll(
      context,
      db,
      'personBankCard',
      [
        isAnyOf(
          'person',
          lines.map(({ person }) => person as number),
        ),
        sql<boolean>`${column('status')} = 'enabled'`,
      ],
      ['person', 'accountNo', 'verifyStatus'],
    )
    const bad = lines.filter(
      ({ person, accountNo }) =>
        !cards.some((card) => card.person === person && card.accountNo === accountNo && card.verifyStatus !== 'failed'),
    )
    if (bad.length > 0)
      throw refused({
        cn: `第${bad.map(({ lineNo }) => lineNo).join('、')}笔缺少可用的工资卡`,
        en: `Payments no. ${bad.map(({ lineNo }) => lineNo).join(', ')} lack a wage card that can be used`,
      })
    await refuseUnpaid(context, db, batch, lines)
  }
}

/** Wages of a customer that pays first wait for its statement, unless its contract allows an advance. */
async function refuseUnpaid(context: Context, db: Db, batch: RecordData, lines: readonly RecordData[]): Promise<void> {
  const payrolls = await readAll(
    context,
    db,
    'payroll',
    [isAnyOf('id', idsOf(batch.payrolls))],
    ['batchNo', 'serviceContract', 'payrollMonth'],
  )
  const contracts = new Map(
    (
      await readAll(
        context,
        db,
        'contract',
        [
          isAnyOf(
            'id',
            payrolls.map(({ serviceContract }) => serviceContract as number),
          ),
        ],
        ['paymentTerms', 'advanceAllowed', 'advanceLimit'],
      )
    ).map((one) => [one.id!, one]),
  )
  const statements = await readAll(
    context,
    db,
    'statement',
    [isAnyOf('contract', [...contracts.keys()])],
    ['contract', 'wageMonth', 'status'],
  )
  const owners = await readAll(
    context,
    db,
    'payrollLine',
    [
      isAnyOf(
        'id',
        lines.map(({ payrollLine }) => payrollLine as number),
      ),
    ],
    ['payroll', 'netPay'],
  )
  const blocked = payrolls.filter((payroll) => {
    const contract = contracts.get(payroll.serviceContract as number)!
    const settled = statements.some(
      ({ contract: of, wageMonth, status }) =>
        of === payroll.serviceContract && wageMonth === payroll.payrollMonth && status === 'settled',
    )
    const advanced = total(
      owners.filter((line) => line.payroll === payroll.id).map(({ netPay }) => decimal(netPay as Amount)),
    )
    const mayAdvance =
      contract.advanceAllowed === true &&
      (contract.advanceLimit === null || advanced.lte(decimal(contract.advanceLimit as Amount)))
    return contract.paymentTerms === 'prepaid' && !settled && !mayAdvance
  })
  if (blocked.length > 0)
    throw refused({
      cn: `先款后付的客户尚未结清对账单，不能代发：${blocked.map(({ batchNo }) => String(batchNo)).join('、')}`,
      en: `The customer pays first and its statement is not settled: ${blocked.map(({ batchNo }) => String(batchNo)).join(', ')}`,
    })
}

/** Makes the bank's file; from now on the payments are at the bank. */
export const sendPayBatch: Procedure = async ({ context, db, records }) => {
  for (const batch of records) {
    const lines = await linesIn(context, db, batch, ['pending'])
    if (batch.payMethod !== 'manual') {
      const banks = new Map(
        (
          await readAll(
            context,
            db,
            'bank',
            [
              isAnyOf(
                'id',
                lines.map(({ bank }) => bank as number),
              ),
            ],
            ['branchName', 'cnapsCode'],
          )
        ).map((bank) => [bank.id!, bank]),
      )
      const [account] = await readAll(
        context,
        db,
        'companyAccount',
        [isAnyOf('id', [batch.payerAccount as number])],
        ['payFormat'],
      )
      const { extension, content } = await bankFile(
        String(account.payFormat ?? 'generic'),
        lines.map((line) => {
          const bank = banks.get(line.bank as number)
          return {
            lineNo: Number(line.lineNo),
            accountName: String(line.accountName),
            accountNo: String(line.accountNo),
            bank: String(bank?.branchName ?? ''),
            cnapsCode: String(bank?.cnapsCode ?? ''),
            amount: String(line.amount),
            summary: String(line.summary),
          }
        }),
      )
      const file = await storeFile(context, db, `${String(batch.batchNo)}.${extension}`, content)
      await changeRecord(context, db, entityOf(context, 'payBatch'), batch, {
        bankFile: [{ ...file, status: 'success' }] as Value,
      })
    }
    await move(context, db, lines, 'sent', 'sent')
    for (const payroll of await readAll(
      context,
      db,
      'payroll',
      [isAnyOf('id', idsOf(batch.payrolls)), sql<boolean>`${column('status')} = 'approved'`],
      undefined,
      true,
    )) {
      await changeRecord(context, db, entityOf(context, 'payroll'), payroll, { status: 'paying' })
    }
  }
}

/** What was not paid leaves the batch, and may be paid by another. */
export const closePayBatch: Procedure = async ({ context, db, records }) => {
  for (const batch of records)
    await move(context, db, await linesIn(context, db, batch, ['failed', 'returned']), 'removed', 'removed')
}
export const cancelPayBatch: Procedure = async ({ context, db, records }) => {
  for (const batch of records)
    await move(context, db, await linesIn(context, db, batch, ['pending']), 'removed', 'removed')
}
export const removePayLine: Procedure = async ({ context, db, records }) => {
  await markWages(context, db, records, 'removed')
}

/** Whose payments have failed are paid by a new batch, with the cards that they have now. */
export const reissue: Procedure = async ({ context, db, records }) => {
  const batches = [...new Set(records.map(({ payBatch }) => payBatch as number))]
  if (batches.length !== 1) throw refused({ cn: '请选择同一代发批次的明细', en: 'Choose payments of one batch' })
  const [old] = await readAll(context, db, 'payBatch', [isAnyOf('id', batches)])
  const wages = await readAll(
    context,
    db,
    'payrollLine',
    [
      isAnyOf(
        'id',
        records.map(({ payrollLine }) => payrollLine as number),
      ),
    ],
    undefined,
    true,
  )
  const cards = new Map(
    (
      await readAll(
        context,
        db,
        'personBankCard',
        [
          isAnyOf(
            'person',
            records.map(({ person }) => person as number),
          ),
          sql<boolean>`(${column('isDefault')} and ${column('status')} = 'enabled')`,
        ],
        ['person'],
      )
    ).map((card) => [card.person as number, card.id!]),
  )
  for (const line of wages)
    await changeRecord(context, db, entityOf(context, 'payrollLine'), line, {
      wageCard: cards.get(line.person as number) ?? null,
    })
  const batch: RecordData = {
    payrolls: [...new Set(wages.map(({ payroll }) => payroll as number))] as Value,
    payerAccount: old.payerAccount,
    payMethod: old.payMethod,
    planPayDate: context.now.slice(0, 10),
    status: 'draft',
    remark: null,
    bankFile: null,
    voucher: null,
  }
  recompute(context, entityOf(context, 'payBatch'), batch)
  await insertRecords(context, db, entityOf(context, 'payBatch'), [batch])
  for (const line of records)
    await changeRecord(context, db, entityOf(context, 'payLine'), line, { status: 'reissued' })
  await fill(context, db, batch, new Set(wages.map(({ id }) => id!)))
  await tellSalary(context, db, [
    {
      subject: 'payBatch',
      documentNo: String(old.batchNo),
      customer: old.customer,
      payBatch: old.id!,
      action: 'reissue',
      statusBefore: old.status,
      statusAfter: old.status,
      reason: String(batch.batchNo),
    },
  ])
  await settleBatch(context, db, old.id!)
}

/** The batch is finished when nothing of it is at the bank, failed or returned. */
export async function settleBatch(context: Context, db: Db, id: number): Promise<void> {
  const batch = await lockRecord(asWhole(context), db, entityOf(context, 'payBatch'), id)
  if (batch.status !== 'sent' && batch.status !== 'partial') return
  const open = await linesIn(context, db, batch, ['sent', 'failed', 'returned'])
  const status = open.length > 0 ? 'partial' : 'finished'
  if (status !== batch.status) await changeRecord(context, db, entityOf(context, 'payBatch'), batch, { status })
}

export const linesIn = (
  context: Context,
  db: Db,
  { id }: RecordData,
  states: readonly string[],
): Promise<RecordData[]> =>
  readAll(
    context,
    db,
    'payLine',
    [isAnyOf('payBatch', [id!]), sql<boolean>`${column('status')} = any(${states}::text[])`],
    undefined,
    true,
  )

/** Lines into another state, and what their wages say of it. */
async function move(
  context: Context,
  db: Db,
  lines: readonly RecordData[],
  status: string,
  paid: string,
): Promise<void> {
  for (const line of lines) await changeRecord(context, db, entityOf(context, 'payLine'), line, { status })
  await markWages(context, db, lines, paid)
}

export async function markWages(
  context: Context,
  db: Db,
  lines: readonly RecordData[],
  payStatus: string,
): Promise<void> {
  for (const line of await readAll(
    context,
    db,
    'payrollLine',
    [
      isAnyOf(
        'id',
        lines.map(({ payrollLine }) => payrollLine as number),
      ),
    ],
    undefined,
    true,
  )) {
    await changeRecord(context, db, entityOf(context, 'payrollLine'), line, { payStatus })
  }
}
