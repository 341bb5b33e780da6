import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { compile } from '../../../engine/schema/compile.ts'
import { printIssue, type Issue } from '../../../engine/schema/issues/issue.ts'
import { newFiles, nextQuestion, novelties, questionsOf, type Novelty } from '../../../engine/schema/tools/newFiles.ts'
import { refusedAnswer } from '../../../engine/schema/tools/refusedAnswer.ts'
import type { ExistingFiles } from '../../../engine/schema/tools/ExistingFiles.ts'
import { schemaPath } from '../../../engine/server/catalog/sources.ts'
import { lists } from '../../lists.ts'
import { asFlags, Prompter, prompt } from './Prompter.ts'
import { directoryOf, sourcesIn, type Command, type Options } from './command.ts'
import { widgetFiles, widgetQuestions } from './newWidget.ts'
import type { Question } from '../../../engine/schema/tools/Question.ts'
import type { SourceText } from '../../../engine/schema/reading/SourceFile.ts'

const kinds = [...novelties, 'widget'] as const

export const command: Command = {
  usage: `  new area|entity|screen|family|widget prompts for what it needs, and writes the smallest files that pass the check;
                                  a kind of screen, such as list or form, stands for a screen of that kind
        [--<question> answer]     answers without a prompt; [--schemas directory], for a widget [--root directory]
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
  const screenKind = Object.keys(lists.kinds).find((each) => each === what)
  const kind = screenKind === undefined ? kinds.find((each) => each === what) : 'screen'
  if (!kind)
    throw new Error(
      `Name what is new: ${kinds.join(', ')}, or a kind of screen, such as list or form (npm run schemas -- new entity).`,
    )
  if (rest.length) throw new Error(`"${rest[0]}" belongs to no question: answers are given as --question answer.`)
  return {
    kind,
    flags: {
      ...(screenKind !== undefined && { kind: screenKind }),
      ...Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)])),
    },
    directory: directoryOf(schemas),
    root: resolve(typeof root === 'string' ? root : join(import.meta.dirname, '../../..')),
  }
}

/** @throws if the files have issues. */
function groundOf(directory: string): ExistingFiles {
  const sources = sourcesIn(directory)
  const { catalog, issues } = compile(sources, lists)
  if (!catalog)
    throw new Error([...issues.map(printIssue), 'Nothing is added to files that are not in order.'].join('\n\n'))
  return { catalog, sources, lists }
}

async function newSchema(what: Novelty, flags: Record<string, string>, directory: string): Promise<number> {
  const ground = groundOf(directory)
  const prompter = new Prompter((known) => nextQuestion(what, known, ground), flags)
  try {
    for (;;) {
      const files = newFiles(what, await prompter.all(), ground)
      const found = issuesOf(files, ground, directory)
      if (found.length === 0) {
        write(files, directory)
        return 0
      }
      const questions = questionsOf(what, prompter.answers, ground)
      const refused = found.map((issue) => {
        const file = files.find(({ path }) => schemaPath(path, directory) === issue.file)
        return { issue, question: file && refusedAnswer(issue, file, questions) }
      })
      const canRetry = prompter.isAnswered && refused.every(({ question }) => question)
      if (!canRetry || !(await promptAgain(prompter, refused))) {
        console.log([...found.map(printIssue), 'Nothing was written.'].join('\n\n'))
        const names = refused.map(({ question }) => question?.name)
        const others = Object.entries(prompter.answers).filter(([name]) => !names.includes(name))
        if (prompter.isAnswered) console.log(`\nThe other answers: ${asFlags(Object.fromEntries(others))}`)
        return 1
      }
    }
  } finally {
    prompter.close()
  }
}

/** Issues in the new files, compiled together with the existing ones. */
function issuesOf(files: readonly SourceText[], { sources }: ExistingFiles, directory: string): Issue[] {
  const added = files.map(({ path, text }) => ({ path: schemaPath(path, directory), text }))
  const kept = sources.filter(({ path }) => added.every((other) => other.path !== path))
  return compile([...kept, ...added], lists).issues
}

/** Each refused answer once more, with what is wrong. @returns whether all were answered */
async function promptAgain(
  prompter: Prompter,
  refused: readonly { issue: Issue; question?: Question }[],
): Promise<boolean> {
  const prompted = new Set<string>()
  for (const { issue, question } of refused) {
    console.log(issue.message)
    if (!question || prompted.has(question.name)) continue
    prompted.add(question.name)
    if (!(await prompter.promptFor(question))) return false
  }
  return true
}

async function newWidget(flags: Record<string, string>, root: string): Promise<number> {
  const questions = widgetQuestions(root)
  const prompter = new Prompter((known) => questions.find(({ name }) => known[name] === undefined), flags)
  try {
    write(widgetFiles(await prompter.all(), root), root)
    return 0
  } finally {
    prompter.close()
  }
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

/** As many as fit in a line of the list of questions. */
const shownChoices = 8

const described = ({ choices = [], ...question }: Question) => {
  const more = choices.length > shownChoices ? [`… ${choices.length} in all`] : []
  const shown = [...choices.slice(0, shownChoices), ...more]
  return prompt({ ...question, ...(shown.length > 0 && { choices: shown }) }).replace(/: $/, '')
}
