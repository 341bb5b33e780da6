import { applyPatches, enablePatches, Immer } from 'immer'
import type { Patch } from 'immer'
import type { Value } from '../model/model.ts'

enablePatches()
// The values belong to the form, which may hold thousands of rows.
const { produceWithPatches } = new Immer({ autoFreeze: false })

type Values = Readonly<Record<string, Value>>

interface Step {
  name: string
  /** Whether it was the user's first entry into the field. */
  isFirst: boolean
  forward: Patch[]
  backward: Patch[]
}

/** A field, and the value that it takes. */
export interface Replay {
  name: string
  value: Value
  /** Whether the field is as it was before the user entered anything. */
  isPristine: boolean
}

const mostSteps = 200

/**
 * What the user has entered into a form, so that it can be undone and redone. What is typed into one field without
 * leaving it is one step.
 */
export class FormHistory {
  /** The current values of the fields that steps have changed. */
  private values: Values = {}
  private done: Step[] = []
  private undone: Step[] = []
  private isTyping = false

  note(name: string, change: { before: Value; value: Value; isFirst: boolean }): void {
    const last = this.isTyping && this.done.at(-1)?.name === name ? this.done.pop() : undefined
    const start = last ? applyPatches(this.values, last.backward) : { ...this.values, [name]: change.before }
    const [values, forward, backward] = produceWithPatches(start, (draft: Record<string, Value>) => {
      draft[name] = change.value
    })
    this.values = values
    this.undone = []
    // A field whose previous value was typed back leaves nothing to undo.
    this.isTyping = forward.length > 0
    if (!this.isTyping) return
    const { isFirst } = last ?? change
    this.done = [...this.done, { name, isFirst, forward, backward }].slice(-mostSteps)
  }

  /** What is typed next into the same field is a step of its own. */
  leave(): void {
    this.isTyping = false
  }

  undo(): Replay | undefined {
    const step = this.done.pop()
    if (!step) return undefined
    this.undone.push(step)
    return { ...this.replay(step.name, step.backward), isPristine: step.isFirst }
  }

  redo(): Replay | undefined {
    const step = this.undone.pop()
    if (!step) return undefined
    this.done.push(step)
    return { ...this.replay(step.name, step.forward), isPristine: false }
  }

  /** After a save, because what is stored on the server is not undone in the form. */
  clear(): void {
    this.values = {}
    this.done = []
    this.undone = []
    this.isTyping = false
  }

  get canRedo(): boolean {
    return this.undone.length > 0
  }

  private replay(name: string, patches: Patch[]) {
    this.isTyping = false
    this.values = applyPatches(this.values, patches)
    return { name, value: this.values[name] }
  }
}
