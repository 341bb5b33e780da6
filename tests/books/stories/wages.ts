import { balance, fees, handleAll, joins, pass, payroll, proceed, type Known } from './builders.ts'

/** Stories of wages in an unusual order. */
export const wages: Record<string, Known> = {
  'wages are paid in a tax month before the person joined': {
    point: '2.1',
    rule: 'taxed',
    story: {
      fees,
      steps: [
        { ...joins, salary: '30000' },
        payroll(0),
        { do: 'taxLater', at: 0, months: -1 },
        { do: 'finish', at: 0 },
      ],
    },
  },
  'late contributions stand in a payroll that was calculated before an earlier one': {
    point: '2.1',
    rule: 'caught up',
    story: {
      fees,
      steps: [
        joins,
        handleAll,
        pass(31),
        payroll(1),
        { do: 'finish', at: 0 },
        pass(28),
        payroll(1),
        payroll(1),
        balance,
        ...proceed(2, 'calculate'),
        { do: 'finish', at: 0 },
        { do: 'finish', at: 0 },
      ],
    },
  },
  "a floor raises what the fund takes beyond what the person's own base may deduct": {
    point: '2.7 beyond the cap',
    rule: 'taxed',
    story: {
      fees,
      steps: [
        { ...joins, base: '5000', salary: '15000' },
        handleAll,
        { do: 'revise', of: 'fund', floor: '9000.00', months: 1 },
        handleAll,
        pass(31),
        balance,
        payroll(0),
        { do: 'finish', at: 0 },
      ],
    },
  },
}
