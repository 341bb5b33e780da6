import { balance, fees, joins, pass, payroll, type Known } from './builders.ts'

const batch = (at: number, ...actions: string[]) => actions.map((action) => ({ do: 'batch', at, action }))

/** Stories of payments that the bank did not make, or took back. */
export const payments: Record<string, Known> = {
  'a payment that failed is repeated, and its payroll is paid by a further batch': {
    point: '2.16',
    rule: 'paid twice',
    story: {
      fees,
      steps: [
        joins,
        pass(31),
        payroll(1),
        { do: 'finish', at: 0 },
        { do: 'pay', at: 0 },
        ...batch(0, 'submit', 'approve', 'send'),
        { do: 'bankSays', at: 0, result: 'failed' },
        { do: 'pay', at: 0 },
        { do: 'payAgain', at: 0, hasCards: true },
        balance,
      ],
    },
  },
}
