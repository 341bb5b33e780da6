import { parse, type Command } from './command.ts'

/** Each is loaded when it is called, because checking files needs no database. */
const commands: Record<string, () => Promise<{ command: Command }>> = {
  check: () => import('./check.ts'),
  explain: () => import('./explain.ts'),
  diff: () => import('./diff.ts'),
  new: () => import('./new.ts'),
  eject: () => import('./eject.ts'),
  docs: () => import('./docs.ts'),
  types: () => import('./types.ts'),
  uses: () => import('./uses.ts'),
}

export const commandNamed = async (name: string): Promise<Command | undefined> =>
  Object.hasOwn(commands, name) ? (await commands[name]()).command : undefined

const usage = async () => {
  const lines = await Promise.all(Object.values(commands).map(async (load) => (await load()).command.usage))
  return `npm run schemas -- <command>\n${lines.join('\n')}`
}

/** @returns the exit code of the process. */
export async function runCommand(given: string[]): Promise<number> {
  try {
    const [name = 'check', ...rest] = given[0]?.startsWith('-') ? ['check', ...given] : given
    if (name === 'help' || given[0] === '--help') {
      console.log(await usage())
      return 0
    }
    const command = await commandNamed(name)
    if (command) {
      if (rest.includes('--help')) {
        console.log(`npm run schemas -- <command>\n${command.usage}`)
        const { parameters, values } = parse(
          rest.filter((word) => word !== '--help'),
          command.options,
        )
        if (command.help && parameters.length) console.log(`\n${command.help(parameters, values)}`)
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
