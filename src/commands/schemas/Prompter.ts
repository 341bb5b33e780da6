import { createInterface } from 'node:readline/promises'
import { refusal } from '../../../engine/schema/tools/newFiles.ts'
import type { Question } from '../../../engine/schema/tools/Question.ts'

/** Answers to questions that lead to each other: from the flags of a command, else from the terminal. */
export class Prompter {
  readonly answers: Record<string, string> = {}
  private readonly reader = createInterface({ input: process.stdin })
  private terminal?: AsyncIterator<string>

  constructor(
    private readonly next: (answers: Record<string, string>) => Question | undefined,
    private readonly flags: Readonly<Record<string, string>>,
  ) {}

  /**
   * Asks whatever has no answer yet.
   * @throws if a flag has no answer, or an invalid one, or there is no terminal.
   */
  async all(): Promise<Record<string, string>> {
    for (let question = this.next(this.answers); question; question = this.next(this.answers)) {
      const { name } = question
      if (question.choices?.length === 0) throw new Error(`There is nothing to choose from for "${question.text}" yet.`)
      if (Object.hasOwn(this.flags, name)) {
        const refused = refusal(question, this.flags[name])
        if (refused !== undefined) throw new Error(`--${name}: ${refused}`)
        this.answers[name] = this.flags[name]
      } else if (!(await this.promptFor(question))) throw new Error(unanswered(this.missing()))
    }
    const idle = Object.keys(this.flags).find((name) => !Object.hasOwn(this.answers, name))
    const known = Object.keys(this.answers).map((name) => `--${name}`)
    if (idle !== undefined) throw new Error(`--${idle} answers no question; there are: ${known.join(' ')}`)
    return this.answers
  }

  /** All questions without an answer, as far as they are known before the answers of others. */
  private missing(): Question[] {
    const answers = { ...this.answers }
    const found: Question[] = []
    for (let question = this.next(answers); question; question = this.next(answers)) {
      const { name, suggested, choices } = question
      if (!Object.hasOwn(this.flags, name)) found.push(question)
      answers[name] = this.flags[name] ?? suggested ?? choices?.[0] ?? '1'
    }
    return found
  }

  /** Whether a user has answered at the terminal, who can then be prompted again. */
  get isAnswered(): boolean {
    return this.terminal !== undefined
  }

  /** Asks at the terminal until the answer is valid. @returns whether there was one */
  async promptFor(question: Question): Promise<boolean> {
    // Not `question()`: piped input arrives at once, and would be lost between two questions.
    this.terminal ??= this.reader[Symbol.asyncIterator]()
    for (;;) {
      process.stdout.write(prompt(question))
      const { value, done } = await this.terminal.next()
      if (done) return false
      const answer = value.trim() || (question.suggested ?? '')
      const refused = refusal(question, answer)
      if (refused === undefined) {
        this.answers[question.name] = answer
        return true
      }
      console.log(refused)
    }
  }

  close(): void {
    this.reader.close()
  }
}

function unanswered(missing: readonly Question[]): string {
  const [{ text, name }] = missing
  return missing.length === 1
    ? `\nThere is no answer to "${text}": give it as --${name}.`
    : `\nThere is no answer to these: give each as a flag.\n${missing.map(flagLine).join('\n')}`
}

const flagLine = (question: Question) => `  --${question.name}  ${prompt(question).replace(/: $/, '')}`

export const prompt = ({ text, choices, suggested }: Question) =>
  `${text}${choices ? ` [${choices.join(', ')}]` : ''}${suggested === undefined ? '' : ` (${suggested})`}: `

/** The answers as flags, to go on from them. */
export const asFlags = (answers: Readonly<Record<string, string>>): string =>
  Object.entries(answers)
    .map(([name, answer]) => `--${name} ${quoted(answer)}`)
    .join(' ')

const quoted = (text: string) => (/^[\p{L}\p{N}_.,:/-]+$/u.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)
