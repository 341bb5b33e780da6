import * as fc from 'fast-check'
import type { Value } from '../../../engine/model/model.ts'
import type { World } from '../world.ts'
import { kind, pick, describeStep } from './Kind.ts'

const at = fc.nat({ max: 99 })
const path = '/welfare/otherBenefit'
const benefitsOf = (world: World) => world.all(path, { customer: { in: world.customers.map(({ id }) => id) } })

export const benefits = {
  benefit: kind({
    weight: 2,
    values: fc.record({
      at,
      amount: fc.constantFrom('58', '300.25'),
      own: fc.constantFrom('0', '20.5'),
      taxable: fc.boolean(),
    }),
    async run(world, { amount, own, taxable, ...values }) {
      const { people } = world.model
      const who = pick(
        people.flatMap(({ state }, index) => (state === 'active' ? [index] : [])),
        values.at,
      )
      if (who === undefined) return undefined
      const { id: customer, contracts, current } = world.customers[people[who].stints.at(-1)!.customer]
      const answer = await world.post(`${path}/create`, {
        values: {
          feeMonth: world.month,
          customer,
          serviceContract: contracts[current[0]].id,
          person: people[who].id,
          benefitType: 'heating',
          itemName: '采暖补贴',
          quantity: 1,
          unitPrice: amount,
          companyAmount: (Number(amount) - Number(own)).toFixed(2),
          taxable,
        } satisfies Record<string, Value>,
      })
      return describeStep(
        `P${who} gets a${taxable ? ' taxable' : ''} benefit of ${amount}, of which they bear ${own}`,
        answer,
      )
    },
  }),

  agree: kind({
    weight: 3,
    values: fc.record({ at, action: fc.constantFrom('confirm', 'confirm', 'unconfirm') }),
    async run(world, { action, ...values }) {
      const benefit = pick(
        (await benefitsOf(world)).filter(({ stage }) => stage === (action === 'confirm' ? 'draft' : 'confirmed')),
        values.at,
      )
      if (!benefit) return undefined
      const answer = await world.act(path, action, benefit.id!)
      if (answer.code === 1 && action === 'confirm') world.model.agreed.add(benefit.id!)
      return describeStep(`benefit ${String(benefit.benefitNo)}: ${action}`, answer)
    },
  }),
}
