/** What invoices need beyond JSON. */
export { prepareRedFlush, redFlush } from './redFlush.ts'
export { suggestInvoice } from './suggestInvoice.ts'
export { writeApplication } from './writeApplication.ts'
