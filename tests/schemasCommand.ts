import { Readable } from 'node:stream'
import { format } from 'node:util'
import { runCommand } from '../src/commands/schemas/runCommand.ts'

export interface CommandResult {
  /** Its exit code. */
  status: number
  /** Everything it printed. */
  output: string
}

/** `npm run schemas --` with these words, in this process: starting another one takes longer than most commands. */
export const schemasCommand = (...words: string[]): Promise<CommandResult> => answering('', ...words)

/** The same with these lines typed at its prompts. */
export async function answering(input: string, ...words: string[]): Promise<CommandResult> {
  const chunks: string[] = []
  const { log, error } = console
  const { write } = process.stdout
  const stdin = Object.getOwnPropertyDescriptor(process, 'stdin')!
  console.log = console.error = (...parts: unknown[]) => void chunks.push(`${format(...parts)}\n`)
  process.stdout.write = ((text: string) => chunks.push(text) > 0) as typeof write
  Object.defineProperty(process, 'stdin', { value: Readable.from([input]), configurable: true })
  try {
    const status = await runCommand(words)
    return { status, output: chunks.join('') }
  } finally {
    Object.assign(console, { log, error })
    process.stdout.write = write
    Object.defineProperty(process, 'stdin', stdin)
  }
}
