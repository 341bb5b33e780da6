import { readFileSync } from 'node:fs'

/** The text of the comment at a file's head. */
export function headOf(source: string): string {
  const [, comment = ''] = /\/\*\*([\s\S]*?)\*\//.exec(source) ?? []
  return comment.replaceAll(/\n \* ?/g, '\n').trim()
}

/**
 * The help of a command is the comment at its own head. Imported first, so that nothing has started when it answers.
 */
if (process.argv.slice(2).includes('--help')) {
  console.log(headOf(readFileSync(process.argv[1], 'utf8')))
  process.exit(0)
}
