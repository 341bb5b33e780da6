/** How a step of the month stands. */
export type StepState = 'done' | 'late' | 'due' | 'coming'

interface Days { from: number; to: number }

/** The days of this month: one that it does not have is its last. */
export function daysOf({ from, to }: Days, today: string): Days {
  const last = new Date(Date.UTC(Number(today.slice(0, 4)), Number(today.slice(5, 7)), 0)).getUTCDate()
  return { from: Math.min(from, last), to: Math.min(to, last) }
}

/** What does not wait is done, once its days have begun; what still waits when they are over is late. */
export function stateOf(step: Days, today: string, waiting: number): StepState {
  const { from, to } = daysOf(step, today)
  const day = Number(today.slice(8, 10))
  if (day < from) return 'coming'
  if (waiting === 0) return 'done'
  return day > to ? 'late' : 'due'
}
