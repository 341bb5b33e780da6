/** What the schemas of salary run. */
export { approvePayroll, submitPayroll, unapprovePayroll } from './approval.ts'
export { calculatePayroll } from './calculatePayroll.ts'
export { carryDeductions } from './carryDeductions.ts'
export { fillPayroll } from './fillPayroll.ts'
