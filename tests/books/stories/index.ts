import type { Story } from '../story.ts'

/** A story that failed once, the point that it belongs to, and the rule that it broke. */
export interface Known {
  point: string
  rule: string
  /** It still fails. */
  open?: true
  story: Story
}

const joins = { do: 'join', customer: 0, base: '12000', salary: '9000', days: -4, late: 0 }
const wage = (payroll: number, extra: string) => ({
  do: 'wage',
  at: payroll,
  line: 0,
  extra,
  missing: '0',
  deduct: '0',
})
const payroll = (back: number) => ({ do: 'payroll', customer: 0, back, isBonus: false })
const proceed = (at: number, ...actions: string[]) => actions.map((action) => ({ do: 'proceed', at, action }))
const pass = (days: number) => ({ do: 'pass', days })
const handleAll = { do: 'handleAll' }
const balance = { do: 'balance' }
/** Of each family in turn, the first month that is open. */
const lock = [0, 4, 8].map((at) => ({ do: 'lock', at }))

const fees: Story['fees'] = [{ mode: 'fixed' }]

export const stories: Record<string, Known> = {
  'the tax of a payroll that was calculated before another of the month was approved': {
    point: '2.1',
    rule: 'taxed',
    story: {
      fees,
      steps: [
        joins,
        pass(31),
        payroll(1),
        payroll(1),
        wage(0, '20000.37'),
        wage(1, '40000'),
        ...proceed(0, 'calculate'),
        ...proceed(1, 'calculate'),
        ...proceed(0, 'submit', 'approve'),
        ...proceed(1, 'submit', 'approve'),
      ],
    },
  },
  'an entry given up after its additions were handled': {
    point: '2.3',
    rule: 'insured outside employment',
    story: { fees, steps: [{ ...joins, days: 8 }, handleAll, { do: 'giveUp', at: 0 }] },
  },
  'a leave taken back after its reductions were handled': {
    point: '2.3',
    rule: 'insured',
    story: {
      fees,
      steps: [
        joins,
        handleAll,
        pass(60),
        { do: 'leave', at: 0, days: 3, after: -1 },
        handleAll,
        { do: 'cancelLeave', at: 0 },
      ],
    },
  },
  'an addition that is still open when its person leaves': {
    point: '2.3',
    rule: 'insured outside employment',
    story: { fees, steps: [joins, { do: 'leave', at: 0, days: 1, after: 0 }, handleAll, pass(31)] },
  },
  'an addition handled in a month that is locked': {
    point: '2.4',
    rule: 'charged',
    story: { fees, steps: [joins, handleAll, balance, ...lock, joins, handleAll] },
  },
  'expenses confirmed when a back-payment had made them and nobody else was in them yet': {
    point: '2.4',
    rule: 'charged',
    story: {
      fees,
      steps: [joins, pass(31), handleAll, handleAll, { do: 'lock', at: 0 }],
    },
  },
  'a month opened again that a difference had made up for': {
    point: '2.5',
    rule: 'charged',
    story: {
      fees,
      steps: [
        { ...joins, base: '40000' },
        handleAll,
        pass(31),
        balance,
        { do: 'lock', at: 8 },
        { do: 'lock', at: 8 },
        { do: 'adjust', at: 2, base: '12000', months: 0 },
        pass(28),
        handleAll,
        { do: 'unlock', at: 5 },
        balance,
      ],
    },
  },
  'a reduction over a month that had a difference, which is locked as well': {
    point: '2.5',
    rule: 'charged',
    story: {
      fees,
      steps: [
        joins,
        handleAll,
        pass(31),
        balance,
        ...lock,
        ...lock,
        pass(31),
        { do: 'adjust', at: 0, base: '20000', months: -1 },
        handleAll,
        pass(31),
        balance,
        ...lock,
        { do: 'leave', at: 0, days: -67, after: 0 },
        handleAll,
      ],
    },
  },
  'another base for months that were paid back': {
    point: '2.5',
    rule: 'charged',
    story: {
      fees,
      steps: [joins, pass(31), handleAll, handleAll, { do: 'adjust', at: 0, base: '20000', months: -1 }, handleAll],
    },
  },
  'the tax of somebody who comes back in the same year': {
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
  'a payroll of a month before the leave, finished after the rehire': {
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
  'a rehire while the reduction is open': {
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
  'a policy from before a base that was handled already': {
    point: '2.4',
    rule: 'charged',
    story: {
      fees,
      steps: [
        { ...joins, base: '5000' },
        handleAll,
        pass(60),
        { do: 'adjust', at: 0, base: '40000', months: 0 },
        handleAll,
        { do: 'revise', of: 'social', floor: '5500', months: -1 },
        pass(15),
        handleAll,
        balance,
      ],
    },
  },
  'expenses confirmed when a joiner had begun them because another customer had some': {
    point: '2.4',
    rule: 'charged',
    story: {
      fees: [...fees, ...fees],
      steps: [
        joins,
        handleAll,
        pass(31),
        { ...joins, customer: 1, days: -31 },
        handleAll,
        handleAll,
        { ...joins, days: -2 },
        handleAll,
        { do: 'lock', at: 1 },
      ],
    },
  },
  'a policy from a month in which somebody was still insured who has stopped since': {
    point: '2.4',
    rule: 'charged',
    story: {
      fees,
      steps: [
        { ...joins, base: '5000' },
        handleAll,
        pass(31),
        balance,
        // Both months of social security; the other families stay open.
        ...[0, 0].map((at) => ({ do: 'lock', at })),
        { do: 'leave', at: 0, days: 0, after: 0 },
        handleAll,
        pass(28),
        { do: 'revise', of: 'social', floor: '9000.00', months: -1 },
      ],
    },
  },
  'a back-payment that is paid in a later month than that of the statement made anew': {
    point: '3.1',
    rule: 'lost',
    story: {
      fees,
      steps: [
        joins,
        ...[1, 1].map((month) => ({ do: 'handle', at: 0, month })),
        { do: 'handle', at: 2, month: 1 },
        { do: 'bill', months: 0 },
        balance,
        { do: 'statement', at: 0, action: 'regenerate' },
        balance,
        pass(31),
        { do: 'bill', months: 0 },
      ],
    },
  },
  'a wage approved after the statement of its month': {
    point: '3.1',
    rule: 'lost',
    story: {
      fees,
      steps: [
        joins,
        pass(31),
        payroll(1),
        { do: 'finish', at: 0 },
        { do: 'bill', months: 0 },
        { do: 'statement', at: 0, action: 'confirm' },
        payroll(1),
        { do: 'finish', at: 0 },
        balance,
        pass(28),
        payroll(1),
        { do: 'finish', at: 0 },
        { do: 'bill', months: 0 },
      ],
    },
  },
  'an addition that waited over a leave and a return, and is cancelled: it stood for both stints': {
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
  'a month whose statement is made after that of the month that follows it is confirmed': {
    point: '3.1',
    rule: 'lost',
    story: {
      fees,
      steps: [
        joins,
        { do: 'bill', months: 1 },
        { do: 'statement', at: 0, action: 'confirm' },
        handleAll,
        balance,
        { do: 'bill', months: 0 },
      ],
    },
  },
  'a statement that is voided while that of the next month is open': {
    point: '3.1',
    rule: 'lost',
    story: {
      fees,
      steps: [
        joins,
        handleAll,
        balance,
        { do: 'bill', months: 0 },
        pass(28),
        { do: 'bill', months: 0 },
        { do: 'statement', at: 0, action: 'void' },
      ],
    },
  },
  'a month that was paid at the former customer, and again at the next': {
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
}
