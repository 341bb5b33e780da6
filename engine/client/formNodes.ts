import type { FieldProblem, Label, RecordData, Value } from '../model/model.ts'

/** The initial state of a field, and how it reacts to values. */
export interface NodeStart {
  visible: boolean
  required: boolean
  /** Read-only. */
  locked: boolean
  /** When it is validated, besides on submit; never if absent. */
  judge?: { on: 'leave' | 'change'; run(): Judgement | Promise<Judgement> }
  /** Run at the start, and again whenever an input has changed. */
  reactions: { inputs: readonly string[]; run(): void }[]
}
export type Judgement = readonly FieldProblem[]

/** A warning shown at its field; `to` is its link. */
export interface SaidWarning {
  message: Label
  to?: string
}

/**
 * The state of a form's fields, as the form library keeps it. Reads and writes of `values` are tracked by reactions.
 */
export interface FormNodes {
  values: RecordData
  /** The same, untracked. */
  plain: RecordData
  create(name: string, start: NodeStart): void
  setVisible(name: string, visible: boolean): void
  setRequired(name: string, required: boolean): void
  setLocked(name: string, locked: boolean): void
  isVisible(name: string): boolean
  isLocked(name: string): boolean
  problems(name: string): FieldProblem[]
  /** Problems from the server, which a change of the field clears. */
  setGiven(name: string, problems: readonly FieldProblem[]): void
  warnings(name: string): SaidWarning[]
  setWarnings(name: string, warnings: readonly SaidWarning[]): void
  /** As if the user had entered it. */
  input(name: string, value: Value): void
  judge(name: string): void
  /** Every visible field that is not locked. */
  judgeAll(): Promise<void>
}

export interface NodeListener {
  /** A value has changed, for any reason. */
  changed(name: string): void
  /** The user has changed a value. */
  typed(name: string): void
}
