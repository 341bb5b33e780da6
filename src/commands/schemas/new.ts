import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { compile } from '../../../engine/schema/compile.ts'
import { printIssue } from '../../../engine/schema/issues/issue.ts'
import {
  newFiles,
  nextQuestion,
  novelties,
  questionsOf,
  refusal,
  type Novelty,
} from '../../../engine/schema/tools/newFiles.ts'
import type { Ground } from '../../../engine/schema/tools/Ground.ts'
import { schemaPath } from '../../../engine/server/catalog/sources.ts'
import { lists } from '../../lists.ts'
import { directoryOf, sourcesIn, type Command, type Options } from './command.ts'
import { widgetFiles, widgetQuestions } from './newWidget.ts'
import type { Question } from '../../../engine/schema/tools/Question.ts'

const kinds = [...novelties, 'widget'] as const

export const command: Command = {
  usage: `  new area|entity|screen|family|widget asks what it needs, and writes the smallest files that pass the check
        [--<question> answer]     answers without being asked; [--schemas directory], for a widget [--root directory]
        new entity --help         lists the questions of that kind`,
  options: 'any',
  help(parameters, options) {
    const { kind, flags, directory, root } = readGiven(parameters, options)
    const questions = kind === 'widget' ? widgetQuestions(root) : questionsOf(kind, flags, groundOf(directory))
    const width = Math.max(...questions.map(({ name }) => name.length))
    return [
      `new ${kind}`,
      ...questions.map((question) => `  --${question.name.padEnd(width)}  ${described(question)}`),
      ...(kind === 'family'
        ? ['  Answers lead to more: with --template handling --help lists those of that template.']
        : []),
    ].join('\n')
  },
  async run(parameters, options) {
    const { kind, flags, directory, root } = readGiven(parameters, options)
    return kind === 'widget' ? newWidget(flags, root) : newSchema(kind, flags, directory)
  },
}

/** @throws if it is missing, or ambiguous. */
function readGiven([what, ...rest]: string[], { schemas, root, ...given }: Options) {
  const kind = kinds.find((each) => each === what)
  if (!kind) throw new Error(`Say what: ${kinds.join(', ')} (npm run schemas -- new entity).`)
  if (rest.length) throw new Error(`"${rest[0]}" belongs to no question: answers are given as --question answer.`)
  return {
    kind,
    flags: Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)])),
    directory: directoryOf(schemas),
    root: resolve(typeof root === 'string' ? root : join(import.meta.dirname, '../../..')),
  }
}

/** @throws if the files have issues. */
function groundOf(directory: string): Ground {
  const sources = sourcesIn(directory)
  const { catalog, issues } = compile(sources, lists)
  if (!catalog)
    throw new Error([...issues.map(printIssue), 'Nothing is added to files that are not in order.'].join('\n\n'))
  return { catalog, sources, lists }
}

async function newSchema(what: Novelty, flags: Record<string, string>, directory: string): Promise<number> {
  const ground = groundOf(directory)
  const { sources } = ground
  const answers = await ask((known) => nextQuestion(what, known, ground), flags)
  const files = newFiles(what, answers, ground)
  const added = files.map(({ path, text }) => ({ path: schemaPath(path, directory), text }))
  const kept = sources.filter(({ path }) => added.every((other) => other.path !== path))
  const found = compile([...kept, ...added], lists).issues
  if (found.length) {
    console.log([...found.map(printIssue), 'Nothing was written.'].join('\n\n'))
    return 1
  }
  write(files, directory)
  return 0
}

async function newWidget(flags: Record<string, string>, root: string): Promise<number> {
  const questions = widgetQuestions(root)
  const answers = await ask((known) => questions.find(({ name }) => known[name] === undefined), flags)
  write(widgetFiles(answers, root), root)
  return 0
}

function write(files: readonly { path: string; text: string }[], directory: string): void {
  for (const { path, text } of files) {
    const file = join(directory, path)
    const what = existsSync(file) ? 'changed' : 'written'
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    console.log(`${what} ${file}`)
  }
}

/**
 * All answers: from the flags, else from the terminal.
 * @throws if a flag has no answer, or an invalid one, or there is no terminal.
 */
async function ask(
  next: (answers: Record<string, string>) => Question | undefined,
  flags: Record<string, string>,
): Promise<Record<string, string>> {
  const answers: Record<string, string> = {}
  const left = new Set(Object.keys(flags))
  let terminal: AsyncIterator<string> | undefined
  const reader = createInterface({ input: process.stdin })
  try {
    for (let question = next(answers); question; question = next(answers)) {
      const { name } = question
      if (question.choices?.length === 0) throw new Error(`There is nothing to choose from for "${question.ask}" yet.`)
      left.delete(name)
      if (Object.hasOwn(flags, name)) {
        const refused = refusal(question, flags[name])
        if (refused !== undefined) throw new Error(`--${name}: ${refused}`)
        answers[name] = flags[name]
        continue
      }
      // Not `question()`: piped input arrives at once, and would be lost between two questions.
      terminal ??= reader[Symbol.asyncIterator]()
      for (;;) {
        process.stdout.write(prompt(question))
        const { value, done } = await terminal.next()
        if (done) throw new Error(`\nThere is no answer to "${question.ask}": give it as --${name}.`)
        const answer = value.trim() || (question.suggested ?? '')
        const refused = refusal(question, answer)
        if (refused === undefined) {
          answers[name] = answer
          break
        }
        console.log(refused)
      }
    }
  } finally {
    reader.close()
  }
  if (left.size)
    throw new Error(
      `--${[...left][0]} answers no question; there are: ${Object.keys(answers)
        .map((name) => `--${name}`)
        .join(' ')}`,
    )
  return answers
}

const prompt = ({ ask: text, choices, suggested }: Question) =>
  `${text}${choices ? ` [${choices.join(', ')}]` : ''}${suggested === undefined ? '' : ` (${suggested})`}: `

/** As many as fit in a line of the list of questions. */
const shownChoices = 8

const described = ({ choices = [], ...question }: Question) => {
  const more = choices.length > shownChoices ? [`… ${choices.length} in all`] : []
  const shown = [...choices.slice(0, shownChoices), ...more]
  return prompt({ ...question, ...(shown.length > 0 && { choices: shown }) }).replace(/: $/, '')
}
