import { balance, fees, handleAll, joins, lock, pass, type Known } from './builders.ts'

const decide = { do: 'decide', at: 0 }

/** Stories of contributions that somebody has decided by hand: what changes afterwards counts all the same. */
export const decided: Record<string, Known> = {
  'a person moves to another contract after a contribution of the month was decided by hand': {
    point: '2.4 decided, owned',
    rule: 'owned',
    story: { fees, steps: [joins, handleAll, balance, decide, { do: 'changeContract', at: 0 }, balance] },
  },
  'a base changes for a month that was decided by hand, and is confirmed and opened again': {
    point: '2.4 decided',
    rule: 'charged',
    story: {
      fees,
      steps: [
        joins,
        handleAll,
        balance,
        decide,
        { do: 'adjust', at: 0, base: '20000', months: 0 },
        handleAll,
        balance,
        ...lock,
        { do: 'unlock', at: 0 },
        balance,
      ],
    },
  },
  'a person leaves before a month that was decided by hand': {
    point: '2.5 decided',
    rule: 'charged',
    story: {
      fees,
      steps: [
        joins,
        handleAll,
        pass(31),
        balance,
        ...[0, 3, 6, 9, 12, 15].map((at) => ({ do: 'decide', at })),
        { do: 'leave', at: 0, days: -20, after: 0 },
        handleAll,
        balance,
      ],
    },
  },
}
