import { benefits } from './benefits.ts'
import { decided } from './decided.ts'
import { heads } from './heads.ts'
import { households } from './households.ts'
import { moves } from './moves.ts'
import { payments } from './payments.ts'
import { wages } from './wages.ts'
import { balance, fees, handleAll, joins, lock, pass, payroll, proceed, wage, type Known } from './builders.ts'

export const stories: Record<string, Known> = {
  'a month is paid back before its expenses are generated': {
    point: '1 generated late',
    rule: 'charged',
    story: {
      fees,
      steps: [
        { ...joins, days: -11 },
        pass(10),
        handleAll,
        pass(18),
        { do: 'backPay', at: 0, back: 1, months: 0 },
        handleAll,
      ],
    },
  },
  'an addition is handled in its first month after that was paid back': {
    point: '1 paid back',
    rule: 'charged',
    story: {
      fees,
      steps: [
        joins,
        pass(31),
        { do: 'backPay', at: 1, back: 1, months: 0 },
        handleAll,
        { do: 'handle', at: 0, month: -1 },
      ],
    },
  },
  'the tax of a payroll calculated before another one of the month was approved': {
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
  'an entry is given up after its additions were handled': {
    point: '2.3',
    rule: 'insured outside employment',
    story: { fees, steps: [{ ...joins, days: 8 }, handleAll, { do: 'giveUp', at: 0 }] },
  },
  'a leave is cancelled after its reductions were handled': {
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
  'a person leaves while their addition is open': {
    point: '2.3',
    rule: 'insured outside employment',
    story: { fees, steps: [joins, { do: 'leave', at: 0, days: 1, after: 0 }, handleAll, pass(31)] },
  },
  'an addition is handled in a locked month': {
    point: '2.4',
    rule: 'charged',
    story: { fees, steps: [joins, handleAll, balance, ...lock, joins, handleAll] },
  },
  'expenses are confirmed while they hold nothing but a back-payment': {
    point: '2.4',
    rule: 'charged',
    story: {
      fees,
      steps: [joins, pass(31), handleAll, handleAll, { do: 'lock', at: 0 }],
    },
  },
  'a month is unlocked after a difference made up for it': {
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
  'a reduction covers a month with a difference, and both are locked': {
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
  'a base is changed for back-paid months': {
    point: '2.5',
    rule: 'charged',
    story: {
      fees,
      steps: [joins, pass(31), handleAll, handleAll, { do: 'adjust', at: 0, base: '20000', months: -1 }, handleAll],
    },
  },
  'a policy starts before a base that is already handled': {
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
  "expenses are confirmed after a joiner started them beside another customer's": {
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
  'a policy starts in a month in which a person who has since left was still insured': {
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
  'a back-payment falls in a month after that of a regenerated statement': {
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
  'a wage is approved after the statement of its month': {
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
  "a month's statement is made after that of the following month was confirmed": {
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
  'a statement is voided while that of the next month is open': {
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
  ...moves,
  ...decided,
  ...heads,
  ...households,
  ...benefits,
  ...payments,
  ...wages,
}
