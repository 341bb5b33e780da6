import { truncateText } from '../../../engine/model/truncateText.ts'
import { procedure, type ProcedureWork, type Stored, type Values } from '../../../engine/server/procedure.ts'
import { decimal, total } from '../money/amounts.ts'
import { bankFile } from './bankFile.ts'
import { appendSalaryJournal } from './journal.ts'
import { linesIn, live, markWages, move, settleBatches } from './payLines.ts'
import { refuseUnpaid } from './refuseUnpaid.ts'
import { settlePaid } from './settlePayrolls.ts'

type PayBatch = Stored<'payBatch'>

/** Suggests the account from which the entity of the chosen payrolls pays wages. */
export const suggestPayBatch = procedure<'payBatch'>(async (work, { values, typed, parameters }) => {
  const given = (parameters.payrolls ?? '')
    .split(',')
    .map(Number)
    .filter((id) => Number.isInteger(id) && id > 0)
  const chosen = typed.has('payrolls') || given.length === 0 ? (values.payrolls ?? []) : given
  const payrolls = await work.read('payroll', { where: { id: chosen }, fields: ['agency'] })
  const account =
    payrolls.length === 0
      ? undefined
      : await work.first('companyAccount', {
          where: { agency: payrolls[0].agency, status: 'enabled', purpose: 'wage' },
          fields: ['agency'],
        })
  return {
    values: {
      ...(!typed.has('payrolls') && payrolls.length > 0 && { payrolls: payrolls.map(({ id }) => id) }),
      ...(!typed.has('payerAccount') && account && { payerAccount: account.id }),
    } satisfies Values<'payBatch'>,
  }
})

/**
 * Fills a new batch with a line for everybody in its payrolls who is still to be paid.
 * @throws Refusal notAllowed.
 */
export const fillPayBatch = procedure<'payBatch'>(async (work, { records }) => {
  for (const batch of records) await fill(work, batch)
})

async function fill(work: ProcedureWork, batch: PayBatch, among?: ReadonlySet<number>): Promise<void> {
  const payrolls = await work.read('payroll', {
    where: { id: batch.payrolls },
    fields: ['status', 'agency', 'customer', 'payrollMonth', 'incomeType'],
    lock: true,
  })
  const account = await work.one('companyAccount', batch.payerAccount)
  if (payrolls.some(({ status }) => status !== 'approved' && status !== 'paying'))
    work.refuseCall({ cn: '只能为已审核的薪资批次生成代发', en: 'Only approved payrolls are paid' })
  if (!account || payrolls.some(({ agency }) => agency !== account.agency))
    return work.refuseCall({
      cn: '付款账户与薪资批次不属于同一主体',
      en: 'The account belongs to a different entity from the payrolls',
    })
  const wages = await work.read('payrollLine', {
    where: { payroll: payrolls.map(({ id }) => id), lineStatus: 'normal', netPay: { between: ['0.01', null] } },
    lock: true,
  })
  const due = wages.filter(({ id, payStatus }) => !live.includes(payStatus) && (!among || among.has(id)))
  if (due.length === 0) work.refuseCall({ cn: '没有待发放的工资明细', en: 'No wages are left to pay' })
  const changers = await takeUp(work, due, batch)
  const cards = await work.byId(
    'personBankCard',
    due.map(({ wageCard }) => wageCard),
    { fields: ['accountName', 'accountNo', 'bank'] },
  )
  // A card need not be verified to be paid to, so that the approval is the only look at what was entered.
  const payeeChangers = [...new Set([...changers, ...(await work.unwatched('personBankCard', [...cards.values()]))])]
  const owners = await work.byId(
    'customer',
    payrolls.map(({ customer }) => customer),
    { fields: ['name'] },
  )
  await work.change('payBatch', batch, {
    agency: account.agency,
    customers: truncateText([...owners.values()].map(({ name }) => name).join('、'), 500),
    ...(payeeChangers.length > 0 && { payeeChangers }),
  })
  const lines = await work.insert(
    'payLine',
    due.map((line, index): Values<'payLine'> => {
      const payroll = payrolls.find(({ id }) => id === line.payroll)!
      const card = cards.get(line.wageCard ?? 0)
      return {
        payBatch: batch.id,
        customer: payroll.customer,
        lineNo: index + 1,
        payrollLine: line.id,
        person: line.person,
        accountName: card?.accountName ?? null,
        accountNo: card?.accountNo ?? null,
        bank: card?.bank ?? null,
        amount: line.netPay,
        summary: `${payroll.payrollMonth.slice(5)}月${payroll.incomeType === 'annualBonus' ? '奖金' : '工资'}`,
        status: 'pending',
      }
    }),
  )
  await work.changeAll(
    'payrollLine',
    due.map((record) => ({ record, values: { payStatus: 'pending' } as const })),
  )
  await appendSalaryJournal(work, [
    {
      subject: 'payBatch',
      documentNo: batch.batchNo,
      payBatch: batch.id,
      action: 'create',
      statusAfter: 'draft',
      amountAfter: total(lines.map(({ amount }) => decimal(amount))).toFixed(2),
    },
  ])
}

/** @throws Refusal notAllowed if a card is missing or failed, or a customer that pays in advance has not paid. */
export const submitPayBatch = procedure<'payBatch'>(async (work, { records }) => {
  for (const batch of records) {
    const lines = await linesIn(work, [batch], ['pending'])
    await refuseBadCards(work, lines)
    await refuseUnpaid(work, batch, lines)
  }
})

async function refuseBadCards(work: ProcedureWork, lines: readonly Stored<'payLine'>[]): Promise<void> {
  const cards = await work.read('personBankCard', {
    where: { person: lines.map(({ person }) => person), status: 'enabled' },
    fields: ['person', 'accountNo', 'verifyStatus'],
  })
  const bad = lines.filter(
    ({ person, accountNo }) =>
      !cards.some((card) => card.person === person && card.accountNo === accountNo && card.verifyStatus !== 'failed'),
  )
  if (bad.length > 0)
    work.refuseCall({
      cn: `第${bad.map(({ lineNo }) => lineNo).join('、')}笔缺少可用的工资卡：请更换工资卡`,
      en: `Payments no. ${bad.map(({ lineNo }) => lineNo).join(', ')} have no usable wage card: change it`,
    })
}

/**
 * Generates the bank's file; from now on the payments are at the bank.
 * @throws Refusal permission; notAllowed if a card has failed, or the customer's payment was undone, since the batch was
 * submitted.
 */
export const sendPayBatch = procedure<'payBatch'>(async (work, { records }) => {
  for (const batch of records) {
    const lines = await linesIn(work, [batch], ['pending'])
    await refuseBadCards(work, lines)
    await refuseUnpaid(work, batch, lines)
    if (batch.payMethod !== 'manual') {
      work.demandWhole('payBatch', ['bankFile'])
      work.demandWhole('payLine', ['accountNo'])
      const banks = await work.byId(
        'bank',
        lines.map(({ bank }) => bank),
        { fields: ['branchName', 'cnapsCode'] },
      )
      const account = (await work.one('companyAccount', batch.payerAccount))!
      const { extension, content } = await bankFile(
        account.payFormat ?? 'generic',
        lines.map(({ lineNo, accountName, accountNo, bank, amount, summary }) => ({
          lineNo: Number(lineNo),
          accountName: String(accountName),
          accountNo: String(accountNo),
          bank: banks.get(bank ?? 0)?.branchName ?? '',
          cnapsCode: banks.get(bank ?? 0)?.cnapsCode ?? '',
          amount,
          summary: String(summary),
        })),
      )
      await work.change('payBatch', batch, {
        bankFile: [await work.storeFile(`${batch.batchNo}.${extension}`, content)],
      })
    }
    await move(work, lines, 'sent')
    const approved = await work.read('payroll', { where: { id: batch.payrolls, status: 'approved' }, lock: true })
    await work.changeAll(
      'payroll',
      approved.map((record) => ({ record, values: { status: 'paying' } as const })),
    )
  }
})

/** Unpaid lines leave the batch, and may be paid by another. */
export const closePayBatch = procedure<'payBatch'>(async (work, { records }) =>
  take(work, await linesIn(work, records, ['failed', 'returned'])),
)
export const cancelPayBatch = procedure<'payBatch'>(async (work, { records }) =>
  take(work, await linesIn(work, records, ['pending'])),
)
async function take(work: ProcedureWork, lines: readonly Stored<'payLine'>[]): Promise<void> {
  await move(work, lines, 'removed')
  await settlePaid(work, lines)
}
export const removePayLine = procedure<'payLine'>(async (work, { records }) => {
  await markWages(work, records, 'removed')
  await settlePaid(work, records)
})

/** Failed payments are repeated in a new batch, with the payees' current cards. */
export const reissue = procedure<'payLine'>(async (work, { records }) => {
  const batches = [...new Set(records.map(({ payBatch }) => payBatch))]
  if (batches.length !== 1) work.refuseCall({ cn: '请选择同一代发批次的明细', en: 'Choose payments of one batch' })
  const old = (await work.one('payBatch', batches[0]))!
  const wages = await work.read('payrollLine', {
    where: { id: records.map(({ payrollLine }) => payrollLine) },
    fields: ['payroll'],
  })
  const [batch] = await work.insert('payBatch', [
    {
      payrolls: [...new Set(wages.map(({ payroll }) => payroll))],
      payerAccount: old.payerAccount,
      payMethod: old.payMethod,
      planPayDate: work.today,
      status: 'draft',
    },
  ])
  await fill(work, batch, new Set(wages.map(({ id }) => id)))
})

/**
 * The failed payments of these wages, in whatever batch they are, are not repeated once more; the payees' current cards
 * take the place of those that failed. @returns who changed payees in those batches, so perhaps chose these cards.
 */
async function takeUp(
  work: ProcedureWork,
  wages: readonly Stored<'payrollLine'>[],
  batch: PayBatch,
): Promise<number[]> {
  const failed = await work.read('payLine', {
    where: { payrollLine: wages.map(({ id }) => id), status: ['failed', 'returned'] },
    lock: true,
  })
  if (failed.length === 0) return []
  const cards = await work.read('personBankCard', {
    where: { person: failed.map(({ person }) => person), isDefault: true, status: 'enabled' },
    fields: ['person'],
  })
  const again = new Set(failed.map(({ payrollLine }) => payrollLine))
  await work.changeAll(
    'payrollLine',
    wages
      .filter(({ id }) => again.has(id))
      .map((record) => ({
        record,
        values: { wageCard: cards.findLast(({ person }) => person === record.person)?.id ?? null },
      })),
  )
  await work.changeAll(
    'payLine',
    failed.map((record) => ({ record, values: { status: 'reissued' } as const })),
    { action: 'reissue' },
  )
  const batches = await work.byId(
    'payBatch',
    failed.map(({ payBatch }) => payBatch),
    { fields: ['batchNo', 'status', 'payeeChangers'] },
  )
  await appendSalaryJournal(
    work,
    [...batches.values()].map(({ id, batchNo, status }) => ({
      subject: 'payBatch',
      documentNo: batchNo,
      payBatch: id,
      action: 'reissue',
      statusBefore: status,
      statusAfter: status,
      reason: batch.batchNo,
    })),
  )
  await settleBatches(work, [...batches.keys()])
  return [...new Set([...batches.values()].flatMap(({ payeeChangers }) => payeeChangers ?? []))]
}

/** A batch paid by hand may be finished once its receipt is there. */
export const settleVoucher = procedure<'payBatch'>((work, { records }) =>
  settleBatches(
    work,
    records.map(({ id }) => id),
  ),
)
