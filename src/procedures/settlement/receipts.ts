/** The procedures of receipts. */
export { recordBalances, voidReceipt } from './balances.ts'
export { claimReceipt, suggestCustomer, unclaimReceipt } from './claimReceipt.ts'
export { matchReceipts, matchStatement } from './matchReceipts.ts'
export { proposeMatches, proposeReceipts } from './proposeMatches.ts'
export { prepareRefund, refundReceipt } from './refundReceipt.ts'
export { unmatchReceipt } from './unmatchReceipt.ts'
