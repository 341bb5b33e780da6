import type { Kind } from './Kind.ts'
import { payments } from './payments.ts'
import { payrolls } from './payrolls.ts'
import { people } from './people.ts'
import { settlement } from './settlement.ts'
import { tickets } from './tickets.ts'
import { time } from './time.ts'

export const kinds: Record<string, Kind> = { ...time, ...people, ...tickets, ...payrolls, ...payments, ...settlement }

export type Step = { do: string } & Record<string, number | string | boolean>
