import { createForm, onFieldInputValueChange, onFieldValueChange } from '@formily/core'
import type { Field as Node, Form } from '@formily/core'
import { observable, raw, untracked } from '@formily/reactive'
import type { FieldProblem, RecordData, Value } from '../model/model.ts'
import type { FormNodes, NodeListener, NodeStart, SaidWarning } from './formNodes.ts'
import { nameOf, Control, Item, problemsOf, warningsOf } from './formControl.tsx'

/** A Formily form. Its values are replaced, never mutated: nothing below them is observed. */
export class FormilyNodes implements FormNodes {
  readonly form: Form
  readonly values: RecordData
  readonly plain: RecordData

  constructor(values: RecordData, listener: NodeListener) {
    this.values = observable.shallow(values)
    this.plain = raw(this.values)
    this.form = createForm({
      values: this.values,
      effects: () => {
        onFieldValueChange('*', (node) => listener.changed(nameOf(node as Node)))
        onFieldInputValueChange('*', (node) => listener.typed(nameOf(node as Node)))
      },
    })
    // Formily subscribes to every form from a list that it never leaves, for events that nothing here uses.
    this.form.disposers.splice(0).forEach((dispose) => dispose())
  }

  create(name: string, { visible, required, locked, judge, reactions }: NodeStart) {
    const validate = async () => {
      const message = await judge!.run()
      return message.length > 0 ? { type: 'error', message } : ''
    }
    this.form.createField({
      name,
      display: visible ? 'visible' : 'hidden',
      pattern: locked ? 'readPretty' : 'editable',
      validator: judge && [{ triggerType: judge.on === 'leave' ? 'onBlur' : 'onInput', validator: validate as never }],
      reactions: reactions.map(({ inputs: names, run }) => () => {
        names.forEach((input) => this.values[input])
        untracked(run)
      }),
      component: [Control],
      decorator: [Item, { required }],
    })
  }

  node = (name: string) => this.form.fields[name] as Node

  setVisible(name: string, visible: boolean) {
    this.node(name).setDisplay(visible ? 'visible' : 'hidden')
  }
  setRequired(name: string, required: boolean) {
    this.node(name).setDecoratorProps({ required })
  }
  setLocked(name: string, locked: boolean) {
    this.node(name).setPattern(locked ? 'readPretty' : 'editable')
  }
  isVisible(name: string) {
    return this.node(name).display === 'visible'
  }
  isLocked(name: string) {
    return this.node(name).pattern !== 'editable'
  }
  problems(name: string) {
    return problemsOf(this.node(name))
  }
  setGiven(name: string, problems: readonly FieldProblem[]) {
    this.node(name).setSelfErrors(problems.length > 0 ? ([problems] as never) : [])
  }
  warnings(name: string) {
    return warningsOf(this.node(name))
  }
  setWarnings(name: string, warnings: readonly SaidWarning[]) {
    this.node(name).setSelfWarnings(warnings as never)
  }
  input(name: string, value: Value) {
    void this.node(name).onInput(value)
  }
  // The problem is shown at the field; Formily also throws it.
  judge(name: string) {
    void this.node(name)
      .validate()
      .catch(() => undefined)
  }
  async judgeAll() {
    await this.form.validate().catch(() => undefined)
  }
}
