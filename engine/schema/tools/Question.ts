/** One thing that must be known: a flag of the command by its name, or asked in words. */
export interface Question {
  name: string
  ask: string
  /** What stands there if nothing is answered. */
  suggested?: string
  /** Only these. */
  choices?: readonly string[]
  /** Nothing is an answer too. */
  optional?: boolean
  /** Why an answer will not do. */
  refuse?(answer: string): string | undefined
}

export type Answers = Readonly<Record<string, string>>
