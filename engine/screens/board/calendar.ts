/** How a step of the month stands. */
export type StepState = 'done' | 'late' | 'due' | 'coming'

interface Days {
  from: number
  to: number
}

/** The days of this month: one that it does not have is its last; none is before the first. */
export function daysOf({ from, to }: Days, today: string): Days {
  const last = new Date(Date.UTC(Number(today.slice(0, 4)), Number(today.slice(5, 7)), 0)).getUTCDate()
  const within = (day: number) => Math.max(1, Math.min(day, last))
  return { from: within(from), to: within(Math.max(from, to)) }
}

/** What does not wait is done, once its days have begun; what still waits when they are over is late. */
export function stateOf(step: Days, today: string, waiting: number): StepState {
  const { from, to } = daysOf(step, today)
  const day = Number(today.slice(8, 10))
  if (day < from) return 'coming'
  if (waiting === 0) return 'done'
  return day > to ? 'late' : 'due'
}
