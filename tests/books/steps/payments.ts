import * as fc from 'fast-check'
import type { RecordData, Value } from '../../../engine/model/model.ts'
import { addDays } from '../model/months.ts'
import type { World } from '../world.ts'
import { kind, pick, tell } from './Kind.ts'

const at = fc.nat({ max: 99 })
const path = '/salary/payBatch'
const batchesOf = (world: World): Promise<RecordData[]> =>
  world.all(path, { agency: { in: world.agencies.map(({ id }) => id) } })

export const payments = {
  pay: kind({
    weight: 4,
    values: fc.record({ at }),
    async run(world, values) {
      const payroll = pick(
        world.model.payrolls.filter(({ approved }) => approved),
        values.at,
      )
      if (!payroll) return undefined
      const answer = await world.post(
        `${path}/create`,
        {
          values: {
            payrolls: [payroll.id],
            payerAccount: world.agencies[payroll.agency].wageAccount,
            payMethod: 'bankFile',
            planPayDate: addDays(world.day, 1),
          } satisfies Record<string, Value>,
        },
        world.stage.clerk,
      )
      return tell(`payroll ${world.model.payrolls.indexOf(payroll)} is to be paid`, answer)
    },
  }),

  batch: kind({
    weight: 6,
    values: fc.record({
      at,
      action: fc.constantFrom('submit', 'approve', 'send', 'submit', 'approve', 'send', 'cancel'),
    }),
    async run(world, { action, ...values }) {
      const batch = pick(await batchesOf(world), values.at)
      if (!batch) return undefined
      const { clerk, manager, cashier } = world.stage
      const as = action === 'approve' ? manager : action === 'send' ? cashier : clerk
      return tell(`${String(batch.batchNo)}: ${action}`, await world.act(path, action, batch.id!, undefined, as))
    },
  }),

  bankSays: kind({
    weight: 4,
    values: fc.record({ at, result: fc.constantFrom('success', 'success', 'failed') }),
    async run(world, { result, ...values }) {
      const batch = pick(
        (await batchesOf(world)).filter(({ status }) => status === 'sent' || status === 'partial'),
        values.at,
      )
      if (!batch) return undefined
      const sent = (await world.all('/salary/payLine', { payBatch: { equals: batch.id } })).filter(
        ({ status }) => status === 'sent',
      )
      if (sent.length === 0) return undefined
      const answer = await world.post('/salary/payLine/markResult', {
        ids: sent.map(({ id }) => id),
        values: { result, ...(result === 'failed' && { failReason: '账号有误' }) },
      })
      return tell(`the bank says ${result} of ${String(batch.batchNo)}`, answer)
    },
  }),

  payAgain: kind({
    weight: 2,
    values: fc.record({ at }),
    async run(world, values) {
      const batch = pick(await batchesOf(world), values.at)
      if (!batch) return undefined
      const failed = (await world.all('/salary/payLine', { payBatch: { equals: batch.id } })).filter(
        ({ status }) => status === 'failed',
      )
      if (failed.length === 0) return undefined
      const answer = await world.post('/salary/payLine/reissue', { ids: failed.map(({ id }) => id) })
      return tell(`${failed.length} of ${String(batch.batchNo)} are to be paid again`, answer)
    },
  }),
}
