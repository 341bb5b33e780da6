/**
 * The analyst's tool: `npm run schemas -- <command>`. Every command ends with 0 clean, 1 issues or refused, 2 could not
 * run.
 */
import { parse, type Command } from './schemas/command.ts'

/** Each is read when it is called: checking files needs no database. */
const commands: Record<string, () => Promise<{ command: Command }>> = {
  check: () => import('./schemas/check.ts'),
  explain: () => import('./schemas/explain.ts'),
  diff: () => import('./schemas/diff.ts'),
  new: () => import('./schemas/new.ts'),
  eject: () => import('./schemas/eject.ts'),
  docs: () => import('./schemas/docs.ts'),
  types: () => import('./schemas/types.ts'),
  uses: () => import('./schemas/uses.ts'),
}

const usage = async () => {
  const lines = await Promise.all(Object.values(commands).map(async (load) => (await load()).command.usage))
  return `npm run schemas -- <command>\n${lines.join('\n')}`
}

async function run(): Promise<number> {
  try {
    const [name = 'check', ...rest] = process.argv.slice(2)[0]?.startsWith('-')
      ? ['check', ...process.argv.slice(2)]
      : process.argv.slice(2)
    if (name === 'help' || process.argv[2] === '--help') {
      console.log(await usage())
      return 0
    }
    if (Object.hasOwn(commands, name)) {
      const { command } = await commands[name]()
      if (rest.includes('--help')) {
        console.log(`npm run schemas -- <command>\n${command.usage}`)
        return 0
      }
      const { parameters, values } = parse(rest, command.options)
      return await command.run(parameters, values)
    }
    console.error(`There is no command "${name}".\n${await usage()}`)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
  }
  return 2
}

process.exitCode = await run()
