import { balance, fees, handleAll, joins, pass, payroll, wage, type Known } from './told.ts'

/** Stories of people, contracts and agents that move. */
export const moves: Record<string, Known> = {
  'the tax of a person rehired in the same year': {
    point: '2.6',
    rule: 'taxed',
    story: {
      fees,
      steps: [
        joins,
        pass(31),
        payroll(1),
        wage(0, '20000.37'),
        { do: 'finish', at: 0 },
        { do: 'leave', at: 0, days: 0, after: 0 },
        pass(90),
        { do: 'rehire', at: 0, customer: 0, base: '12000' },
        pass(31),
        payroll(1),
        wage(0, '20000.37'),
        { do: 'finish', at: 0 },
      ],
    },
  },
  'a payroll of a month before the leave is finished after the rehire': {
    point: '2.6',
    rule: 'taxed',
    story: {
      fees,
      steps: [
        joins,
        pass(30),
        { do: 'leave', at: 0, days: 26, after: -1 },
        payroll(0),
        pass(40),
        { do: 'rehire', at: 0, customer: 0, base: '12000' },
        { do: 'finish', at: 0 },
      ],
    },
  },
  'a person is rehired while their reduction is open': {
    point: '2.9',
    rule: 'insured',
    story: {
      fees,
      steps: [
        joins,
        handleAll,
        pass(31),
        { do: 'leave', at: 0, days: 0, after: 0 },
        pass(40),
        { do: 'rehire', at: 0, customer: 0, base: '12000' },
        handleAll,
      ],
    },
  },
  'an addition that covers two stints is cancelled': {
    point: '2.9',
    rule: 'insured',
    story: {
      fees,
      steps: [
        { ...joins, late: 1 },
        pass(27),
        { do: 'leave', at: 0, days: 11, after: -1 },
        pass(13),
        { do: 'rehire', at: 0, customer: 0, base: '12000' },
        { do: 'cancel', at: 0 },
      ],
    },
  },
  'a month is paid at the former customer and again at the next': {
    point: '2.9',
    rule: 'charged',
    story: {
      fees: [...fees, ...fees],
      steps: [
        joins,
        handleAll,
        pass(31),
        { do: 'leave', at: 0, days: -1, after: 0 },
        handleAll,
        pass(4),
        { do: 'rehire', at: 0, customer: 1, base: '12000' },
        handleAll,
      ],
    },
  },
  "a back-payment covers months before a person's return to another customer": {
    point: '2.15',
    rule: 'owned',
    story: {
      fees: [...fees, ...fees],
      steps: [
        { ...joins, late: 1 },
        pass(31),
        handleAll,
        { do: 'leave', at: 0, days: -1, after: 0 },
        handleAll,
        pass(28),
        { do: 'rehire', at: 0, customer: 1, base: '12000' },
        handleAll,
        { do: 'backPay', at: 1, back: 1, months: 0 },
        handleAll,
      ],
    },
  },
  'contributions arrive after the first of two payrolls of a month': {
    point: '2.1',
    rule: 'deducted',
    story: {
      fees,
      steps: [
        { ...joins, late: 1 },
        pass(31),
        handleAll,
        balance,
        payroll(0),
        { do: 'finish', at: 0 },
        { do: 'backPay', at: 1, back: 1, months: 0 },
        handleAll,
        payroll(0),
        { do: 'finish', at: 0 },
      ],
    },
  },
  'contributions arrive after the last payroll of their month': {
    point: '2.1',
    rule: 'deducted',
    story: {
      fees,
      steps: [
        { ...joins, late: 1 },
        pass(31),
        handleAll,
        balance,
        payroll(0),
        { do: 'finish', at: 0 },
        { do: 'backPay', at: 1, back: 1, months: 0 },
        handleAll,
        balance,
        pass(28),
        payroll(0),
        { do: 'finish', at: 0 },
        balance,
      ],
    },
  },
  'a person taxed through one withholding agent moves to another': {
    point: '2.6',
    rule: 'two agents',
    story: {
      fees: [...fees, ...fees],
      steps: [joins, pass(31), payroll(1), { do: 'finish', at: 0 }, { do: 'changeAgent', at: 0 }],
    },
  },
  'a person moves to another contract of the customer during the year': {
    point: '3.1',
    rule: 'owned',
    story: { fees, steps: [joins, handleAll, balance, pass(31), { do: 'changeContract', at: 0 }, balance] },
  },
  'a person moves to another contract of the customer after their reduction, before leaving': {
    point: '3.1',
    rule: 'owned',
    story: {
      fees,
      steps: [
        joins,
        handleAll,
        balance,
        { do: 'leave', at: 0, days: 10, after: 0 },
        handleAll,
        { do: 'changeContract', at: 0 },
        balance,
      ],
    },
  },
  'an addition that was handled before a person moved to another contract is revoked and handled again': {
    point: '3.1 revoked',
    rule: 'owned',
    story: {
      fees,
      steps: [joins, handleAll, { do: 'changeContract', at: 0 }, { do: 'revoke', at: 0 }, handleAll, balance],
    },
  },
}
