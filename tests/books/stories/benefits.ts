import { fees, joins, pass, payroll, proceed, type Known } from './builders.ts'

const given = { do: 'benefit', at: 0, amount: '300.25', own: '20.5', taxable: true }
const agree = (action: 'confirm' | 'unconfirm') => ({ do: 'agree', at: 0, action })
const finish = { do: 'finish', at: 0 }

export const benefits: Record<string, Known> = {
  'a benefit is confirmed after the payroll of its month was started': {
    point: '2.13',
    rule: 'included',
    story: { fees, steps: [joins, pass(10), payroll(0), given, agree('confirm'), finish] },
  },
  'a benefit is confirmed after the payroll of its month was approved': {
    point: '2.13',
    rule: 'included',
    story: {
      fees,
      steps: [joins, pass(10), payroll(0), finish, given, agree('confirm'), pass(28), payroll(0), finish],
    },
  },
  'a benefit is unconfirmed after the payroll that includes it was approved': {
    point: '2.13',
    rule: 'included twice',
    story: {
      fees,
      steps: [
        joins,
        pass(10),
        given,
        agree('confirm'),
        payroll(0),
        finish,
        agree('unconfirm'),
        pass(28),
        payroll(0),
        finish,
      ],
    },
  },
  'a benefit is unconfirmed while the payroll that includes it awaits approval': {
    point: '2.13',
    rule: 'included twice',
    story: {
      fees,
      steps: [
        joins,
        pass(10),
        given,
        agree('confirm'),
        payroll(0),
        ...proceed(0, 'calculate', 'submit'),
        agree('unconfirm'),
        ...proceed(0, 'approve'),
      ],
    },
  },
}
