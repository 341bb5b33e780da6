import * as fc from 'fast-check'
import type { FileValue, RecordData, Value } from '../../../engine/model/model.ts'
import { upload } from '../../customer.ts'
import { application } from '../../invoice.ts'
import type { World } from '../world.ts'
import { kind, pick, describeStep } from './Kind.ts'

const at = fc.nat({ max: 99 })
const path = '/settlement/invoice'
const ownOf = (world: World) => ({ customer: { in: world.customers.map(({ id }) => id) } })
const numberOf = (world: World) => `99${String(world.stage.next()).padStart(18, '0')}`

export const invoices = {
  requestInvoice: kind({
    weight: 3,
    values: fc.record({ at }),
    async run(world, values) {
      const statement = pick(
        (await world.all('/settlement/statement', ownOf(world))).filter(
          ({ stage, uninvoicedAmount }) => stage === 'confirmed' && Number(uninvoicedAmount) > 0,
        ),
        values.at,
      )
      if (!statement) return undefined
      const invoiceValues = await application(world.house.admin, [statement.id!])
      const answer = await world.post(`${path}/create`, { values: invoiceValues })
      return describeStep(`an invoice for ${String(statement.statementNo)}`, answer)
    },
  }),

  invoice: kind({
    weight: 4,
    values: fc.record({ at, action: fc.constantFrom('issue', 'issue', 'issue', 'withdraw', 'redFlush') }),
    async run(world, { action, ...values }) {
      const invoice = pick(
        (await world.all(path, ownOf(world))).filter(
          ({ status, kind: colour }) => status === (action === 'redFlush' ? 'issued' : 'applied') && colour === 'blue',
        ),
        values.at,
      )
      if (!invoice) return undefined
      return describeStep(`invoice ${String(invoice.applyNo)}: ${action}`, await act(world, invoice, action))
    },
  }),
}

async function act(world: World, { id }: RecordData, action: string) {
  if (action === 'withdraw') return world.act(path, action, id!)
  const { house } = world
  const { result } = await upload(house, house.admin, 'invoice.pdf', Buffer.from('%PDF-1.4\n%%EOF\n'))
  return world.act(path, action, id!, {
    invoiceNo: numberOf(world),
    issueDate: world.day,
    files: [{ ...result, status: 'success' }] as FileValue[] as Value,
    ...(action === 'redFlush' && { reason: 'wrongInfo' }),
  })
}
