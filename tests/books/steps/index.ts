import { benefits } from './benefits.ts'
import { closing } from './closing.ts'
import { contracts } from './contracts.ts'
import { filings } from './filings.ts'
import { households } from './households.ts'
import { invoices } from './invoices.ts'
import type { Kind } from './Kind.ts'
import { moves } from './moves.ts'
import { payments } from './payments.ts'
import { payrolls } from './payrolls.ts'
import { people } from './people.ts'
import { policies } from './policies.ts'
import { receipts } from './receipts.ts'
import { settlement } from './settlement.ts'
import { tickets } from './tickets.ts'
import { time } from './time.ts'

export const kinds: Record<string, Kind> = {
  ...time,
  ...people,
  ...moves,
  ...households,
  ...tickets,
  ...payrolls,
  ...payments,
  ...filings,
  ...settlement,
  ...closing,
  ...policies,
  ...benefits,
  ...invoices,
  ...receipts,
  ...contracts,
}

export type Step = { do: string } & Record<string, number | string | boolean>
