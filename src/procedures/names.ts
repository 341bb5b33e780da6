/** The procedures that actions may name: known to the compiler without the server that they run on. */
export const procedureNames = [
  'handOver',
  'suggestInvoice', 'writeApplication', 'prepareRedFlush', 'redFlush',
  'generateStatements', 'regenerate', 'adjustStatement', 'sendStatement', 'confirmStatement', 'unconfirmStatement', 'voidStatement',
  'generateBudgets', 'adjustBudget',
  'suggestCustomer', 'claimReceipt', 'proposeMatches', 'matchReceipts', 'unmatchReceipt', 'prepareRefund', 'refundReceipt',
  'keepDefaultCard', 'beginEmployment', 'followEmployment', 'closeEmployment', 'dropEmployment', 'suggestPerson',
  'carryDeductions', 'fillPayroll', 'calculatePayroll', 'submitPayroll', 'approvePayroll', 'unapprovePayroll',
  'enablePolicy', 'revisePolicy', 'suggestPolicy', 'deliverBenefits', 'withdrawBenefits', 'copyBenefits',
  'suggestWelfareAddition', 'writeWelfareAddition', 'succeedWelfareAddition', 'cancelWelfareAddition', 'revokeWelfareAddition',
  'openReductions', 'dropReductions',
  'generateExpenses', 'lockExpenses', 'unlockExpenses', 'acceptExpenses', 'adjustExpenses', 'voidExpenses', 'autoCheckExpenses', 'placeExpenses', 'reconcileExpenses', 'spreadAccountNo',
  'suggestWelfareReduction', 'writeWelfareReduction', 'succeedWelfareReduction', 'cancelWelfareReduction', 'revokeWelfareReduction',
  'checkTemplate', 'suggestProof', 'completeProof', 'printProof', 'recordScan', 'downloadProof', 'suggestInjury',
  'suggestPayBatch', 'fillPayBatch', 'submitPayBatch', 'sendPayBatch', 'closePayBatch', 'cancelPayBatch', 'removePayLine', 'reissue', 'markResult', 'recordResult', 'changeCard',
  'sendPayslips', 'downloadPayslip', 'generateFilings', 'fillZeroFiling', 'fillZeroFilings', 'exportFilings', 'lockDeductions', 'unlockDeductions',
] as const
