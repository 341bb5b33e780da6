import { balance, byHead, handleAll, joins, pass, type Known } from './told.ts'

const bill = { do: 'bill', months: 0 }
const payday = { do: 'payday', at: 0 }
const changeContract = { do: 'changeContract', at: 0 }
const benefit = { do: 'benefit', at: 0, amount: '300.25', own: '20.5', taxable: false }

/** Stories of fees by the head. */
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
  'the end of a contract is undone after the statement of the next month': {
    point: '3.8 no fee',
    rule: 'fee missing',
    story: {
      fees: byHead,
      steps: [
        joins,
        handleAll,
        pass(31),
        balance,
        { do: 'endContract', at: 0, when: 'lastMonth' },
        bill,
        { do: 'undoEnd', at: 0 },
        pass(28),
        balance,
        bill,
      ],
    },
  },
}
