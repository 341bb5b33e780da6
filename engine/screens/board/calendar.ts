/** The status of a step of the month. */
export type StepState = 'done' | 'late' | 'due' | 'coming'

interface Days {
  from: number
  to: number
}

/** The step's days in this month: a day that the month lacks becomes its last; none is before the first. */
export function daysOf({ from, to }: Days, today: string): Days {
  const last = new Date(Date.UTC(Number(today.slice(0, 4)), Number(today.slice(5, 7)), 0)).getUTCDate()
  const within = (day: number) => Math.max(1, Math.min(day, last))
  return { from: within(from), to: within(Math.max(from, to)) }
}

/** A step is done if nothing waits once its days have begun, and late if something still waits after them. */
export function stateOf(step: Days, today: string, waiting: number): StepState {
  const { from, to } = daysOf(step, today)
  const day = Number(today.slice(8, 10))
  if (day < from) return 'coming'
  if (waiting === 0) return 'done'
  return day > to ? 'late' : 'due'
}
