import { format } from 'node:util'
import { runCommand } from '../src/commands/schemas/runCommand.ts'

/**
 * Runs `npm run schemas --` with these words in this process, because starting another costs more than most commands.
 */
export async function schemasCommand(...words: string[]): Promise<{ status: number; said: string }> {
  const said: string[] = []
  const { log, error } = console
  console.log = console.error = (...parts: unknown[]) => void said.push(`${format(...parts)}\n`)
  try {
    const status = await runCommand(words)
    return { status, said: said.join('') }
  } finally {
    Object.assign(console, { log, error })
  }
}
