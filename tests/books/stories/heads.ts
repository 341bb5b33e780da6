import type { Fee } from '../world.ts'
import type { Step } from '../steps/index.ts'
import { balance, byHead, fees, handleAll, joins, pass, payroll, type Known } from './builders.ts'

const bill = { do: 'bill', months: 0 }
/** It has a statement of every month. */
const withMinimum: Fee = { mode: 'perHead', minimum: '500' }
const finish = { do: 'finish', at: 0 }
const payday = { do: 'payday', at: 0 }
/** The month of the last bill is one of work of which nothing was billed but, now, the wages. */
const worked = (...between: Step[]) => [joins, bill, pass(31), bill, pass(28), payday, ...between, bill]
const changeContract = { do: 'changeContract', at: 0 }
const benefit = { do: 'benefit', at: 0, amount: '300.25', own: '20.5', taxable: false }

/** A month is billed after the end of its contract, which is undone then, and the next month after that. */
const ended = [
  pass(31),
  balance,
  { do: 'endContract', at: 0, when: 'lastMonth' },
  bill,
  { do: 'undoEnd', at: 0 },
  pass(28),
  balance,
  bill,
]
const undone = (name: string, fee: Fee): Record<string, Known> => ({
  [`the end of a contract with a ${name} fee is undone after the statement of the month`]: {
    point: `3.8 ${name}`,
    rule: 'monthly fee',
    story: {
      fees: [fee],
      steps: [
        joins,
        handleAll,
        balance,
        bill,
        ...ended,
        balance,
        { do: 'statement', at: 1, action: 'regenerate' },
        balance,
        { do: 'statement', at: 2, action: 'regenerate' },
      ],
    },
  },
})

/** Stories of fees. */
export const heads: Record<string, Known> = {
  'a person has wages under one contract of the customer, and contributions under another': {
    point: '3.8 two contracts',
    rule: 'served twice',
    story: {
      fees: byHead,
      steps: [joins, handleAll, pass(31), payday, changeContract, balance, bill],
    },
  },
  'two contracts of the customer bill late costs of a person in one month': {
    point: '3.8 two contracts',
    rule: 'served twice',
    story: {
      fees: byHead,
      steps: [joins, benefit, changeContract, pass(31), payday, { do: 'agree', at: 0, action: 'confirm' }, bill],
    },
  },
  'a person whom one contract of the customer bills leaves, and comes back under the other': {
    point: '3.8 comes back',
    rule: 'fee missing',
    story: {
      fees,
      steps: [
        joins,
        { do: 'changeContract', at: 0 },
        handleAll,
        pass(31),
        balance,
        { do: 'leave', at: 0, days: -3, after: 0 },
        handleAll,
        pass(28),
        { do: 'rehire', at: 0, customer: 0, base: '12000' },
        payday,
        balance,
        bill,
      ],
    },
  },
  'a leave is cancelled after the statement of the next month was confirmed': {
    point: '3.8 no fee',
    rule: 'fee missing',
    story: {
      fees: byHead,
      steps: [
        joins,
        pass(31),
        payday,
        { do: 'leave', at: 0, days: -10, after: 0 },
        bill,
        { do: 'statement', at: 0, action: 'confirm' },
        { do: 'cancelLeave', at: 0 },
        pass(28),
        payday,
        bill,
      ],
    },
  },
  'the first wages of a person are those of the month after they joined': {
    point: '3.8 wages alone',
    rule: 'fee missing',
    story: { fees: [withMinimum], steps: worked() },
  },
  'a contract ends in the month of the first wages of a person': {
    point: '3.8 wages alone',
    rule: 'fee missing',
    story: { fees: [withMinimum], steps: worked({ do: 'endContract', at: 0, when: 'lastMonth' }) },
  },
  'the last wages of a person who has left come late': {
    point: '3.8 wages alone',
    rule: 'fee missing',
    story: {
      fees: [withMinimum],
      steps: [
        joins,
        bill,
        pass(31),
        bill,
        { do: 'leave', at: 0, days: 3, after: 0 },
        pass(59),
        payroll(2),
        finish,
        bill,
      ],
    },
  },
  'the first statement of a contract is that of its third month': {
    point: '3.8 first statement',
    rule: 'fee missing',
    story: { fees: byHead, steps: [joins, handleAll, pass(31), payday, pass(28), balance, payday, bill] },
  },
  ...undone('fixed', { mode: 'fixed' }),
  ...undone('minimum', withMinimum),
  'the end of a contract is undone after the statement of the next month': {
    point: '3.8 no fee',
    rule: 'fee missing',
    story: { fees: byHead, steps: [joins, handleAll, ...ended] },
  },
}
