import type { Story } from '../story.ts'

/** A story that failed once, with its point and the rule that it broke. */
export interface Known {
  point: string
  rule: string
  /** The story still fails. */
  open?: true
  story: Story
}

export const joins = { do: 'join', customer: 0, base: '12000', salary: '9000', days: -4, late: 0 }
export const wage = (payroll: number, extra: string) => ({
  do: 'wage',
  at: payroll,
  line: 0,
  extra,
  missing: '0',
  deduct: '0',
})
export const payroll = (back: number) => ({
  do: 'payroll',
  customer: 0,
  back,
  isBonus: false,
  other: false,
  second: false,
})
export const proceed = (at: number, ...actions: string[]) => actions.map((action) => ({ do: 'proceed', at, action }))
export const pass = (days: number) => ({ do: 'pass', days })
export const handleAll = { do: 'handleAll' }
export const balance = { do: 'balance' }
/** Locks the first open month of each family in turn. */
export const lock = [0, 4, 8].map((at) => ({ do: 'lock', at }))

export const fees: Story['fees'] = [{ mode: 'fixed' }]
export const byHead: Story['fees'] = [{ mode: 'perHead' }]
