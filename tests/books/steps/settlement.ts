import * as fc from 'fast-check'
import type { FileValue, RecordData, Value } from '../../../engine/model/model.ts'
import { picture, upload } from '../../customer.ts'
import { addMonths } from '../model/months.ts'
import type { World } from '../world.ts'
import { kind, pick, describeStep } from './Kind.ts'

const at = fc.nat({ max: 99 })
const path = '/settlement/statement'
export const statementsOf = (world: World): Promise<RecordData[]> =>
  world.all(path, { customer: { in: world.customers.map(({ id }) => id) } })
const named = ({ statementNo, billMonth, customer }: RecordData, world: World) =>
  `${String(statementNo)} of C${world.customers.findIndex(({ id }) => id === (customer as { id: number }).id)} for ${String(billMonth)}`

export const settlement = {
  bill: kind({
    weight: 6,
    values: fc.record({ months: fc.constantFrom(0, 0, 0, -1, 1) }),
    async run(world, { months }) {
      const billMonth = addMonths(world.month, months)
      if (billMonth < '2026-01') return undefined
      return bill(world, billMonth)
    },
  }),

  statement: kind({
    weight: 6,
    values: fc.record({
      at,
      action: fc.constantFrom('confirm', 'confirm', 'confirm', 'regenerate', 'unconfirm', 'void'),
    }),
    async run(world, { action, ...values }) {
      const statement = pick(
        (await statementsOf(world)).filter(
          ({ stage }) => stage === (action === 'unconfirm' ? 'confirmed' : 'generated'),
        ),
        values.at,
      )
      if (!statement) return undefined
      const formValues: Record<string, Record<string, Value>> = {
        confirm: { confirmEvidence: action === 'confirm' ? await evidence(world) : [] },
        void: { voidReason: '费用有误，重新出账' },
      }
      const had =
        action === 'void' ? await world.all('/settlement/costLine', { statement: { equals: statement.id } }) : []
      const answer = await world.act(path, action, statement.id!, formValues[action])
      if (action === 'confirm' && answer.code === 1) world.model.confirmed.set(statement.id!, world.model.acts)
      if (action === 'void' && answer.code === 1) world.model.voided.set(statement.id!, world.model.acts)
      if (action === 'regenerate' && answer.code === 1) world.model.billed.set(statement.id!, world.model.acts)
      // The costs that it billed count as new: they wait for the next statement, or for this one's replacement.
      if (answer.code === 1) for (const { id } of had) world.model.freed.set(id!, world.model.acts + 1)
      return describeStep(`${named(statement, world)}: ${action}`, answer)
    },
  }),

  correct: kind({
    weight: 2,
    values: fc.record({ at, amount: fc.constantFrom('100', '-250.55', '-60000') }),
    async run(world, { amount, ...values }) {
      const statement = pick(
        (await statementsOf(world)).filter(({ stage }) => stage === 'generated'),
        values.at,
      )
      if (!statement) return undefined
      const answer = await world.post('/settlement/statementItem/create', {
        values: {
          statement: statement.id!,
          feeItem: 'grossWage',
          costMonth: String(statement.billMonth),
          amount,
          reason: '补发上月绩效',
        } satisfies Record<string, Value>,
      })
      return describeStep(`${named(statement, world)}: ${amount} by hand`, answer)
    },
  }),

  receive: kind({
    weight: 4,
    values: fc.record({ at, amount: fc.constantFrom('1000', '30000.5', '250000') }),
    async run(world, { amount, ...values }) {
      const where = values.at % world.customers.length
      return describeStep(`C${where} pays ${amount}`, await receive(world, where, amount))
    },
  }),

  match: kind({
    weight: 4,
    values: fc.record({ at, which: at, part: fc.constantFrom(1, 1, 2) }),
    async run(world, { which, part, ...values }) {
      const receipt = pick(
        (await receiptsOf(world)).filter(
          ({ unmatchedAmount, direction }) => direction === 'in' && Number(unmatchedAmount) > 0,
        ),
        values.at,
      )
      const statement =
        receipt &&
        pick(
          (await statementsOf(world)).filter(
            ({ stage, outstandingAmount, customer }) =>
              stage === 'confirmed' &&
              Number(outstandingAmount) > 0 &&
              (customer as { id: number }).id === (receipt.customer as { id: number }).id,
          ),
          which,
        )
      if (!receipt || !statement) return undefined
      const most = Math.min(Number(receipt.unmatchedAmount), Number(statement.outstandingAmount))
      const amount = (Math.floor((most * 100) / part) / 100).toFixed(2)
      const answer = await world.act('/settlement/receipt', 'match', receipt.id!, {
        matches: [{ statement: statement.id!, amount }],
      })
      return describeStep(`${String(receipt.receiptNo)} pays ${amount} of ${named(statement, world)}`, answer)
    },
  }),

  unmatch: kind({
    weight: 1,
    values: fc.record({ at }),
    async run(world, values) {
      const statement = { in: (await statementsOf(world)).map(({ id }) => id) }
      if (statement.in.length === 0) return undefined
      const match = pick(
        (await world.all('/settlement/receiptMatch', { statement })).filter(({ cancelled }) => cancelled !== true),
        values.at,
      )
      if (!match) return undefined
      const answer = await world.act('/settlement/receiptMatch', 'unmatch', match.id!, { cancelReason: '核销错误' })
      return describeStep(`a match of ${String(match.amount)} is undone`, answer)
    },
  }),

  refund: kind({
    weight: 1,
    values: fc.record({ at }),
    async run(world, values) {
      const receipt = pick(
        (await receiptsOf(world)).filter(
          ({ unmatchedAmount, direction }) => direction === 'in' && Number(unmatchedAmount) > 0,
        ),
        values.at,
      )
      if (!receipt) return undefined
      const answer = await world.act('/settlement/receipt', 'refund', receipt.id!, {
        amount: '100.00',
        receivedDate: world.day,
        companyAccount: (receipt.companyAccount as { id: number }).id,
        remark: '多付退回',
      })
      return describeStep(`${String(receipt.receiptNo)}: 100.00 go back`, answer)
    },
  }),
}

export async function bill(world: World, billMonth: string): Promise<string> {
  const answer = await world.post(`${path}/generate`, {
    values: {
      billMonth,
      wageMonth: addMonths(billMonth, -1),
      insuranceMonth: billMonth,
      customers: world.customers.map(({ id }) => id),
    } satisfies Record<string, Value>,
  })
  for (const { id } of await statementsOf(world))
    if (!world.model.billed.has(id!)) world.model.billed.set(id!, world.model.acts)
  return describeStep(`statements of ${billMonth} are made`, answer)
}

/** The customer pays all that a statement leaves open. */
export async function payFor(world: World, statement: RecordData): Promise<string> {
  const where = world.customers.findIndex(({ id }) => id === (statement.customer as { id: number }).id)
  const amount = String(statement.outstandingAmount)
  const what = `C${where} pays ${amount} of ${named(statement, world)}`
  const paid = await receive(world, where, amount)
  if (paid.code !== 1) return describeStep(what, paid)
  const matches = [{ statement: statement.id!, amount }]
  return describeStep(what, await world.act('/settlement/receipt', 'match', paid.result.id, { matches }))
}

export const receiptsOf = (world: World) =>
  world.all('/settlement/receipt', { customer: { in: world.customers.map(({ id }) => id) } })

export const receive = (world: World, where: number, amount: string) =>
  world.post('/settlement/receipt/create', {
    values: {
      customer: world.customers[where].id,
      receivedDate: world.day,
      amount,
      method: 'bankTransfer',
      companyAccount: world.agencyOf(where).receiptAccount,
      payerName: `${world.customers[where].name}付款`,
      bankSerialNo: `DEMO${world.stage.next()}`,
    } satisfies Record<string, Value>,
  })

export async function confirm(world: World, statement: RecordData): Promise<string> {
  const answer = await world.act(path, 'confirm', statement.id!, { confirmEvidence: await evidence(world) })
  if (answer.code === 1) world.model.confirmed.set(statement.id!, world.model.acts)
  return describeStep(`${named(statement, world)}: confirm`, answer)
}

async function evidence({ house }: World): Promise<Value> {
  const { result } = await upload(house, house.admin, 'stamped.png', picture)
  return [{ ...result, status: 'success' }] as FileValue[] as Value
}
