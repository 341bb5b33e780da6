/**
 * The analyst's tool: `npm run schemas -- <command>`. Every command exits with 0 if clean, 1 if it reports issues or
 * refuses, 2 if it could not run.
 */
import { runCommand } from './schemas/runCommand.ts'

process.exitCode = await runCommand(process.argv.slice(2))
