import type { FieldProblem, Label, RecordData, Value } from '../model/model.ts'

/** What a field is when the form is made, and what follows the values from then on. */
export interface NodeStart {
  visible: boolean
  required: boolean
  /** It is read, not edited. */
  locked: boolean
  /** When it is judged, beside a submit. Absent: never. */
  judge?: { on: 'leave' | 'change'; run(): Judgement | Promise<Judgement> }
  /** Run once at the start, and again whenever one of the inputs has changed. */
  reactions: { inputs: readonly string[]; run(): void }[]
}
export type Judgement = readonly FieldProblem[]

/** A warning as it stands at its field; `to` is where it leads. */
export interface SaidWarning {
  message: Label
  to?: string
}

/**
 * The state of a form's fields, as the library that keeps it is used here. `values` may be read and written; reactions
 * notice.
 */
export interface FormNodes {
  values: RecordData
  /** The same, unnoticed. */
  plain: RecordData
  create(name: string, start: NodeStart): void
  setVisible(name: string, visible: boolean): void
  setRequired(name: string, required: boolean): void
  setLocked(name: string, locked: boolean): void
  isVisible(name: string): boolean
  isLocked(name: string): boolean
  problems(name: string): FieldProblem[]
  /** Those of the server, which a change of the field takes away. */
  setGiven(name: string, problems: readonly FieldProblem[]): void
  warnings(name: string): SaidWarning[]
  setWarnings(name: string, warnings: readonly SaidWarning[]): void
  /** As if the user had. */
  input(name: string, value: Value): void
  judge(name: string): void
  /** Every field that is visible and not locked. */
  judgeAll(): Promise<void>
}

export interface NodeListener {
  /** A value has changed, whoever changed it. */
  changed(name: string): void
  /** The user has changed a value. */
  typed(name: string): void
}
