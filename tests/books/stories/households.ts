import { balance, fees, handleAll, joins, pass, type Known } from './builders.ts'

const moved = { do: 'changeHousehold', at: 0 }
const revised = { do: 'revise', of: 'social', floor: '7000', months: -2 }

/** Stories of people for whom another policy is in force than before. */
export const households: Record<string, Known> = {
  'a base changes for months before a person was of another household type': {
    point: '2.17',
    rule: 'household',
    story: {
      fees,
      steps: [
        { ...joins, base: '5000' },
        handleAll,
        pass(31),
        balance,
        moved,
        handleAll,
        ...[0, 1, 2].map((at) => ({ do: 'adjust', at, base: '8765.5', months: -1 })),
        handleAll,
        balance,
        moved,
        handleAll,
        balance,
      ],
    },
  },
  'a version comes late for months before a person was of another household type': {
    point: '2.17 version',
    rule: 'charged',
    story: {
      fees,
      steps: [
        { ...joins, base: '5000' },
        handleAll,
        pass(28),
        pass(31),
        balance,
        moved,
        handleAll,
        pass(31),
        revised,
        balance,
        handleAll,
        balance,
      ],
    },
  },
}
