/**
 * The analyst's tool: `npm run schemas -- <command>`. Every command ends with 0 clean, 1 issues or refused, 2 could not
 * run.
 */
import { runCommand } from './schemas/runCommand.ts'

process.exitCode = await runCommand(process.argv.slice(2))
