/** The procedures that the schema files of salary run. */
export { approvePayroll, submitPayroll, unapprovePayroll } from './approval.ts'
export { calculatePayroll } from './calculatePayroll.ts'
export { carryDeductions } from './carryDeductions.ts'
export { fillPayroll } from './fillPayroll.ts'
export {
  cancelPayBatch,
  closePayBatch,
  fillPayBatch,
  reissue,
  removePayLine,
  sendPayBatch,
  settleVoucher,
  submitPayBatch,
  suggestPayBatch,
} from './payBatch.ts'
export { proposeBenefits } from './proposeBenefits.ts'
export { downloadPayslip, handOverPayslips, preparePayslips, sendPayslips } from './payslips.ts'
export { changeCard, markResult, recordResult, recordReturn, settleHeld } from './payResults.ts'
export { exportFilings } from './exportFilings.ts'
export { generateFilings, lockDeductions, unlockDeductions } from './filings.ts'
export { fillZeroFiling, fillZeroFilings } from './zeroFilings.ts'
export { fillUndeductedBenefits, undoSettlement } from './undeductedBenefits.ts'
