import type { Context } from '../../engine/server/runtime.ts'
import { expenseFiles } from './expenseFiles.ts'
import { fill } from './fill.ts'
import { importFiles } from './imports.ts'
import { personFiles } from './personFiles.ts'
import { receiptFiles } from './receiptFiles.ts'
import { renewalFiles } from './renewals.ts'
import { salaryFiles } from './salaryFiles.ts'
import { ticketFiles } from './ticketFiles.ts'

/** Fills an empty database with the demo, and then uploads the files that a month's work has. */
export async function fillDemo(context: Context, size: Parameters<typeof fill>[1]): Promise<void> {
  if (!(await fill(context, size))) return
  await importFiles(context)
  await renewalFiles(context)
  await receiptFiles(context)
  await personFiles(context)
  await ticketFiles(context)
  await expenseFiles(context)
  await salaryFiles(context)
}
