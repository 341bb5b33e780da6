import { readFileSync } from 'node:fs'

/** The text of the comment at a file's head. */
export function headOf(source: string): string {
  const [, comment = ''] = /\/\*\*([\s\S]*?)\*\//.exec(source) ?? []
  return comment.replaceAll(/\n \* ?/g, '\n').trim()
}

/**
 * What a command is told by `--help` is what stands at its own head. It is imported first, so that nothing has begun
 * when it answers.
 */
if (process.argv.slice(2).includes('--help')) {
  console.log(headOf(readFileSync(process.argv[1], 'utf8')))
  process.exit(0)
}
