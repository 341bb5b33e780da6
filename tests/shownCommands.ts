/** The commands that a document shows, and whether the programs that they call would take them. */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { parseCLI } from 'vitest/node'
import { parse } from '../src/commands/schemas/command.ts'
import { commandNamed } from '../src/commands/schemas/runCommand.ts'
import { parserOf } from './commandOptions.ts'
import { projects } from './projects.ts'

const root = path.resolve(import.meta.dirname, '..')
const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>
}
const ours = ['npm', 'npx', 'node']
/** Programs whose words are not checked, except for the names of our files among them. */
const others = 'buildah cd cp docker export git install journalctl pkill systemctl useradd'.split(' ')

/** The commands of one line, without settings before them, and without the words that say where or as whom they run. */
function commandsOf(line: string): string[][] {
  const [command] = line.replaceAll(/\s+/g, ' ').split(/(?:^| )# /)
  return command
    .split(' && ')
    .map((part) => part.trim().replace(/^(?:sudo -u \S+ |docker exec \S+ |env |[A-Z_]+=(?:'[^']*'|\S*) )*/, ''))
    .map((part) => (part.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? []).map((word) => word.replaceAll(/['"]/g, '')))
    .filter((words) => words.length > 0)
}

export interface ShownCommands {
  commands: string[][]
  /** Options that are mentioned alone, after a command of the same paragraph or row, or after none. */
  options: { words: string[]; of?: string[] }[]
}

export function shownCommands(document: string): ShownCommands {
  const blocks = [...document.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, text]) => text.trim().split('\n'))
  const found: ShownCommands = { commands: blocks.flatMap(commandsOf), options: [] }
  for (const paragraph of document.replaceAll(/^```[\s\S]*?^```$/gm, '').split(/\n\n|\n(?=\||- )/)) {
    let last: string[] | undefined
    for (const [, span] of paragraph.matchAll(/`([^`]+)`/g)) {
      const commands = commandsOf(span)
      const [first = ''] = commands[0] ?? []
      if (/^--?$|^--[a-z]|^-[a-z]$/.test(first)) found.options.push({ words: commands[0], of: last })
      if (![...ours, ...others].includes(first) || (others.includes(first) && commands[0].length === 1)) continue
      found.commands.push(...commands)
      last = commands.at(-1)
    }
  }
  return found
}

/** Why a shown command would not run; undefined if it would. */
export async function refusalOf([program, ...words]: string[], document: string): Promise<string | undefined> {
  const given = words.filter((word) => word !== '…')
  try {
    if (program === 'npm') await parseNpm(given)
    else if (program === 'npx') parseVitest(given)
    else if (program === 'node') await parseNode(given, document)
    else if (others.includes(program)) requireFiles(given)
    else return `The program ${program} is unknown.`
  } catch (error) {
    return (error as Error).message
  }
}

async function parseNpm([verb, ...words]: string[]): Promise<void> {
  if (['audit', 'cache', 'ci', 'ls'].includes(verb)) return
  const [name, ...rest] = verb === 'run' ? words : [verb, ...words]
  if (!Object.hasOwn(scripts, name)) throw new Error(`package.json has no script "${name}".`)
  const [dashes, ...given] = rest
  if (dashes !== undefined && dashes !== '--') throw new Error(`npm itself would take ${dashes}: "--" is missing.`)
  const [, file, own = ''] = /\bnode (?:--import tsx )?(\S+)(.*)$/.exec(scripts[name]) ?? []
  await parseScript(file, [...own.split(' ').filter(Boolean), ...given])
}

async function parseNode(words: string[], document: string): Promise<void> {
  const [file, ...given] = words[0] === '--import' ? words.slice(2) : words
  if (!new RegExp(`^\`\`\`\\w+ ${file}$`, 'm').test(document)) await parseScript(file, given)
}

async function parseScript(file: string | undefined, given: string[]): Promise<void> {
  if (file === 'src/commands/schemas.ts') return parseSchemas(given)
  // It passes its arguments on.
  if (file === 'tests/masks/run.ts') return parseVitest(['vitest', 'run', ...given])
  parseArgs({ ...(file === undefined ? {} : parserOf(file)), args: given.filter((word) => word !== '--help') })
}

async function parseSchemas(given: string[]): Promise<void> {
  if (given[0] === '--help') return
  const [name = 'check', ...rest] = given[0]?.startsWith('-') ? ['check', ...given] : given
  const command = await commandNamed(name)
  if (!command) throw new Error(`npm run schemas has no command "${name}".`)
  const words = rest.filter((word) => word !== '--help')
  const { parameters, values } = parse(words, command.options)
  // Questions are options too.
  const questions = command.options === 'any' ? Object.keys(values) : []
  if (questions.length === 0) return
  const help = command.help!(parameters, {})
  const unknown = questions.find((each) => !help.includes(`--${each} `))
  if (unknown !== undefined) throw new Error(`${name} has no question "${unknown}".`)
}

function parseVitest(words: string[]): void {
  const { filter, options } = parseCLI(words)
  for (const pattern of [options.project ?? []].flat()) {
    const named = new RegExp(`^${pattern.replaceAll('*', '.*')}$`)
    if (!projects.some(({ test }) => named.test(test!.name as string))) throw new Error(`No project is ${pattern}.`)
  }
  const tests = projects.flatMap(({ test }) => test!.include!)
  const missing = filter.find((part) => /\//.test(part) && !tests.some((name) => name.includes(part)))
  if (missing !== undefined) throw new Error(`No test has ${missing} in its path.`)
}

function requireFiles(words: string[]): void {
  const missing = words.find((word) => /^(docs|engine|src|tests)\//.test(word) && !existsSync(path.join(root, word)))
  if (missing !== undefined) throw new Error(`There is no ${missing}.`)
}

/** Whether the command takes options that a text mentions alone, or, without a command, any of the known ones does. */
export async function isOption(words: string[], given: string[] | undefined, commands: string[][]): Promise<boolean> {
  const [first] = words
  if (first === '--help') return true
  const takes = async (command: string[]) => {
    if (others.includes(command[0])) return true
    const isSeparated = command[0] !== 'npm' || command.includes('--') || first === '--'
    const whole = [...command, ...(isSeparated ? [] : ['--']), ...words]
    // An option with a value may be mentioned without one.
    return (await refusalOf(whole, '')) === undefined || (await refusalOf([...whole, 'value'], '')) === undefined
  }
  const candidates = given ? [given] : [...commands, ...Object.keys(scripts).map((name) => ['npm', 'run', name])]
  for (const command of candidates) if (await takes(command)) return true
  return !given && process.allowedNodeEnvironmentFlags.has(first.replace(/=.*/, ''))
}
