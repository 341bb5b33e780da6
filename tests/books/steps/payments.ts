import * as fc from 'fast-check'
import type { RecordData, Value } from '../../../engine/model/model.ts'
import { idOf } from '../invariants/Books.ts'
import { covered, paidOut } from '../invariants/paidOut.ts'
import { addDays } from '../model/months.ts'
import type { Payroll } from '../model/tables.ts'
import type { World } from '../world.ts'
import { cardNumber } from './cards.ts'
import { kind, pick, describeStep } from './Kind.ts'
import { linesOf } from './payrolls.ts'

const at = fc.nat({ max: 99 })
const path = '/salary/payBatch'
const lines = '/salary/payLine'
const batchesOf = (world: World): Promise<RecordData[]> =>
  world.all(path, { agency: { in: world.agencies.map(({ id }) => id) } })
const linesIn = async (world: World, { id }: RecordData, states: readonly string[]): Promise<RecordData[]> =>
  (await world.all(lines, { payBatch: { equals: id } })).filter(({ status }) => states.includes(String(status)))
const unpaid = ['failed', 'returned']

const create = (world: World, payroll: Payroll) =>
  world.post(
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

async function advance(world: World, batch: RecordData, action: string) {
  const { clerk, manager, cashier } = world.stage
  const as = action === 'approve' ? manager : action === 'send' ? cashier : clerk
  const answer = await world.act(path, action, batch.id!, undefined, as)
  if (answer.code === 1 && action === 'send') await covered(world, batch)
  return answer
}

const bankSays = (world: World, sent: readonly RecordData[], result: string) =>
  world.post(`${lines}/markResult`, {
    ids: sent.map(({ id }) => id),
    values: { result, ...(result === 'failed' && { failReason: '账号有误' }) },
  })

/** Everybody whose payment failed gives us another card. */
async function changeCards(world: World, among: readonly RecordData[]): Promise<void> {
  for (const { id, person } of among)
    await world.post(`${lines}/changeCard`, {
      ids: [id],
      values: {
        accountName: world.model.people.find((each) => each.id === idOf(person))!.name,
        accountNo: cardNumber(world.stage.next()),
        bank: world.stage.bank,
      },
    })
}

const again = (world: World, among: readonly RecordData[]) =>
  world.post(`${lines}/reissue`, { ids: among.map(({ id }) => id) })

/** The next thing to do with a batch until all of it is paid. @returns whether something was done */
async function proceed(world: World, batch: RecordData): Promise<boolean> {
  const next = { draft: 'submit', rejected: 'submit', submitted: 'approve', approved: 'send' }[String(batch.status)]
  if (next === 'submit' && (await advance(world, batch, next)).code !== 1)
    await changeCards(world, await linesIn(world, batch, ['pending']))
  if (next) return (await advance(world, batch, next)).code === 1 || (await isNow(world, batch, 'submitted'))
  const sent = await linesIn(world, batch, ['sent'])
  if (sent.length > 0) return (await bankSays(world, sent, 'success')).code === 1
  const open = await linesIn(world, batch, unpaid)
  if (open.length === 0) return false
  await changeCards(world, open)
  return (await again(world, open)).code === 1
}
const isNow = async (world: World, { id }: RecordData, status: string): Promise<boolean> =>
  (await world.get(`${path}/detail`, { id })).status === status

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
      return describeStep(
        `payroll ${world.model.payrolls.indexOf(payroll)} is to be paid`,
        await create(world, payroll),
      )
    },
  }),

  batch: kind({
    weight: 6,
    values: fc.record({
      at,
      action: fc.constantFrom('submit', 'approve', 'send', 'submit', 'approve', 'send', 'cancel', 'close'),
    }),
    async run(world, { action, ...values }) {
      const batch = pick(await batchesOf(world), values.at)
      if (!batch) return undefined
      return describeStep(`${String(batch.batchNo)}: ${action}`, await advance(world, batch, action))
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
      const sent = batch ? await linesIn(world, batch, ['sent']) : []
      if (!batch || sent.length === 0) return undefined
      return describeStep(`the bank says ${result} of ${String(batch.batchNo)}`, await bankSays(world, sent, result))
    },
  }),

  /** Days after it had paid. */
  bankReturns: kind({
    weight: 3,
    values: fc.record({ at, isAlone: fc.boolean() }),
    async run(world, { isAlone, ...values }) {
      const batch = pick(
        (await batchesOf(world)).filter(({ successCount }) => Number(successCount) > 0),
        values.at,
      )
      const all = batch ? await linesIn(world, batch, ['success']) : []
      if (!batch || all.length === 0) return undefined
      const chosen = isAlone ? [pick(all, values.at)!] : all
      const answer = await world.post(`${lines}/recordReturn`, {
        ids: chosen.map(({ id }) => id),
        values: { failReason: '账户已销户' },
      })
      return describeStep(`the bank returns ${chosen.length} of ${String(batch.batchNo)}`, answer)
    },
  }),

  payAgain: kind({
    weight: 3,
    values: fc.record({ at, hasCards: fc.boolean() }),
    async run(world, { hasCards, ...values }) {
      const batch = pick(
        (await batchesOf(world)).filter(({ failCount }) => Number(failCount) > 0),
        values.at,
      )
      const open = batch ? await linesIn(world, batch, unpaid) : []
      if (!batch || open.length === 0) return undefined
      if (hasCards) await changeCards(world, open)
      return describeStep(`${open.length} of ${String(batch.batchNo)} are to be paid again`, await again(world, open))
    },
  }),

  /** A person's wage is held back, or what was held is to be paid after all. */
  hold: kind({
    weight: 3,
    values: fc.record({ at, line: at, action: fc.constantFrom('hold', 'hold', 'release') }),
    async run(world, { action, ...values }) {
      const payroll = pick(
        world.model.payrolls.filter(({ voided }) => !voided),
        values.at,
      )
      if (!payroll) return undefined
      const from = action === 'hold' ? 'normal' : 'held'
      const line = pick(
        (await linesOf(world, payroll.id)).filter(({ lineStatus }) => lineStatus === from),
        values.line,
      )
      if (!line) return undefined
      const who = world.model.people.findIndex(({ id }) => id === idOf(line.person))
      const answer = await world.act('/salary/payrollLine', action, line.id!)
      return describeStep(`payroll ${world.model.payrolls.indexOf(payroll)}: ${action} P${who}`, answer)
    },
  }),

  /** A payroll is paid to everybody in the end, unless its customer has to pay first. */
  payOut: kind({
    weight: 3,
    values: fc.record({ at }),
    async run(world, values) {
      const payroll = pick(
        world.model.payrolls.filter(({ approved }) => approved),
        values.at,
      )
      if (!payroll) return undefined
      const isOurs = ({ payrolls }: RecordData) => (payrolls as { id: number }[]).some(({ id }) => id === payroll.id)
      for (let rounds = 0; rounds < 12; rounds++) {
        const own = (await batchesOf(world)).filter(isOurs)
        let isBusy = false
        for (const batch of own) isBusy = (await proceed(world, batch)) || isBusy
        if (!isBusy && (await create(world, payroll)).code !== 1) break
      }
      await paidOut(world, payroll, await linesOf(world, payroll.id))
      return `payroll ${world.model.payrolls.indexOf(payroll)} is paid out`
    },
  }),
}
