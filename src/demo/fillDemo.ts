import type { Context } from '../../engine/server/runtime.ts'
import { expenseFiles } from './welfare/expenseFiles.ts'
import { fill } from './fill.ts'
import { importFiles } from './imports.ts'
import { giveOwnPasswords } from './ownPasswords.ts'
import { personFiles } from './staff/personFiles.ts'
import { receiptFiles } from './settlement/receiptFiles.ts'
import { renewalFiles } from './staff/renewals.ts'
import { salaryFiles } from './salary/salaryFiles.ts'
import { ticketFiles } from './welfare/ticketFiles.ts'

interface DemoOptions {
  /** All users sign in with the administrator's password; otherwise each gets their own, which is shown once. */
  onePassword: boolean
}

/** Fills an empty database with the demo, and then uploads the files of a month's work. */
export async function fillDemo(
  context: Context,
  size: Parameters<typeof fill>[1],
  { onePassword }: DemoOptions,
): Promise<void> {
  if (!(await fill(context, size))) return
  await importFiles(context)
  await renewalFiles(context)
  await receiptFiles(context)
  await personFiles(context)
  await ticketFiles(context)
  await expenseFiles(context)
  await salaryFiles(context)
  if (!onePassword)
    console.log(
      ["The demo's users and their passwords, shown this once:", ...(await giveOwnPasswords(context))].join('\n'),
    )
}
