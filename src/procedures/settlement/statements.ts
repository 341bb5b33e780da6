import { addMonths } from '../../../engine/expression/index.ts'
import type { Label } from '../../../engine/model/model.ts'
import { procedure, type ProcedureWork, type Stored, type Values } from '../../../engine/server/procedure.ts'
import { decimal } from '../money/amounts.ts'
import { groupedBy } from '../welfare/groupedBy.ts'
import { isInForce, readOwing, type BilledMonths } from './billableCosts.ts'
import { readMissedFees } from './missedFees.ts'
import { amountCarried, mayTake } from './carriedOver.ts'
import { compareBudgets } from './compareBudgets.ts'
import { disabledCustomers } from './disabledCustomers.ts'
import { dueDate, expectedConfirmation, type PaymentTerms } from './dueDate.ts'
import { makeStatements } from './makeStatements.ts'
import { partOfEachCustomer } from './partOfEachCustomer.ts'
import { followStatements } from './followCosts.ts'
import { appendStatementEntries } from './journal.ts'
import { lockOpenMonths, monthClosed } from './lockBilling.ts'
import { addUp, lockOpen, recomputeStatements } from './recomputeStatements.ts'
import { refuseStrangers } from './refuseStrangers.ts'
import { billCosts } from './writeStatements.ts'

type Statement = Stored<'statement'>

/**
 * Returns how many statements were created, and which contracts got none.
 * @throws Refusal invalid if the month is closed, or there are costs of future months.
 */
export const generateStatements = procedure<'statement'>(async (work, { values }) => {
  const months = checkedMonths(work, values)
  const { statements, skipped } = await makeStatements(work, {
    months,
    customers: values.customers ?? undefined,
    barred: await disabledCustomers(work),
    begun: values.begun ?? false,
  })
  return {
    succeeded: statements.length,
    failed: skipped.map(({ id, name, reason }) => ({ id, name, message: reason[work.language] })),
  }
})

/** Each customer separately: the chosen ones, or all with a contract to bill. @throws Refusal as above. */
export const divideStatements = procedure<'statement'>(async (work, { values }) => {
  const months = checkedMonths(work, values)
  const owing = values.customers?.length
    ? []
    : [...(await readOwing(work, months)), ...(await readMissedFees(work, months))]
  return partOfEachCustomer(work, { chosen: values.customers, where: isInForce(months, owing) })
})

function checkedMonths(work: ProcedureWork, values: Values<'statement'> & { begun?: boolean | null }): BilledMonths {
  const [billMonth, wageMonth, insuranceMonth] = [values.billMonth!, values.wageMonth!, values.insuranceMonth!]
  const { closedMonth } = work.settings.parameter
  if (closedMonth && billMonth <= closedMonth)
    work.refuse('statement', [{ field: 'billMonth', code: 'closed', message: monthClosed }])
  if (values.begun && !values.customers?.length)
    work.refuse('statement', [{ field: 'customers', code: 'required', message: whoseStatement }])
  const months = { wageMonth, insuranceMonth }
  const latest = addMonths(billMonth, 1)!
  const late = (['wageMonth', 'insuranceMonth'] as const).filter((field) => months[field] > latest)
  if (late.length > 0)
    work.refuse(
      'statement',
      late.map((field) => ({ field, code: 'late', message: tooLate })),
    )
  return { billMonth, ...months }
}

const whoseStatement: Label = {
  cn: '没有费用也出账时请选择客户',
  en: 'Please choose the customers that get a statement without costs',
}
const tooLate: Label = { cn: '不能晚于账单月份的下一月', en: 'It may be at most one month after the statement month' }

/** Recomputes statements; manual adjustments stay. */
export const regenerate = procedure<'statement'>(async (work, { records }) => {
  const changes = records.map((statement) => ({ statement, old: { ...statement } }))
  await recomputeStatements(work, records, { action: 'regenerate' })
  await appendStatementEntries(work, 'generate', changes)
})

/**
 * After an adjustment was created, changed or deleted: recomputes the totals of its statement.
 * @throws Refusal invalid for a stranger.
 */
export const adjustStatement = procedure<'statementItem'>(async (work, { records }) => {
  await refuseStrangers(work, 'statementItem', records)
  const adjusted = groupedBy(records, ({ statement }) => statement as number)
  const statements = await lockOpen(work, [...adjusted.keys()])
  const changes = statements.map((statement) => ({
    statement,
    old: { ...statement },
    detail: adjusted
      .get(statement.id)!
      .map(({ reason }) => reason ?? '')
      .join('；'),
  }))
  await addUp(work, statements, { action: 'adjust' })
  const written = await work.byId(
    'statementItem',
    records.map((record) => record.id),
  )
  for (const record of records) Object.assign(record, written.get(record.id))
  await appendStatementEntries(work, 'adjust', changes)
})

/** After a confirmation: the due date is fixed, and a negative amount is carried over to the next statement. */
export const confirmStatement = procedure<'statement'>(async (work, { records, before }) => {
  const termsOf = await readTerms(work, records)
  const negative = records.filter(({ totalAmount }) => decimal(totalAmount).isNegative())
  await work.changeAll(
    'statement',
    records.map((statement) => ({
      record: statement,
      values: {
        dueDate: dueDate(termsOf(statement), statement.billMonth, String(statement.confirmedAt).slice(0, 10)),
        ...(negative.includes(statement) && amountCarried(statement)),
      },
    })),
  )
  await carryOver(work, negative)
  await appendStatementEntries(work, 'confirm', changesOf(records, before))
  await compareAll(work, records)
})

/**
 * Reverses the carry-over, unless the statement that has taken it is confirmed.
 * @throws Refusal notAllowed, also if the month was closed meanwhile.
 */
export const unconfirmStatement = procedure<'statement'>(async (work, { records, before }) => {
  await lockOpenMonths(
    work,
    records.map(({ billMonth }) => billMonth),
    records.map(({ customer }) => customer),
  )
  const termsOf = await readTerms(work, records)
  const carried = records.filter(({ carriedAmount }) => carriedAmount !== null)
  await work.changeAll(
    'statement',
    records.map((statement) => ({
      record: statement,
      values: {
        dueDate: dueDate(termsOf(statement), statement.billMonth, expectedConfirmation(statement.createdAt)),
        dueDateReason: null,
        carriedAmount: null,
        carriedOwnAmount: null,
      },
    })),
  )
  await takeBack(work, carried)
  await appendStatementEntries(work, 'unconfirm', changesOf(records, before))
  await compareAll(work, records)
})

/** The costs of voided statements become unbilled. */
export const voidStatement = procedure<'statement'>(async (work, { records, before }) => {
  const costs = await work.read('costLine', {
    where: { statement: records.map(({ id }) => id) },
    fields: ['statement'],
  })
  await billCosts(work, [{ statement: null, costs }])
  await appendStatementEntries(
    work,
    'void',
    changesOf(records, before).map((change) => ({ ...change, detail: change.statement.voidReason })),
  )
  await compareAll(work, records)
})

const changesOf = (records: readonly Statement[], before: readonly (Statement | null)[]) =>
  records.map((statement, index) => ({ statement, old: before[index]! }))

const compareAll = (work: ProcedureWork, statements: readonly Statement[]): Promise<void> =>
  compareBudgets(
    work,
    statements.map(({ contract }) => contract),
  )

/** The next open statement takes the amount at once; one that is created later looks it up itself. */
async function carryOver(work: ProcedureWork, statements: readonly Statement[]): Promise<void> {
  const open = await work.read('statement', {
    where: { customer: statements.map(({ customer }) => customer), stage: 'generated' },
    fields: ['customer', 'contract', 'agency', 'billMonth'],
    order: 'billMonth',
  })
  const next = statements.flatMap((statement) => {
    const takers = open.filter((each) => mayTake(statement, each))
    return (takers.find(({ contract }) => contract === statement.contract) ?? takers[0])?.id ?? []
  })
  await followStatements(work, next)
}

async function takeBack(work: ProcedureWork, statements: readonly Statement[]): Promise<void> {
  const taken = await work.read('statementItem', {
    where: { sourceType: 'carryOver', sourceId: statements.map(({ statementNo }) => statementNo) },
    fields: ['statement', 'stage'],
  })
  if (taken.some(({ stage }) => stage === 'confirmed'))
    work.refuseCall({
      cn: '结转金额已计入已确认的对账单，不能取消确认',
      en: 'The amount carried over is in a confirmed statement, so this confirmation cannot be undone',
    })
  await followStatements(
    work,
    taken.flatMap(({ statement, stage }) => (stage === 'generated' ? statement : [])),
  )
}

async function readTerms(
  work: ProcedureWork,
  statements: readonly Statement[],
): Promise<(statement: Statement) => PaymentTerms> {
  const contracts = await work.byId(
    'contract',
    statements.map(({ contract }) => contract),
    { fields: ['paymentTerms', 'paymentDay'] },
  )
  return ({ contract }) => {
    const { paymentTerms, paymentDay } = contracts.get(contract)!
    return { paymentTerms: paymentTerms!, paymentDay }
  }
}
