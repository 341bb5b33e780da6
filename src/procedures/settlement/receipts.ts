/** What can be done with receipts that JSON cannot say. */
export { claimReceipt, suggestCustomer } from './claimReceipt.ts'
export { matchReceipts } from './matchReceipts.ts'
export { proposeMatches } from './proposeMatches.ts'
export { prepareRefund, refundReceipt } from './refundReceipt.ts'
export { unmatchReceipt } from './unmatchReceipt.ts'
