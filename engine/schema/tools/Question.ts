/** A value to prompt for: a flag of the command by its name, or a question in words. */
export interface Question {
  name: string
  text: string
  /** The default if there is no answer. */
  suggested?: string
  /** The only valid answers. */
  choices?: readonly string[]
  /** May be left empty. */
  optional?: boolean
  /** Why an answer is invalid. */
  refuse?(answer: string): string | undefined
}

export type Answers = Readonly<Record<string, string>>
