import * as fc from 'fast-check'
import type { RecordData } from '../../../engine/model/model.ts'
import { idOf, sum } from '../invariants/Books.ts'
import type { World } from '../world.ts'
import { kind, pick, describeStep } from './Kind.ts'
import { confirm, receive, receiptsOf, statementsOf } from './settlement.ts'

const at = fc.nat({ max: 99 })
const path = '/settlement/receipt'

/** What this company paid, whether it has been claimed or not. */
async function ownReceipts(world: World): Promise<RecordData[]> {
  const unclaimed = await Promise.all([...unclaimedOf(world)].map((id) => world.get(`${path}/detail`, { id })))
  return [...(await receiptsOf(world)), ...unclaimed]
}
const unclaimedOf = ({ kept }: World): Set<number> => {
  const known = (kept.get('unclaimed') ?? new Set()) as Set<number>
  kept.set('unclaimed', known)
  return known
}

export const receipts = {
  undoReceipt: kind({
    weight: 2,
    values: fc.record({ at, action: fc.constantFrom('void', 'unclaim') }),
    async run(world, { action, ...values }) {
      const receipt = pick(
        (await ownReceipts(world)).filter(
          ({ direction, status, customer, creditOf, refundedAmount }) =>
            direction === 'in' &&
            status === 'registered' &&
            Number(refundedAmount) === 0 &&
            (action === 'void' || (idOf(customer) > 0 && idOf(creditOf) === 0)),
        ),
        values.at,
      )
      if (!receipt) return undefined
      const answer = await world.act(
        path,
        action,
        receipt.id!,
        action === 'void' ? { voidReason: '重复登记的到账' } : undefined,
      )
      if (answer.code === 1 && action === 'unclaim') unclaimedOf(world).add(receipt.id!)
      if (answer.code === 1 && action === 'void') unclaimedOf(world).delete(receipt.id!)
      return describeStep(`${String(receipt.receiptNo)} of ${String(receipt.amount)}: ${action}`, answer)
    },
  }),

  claim: kind({
    weight: 2,
    values: fc.record({ at, customer: at }),
    async run(world, { customer, ...values }) {
      const id = pick([...unclaimedOf(world)], values.at)
      if (id === undefined) return undefined
      const where = customer % world.customers.length
      const answer = await world.act(path, 'claim', id, { customer: world.customers[where].id })
      if (answer.code === 1) unclaimedOf(world).delete(id)
      return describeStep(`a receipt is claimed for C${where}`, answer)
    },
  }),

  /** A customer pays all that it owes, perhaps after its open statements were confirmed. */
  payUp: kind({
    weight: 4,
    values: fc.record({ at, confirms: fc.boolean() }),
    async run(world, { confirms, ...values }) {
      const where = values.at % world.customers.length
      const own = async () =>
        (await statementsOf(world)).filter(({ customer }) => idOf(customer) === world.customers[where].id)
      const entries: string[] = []
      if (confirms)
        for (const statement of await own())
          if (statement.stage === 'generated') entries.push(await confirm(world, statement))
      const owed = (await own()).filter(
        ({ stage, outstandingAmount }) => stage === 'confirmed' && Number(outstandingAmount) > 0,
      )
      if (owed.length === 0) return entries.join('; ') || undefined
      const amount = sum(owed, 'outstandingAmount').toFixed(2)
      const paid = await receive(world, where, amount)
      entries.push(describeStep(`C${where} pays all it owes, ${amount}`, paid))
      if (paid.code === 1) {
        const matches = owed.map(({ id, outstandingAmount }) => ({ statement: id!, amount: outstandingAmount }))
        entries.push(
          describeStep('that is matched', await world.act(path, 'match', paid.result.id, { matches } as never)),
        )
      }
      return entries.join('; ')
    },
  }),
}
