/** What JSON cannot say: the name that an action's `run` gives → what it does. */
import type { Procedure } from '../../engine/server/runtime.ts'
import { handOver } from './handOver.ts'
import { claimReceipt, suggestCustomer } from './settlement/claimReceipt.ts'
import { matchReceipts } from './settlement/matchReceipts.ts'
import { proposeMatches } from './settlement/proposeMatches.ts'
import { prepareRefund, refundReceipt } from './settlement/refundReceipt.ts'
import { unmatchReceipt } from './settlement/unmatchReceipt.ts'

export const procedures: Record<string, Procedure> = {
  handOver, claimReceipt, suggestCustomer, matchReceipts, proposeMatches, prepareRefund, refundReceipt, unmatchReceipt,
}
