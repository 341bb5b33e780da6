import { sql } from 'kysely'
import { addMonths } from '../../../engine/expression/index.ts'
import { accept } from '../../../engine/server/accept.ts'
import { recompute } from '../../../engine/server/effects.ts'
import { Refusal } from '../../../engine/server/errors.ts'
import { writeHistory } from '../../../engine/server/history.ts'
import { visibleConditions } from '../../../engine/server/read.ts'
import type { Procedure } from '../../../engine/server/runtime.ts'
import { insertRecords, softDelete } from '../../../engine/server/write.ts'
import type { RecordData } from '../../../engine/schema/model.ts'
import { decimal, type Amount } from '../settlement/amounts.ts'
import { changeRecord, column, entityOf, isAnyOf, readAll } from '../settlement/stored.ts'

/**
 * Benefits that are confirmed are costs of the customer: what the company bears and what the person bears, each a line.
 */
export const deliverBenefits: Procedure = async ({ context, db, records }) => {
  const entity = entityOf(context, 'costLine')
  for (const benefit of records) {
    const { customer, serviceContract: contract, person, feeMonth, feeItem, benefitNo } = benefit
    const lines = (['companyAmount', 'personalAmount'] as const)
      .filter((name) => !decimal(benefit[name] as Amount).isZero())
      .map((name): RecordData => ({
        customer,
        contract,
        person,
        billMonth: feeMonth,
        costMonth: feeMonth,
        feeItem,
        party: name === 'companyAmount' ? 'company' : 'personal',
        amount: benefit[name],
        sourceType: 'otherBenefits',
        sourceId: benefitNo,
      }))
    for (const line of lines) recompute(context, entity, line)
    await insertRecords(context, db, entity, lines)
    await changeRecord(context, db, entityOf(context, 'otherBenefit'), benefit, { cost: lines.at(0)?.id ?? null })
  }
}

/** And they are none any more, as long as no statement has taken them. @throws Refusal notAllowed. */
export const withdrawBenefits: Procedure = async ({ context, db, records }) => {
  for (const benefit of records) {
    const lines = await readAll(
      context,
      db,
      'costLine',
      [sql<boolean>`${column('sourceType')} = 'otherBenefits' and ${column('sourceId')} = ${benefit.benefitNo}`],
      ['statement'],
      true,
    )
    if (lines.some(({ statement }) => statement !== null))
      throw new Refusal('notAllowed', { text: { cn: '该福利已计入对账单', en: 'A statement has taken it already' } })
    await changeRecord(context, db, entityOf(context, 'otherBenefit'), benefit, { cost: null })
    await softDelete(
      context,
      db,
      entityOf(context, 'costLine'),
      lines.map(({ id }) => id!),
    )
  }
}

/** The benefits of the month before once more, as drafts; those that are there already are not doubled. */
export const copyBenefits: Procedure = async ({ context, db, values }) => {
  const entity = entityOf(context, 'otherBenefit')
  const month = String(values.feeMonth)
  const seen = [
    ...visibleConditions(context, entity),
    ...(values.customer === null || values.customer === undefined
      ? []
      : [isAnyOf('customer', [values.customer as number])]),
  ]
  const of = (wanted: string) =>
    readAll(context, db, 'otherBenefit', [...seen, sql<boolean>`${column('feeMonth')} = ${wanted}`])
  const keyOf = ({ customer, person, benefitType, itemName }: RecordData) =>
    JSON.stringify([customer, person ?? null, benefitType, itemName])
  const there = new Set((await of(month)).map(keyOf))
  const kept = [
    'customer',
    'serviceContract',
    'person',
    'benefitType',
    'itemName',
    'supplier',
    'quantity',
    'unitPrice',
    'companyAmount',
    'taxable',
    'remark',
  ]
  let copied = 0
  for (const former of (await of(addMonths(month, -1)!)).filter((one) => !there.has(keyOf(one)))) {
    const { record } = accept(
      context,
      entity,
      { feeMonth: month, ...Object.fromEntries(kept.map((name) => [name, former[name] ?? null])) },
      null,
    )
    recompute(context, entity, record)
    await insertRecords(context, db, entity, [record])
    await writeHistory(context, db, entity, 'create', record, null)
    copied += 1
  }
  return { copied }
}
