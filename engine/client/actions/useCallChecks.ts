import type { Field, RecordData, Value } from '../../model/model.ts'
import { requiredProblem } from '../../expression/worded.ts'
import { fieldText } from '../fieldText.ts'
import { useEngine } from '../view.ts'
import { useWords } from '../words.ts'

/** The texts at a field: its prompt, the value that stays, and the problem of its input. */
export function useCallChecks(keepEmpty: boolean, records: readonly RecordData[]) {
  const engine = useEngine()
  const words = useWords()
  const promptOf = ({ type, label }: Field) => engine.text(requiredProblem(engine.widgets[type], label).message)
  return {
    promptOf,
    /** The value that stays if the field is left empty. */
    keptText(field: Field): string {
      if (!keepEmpty) return ''
      const texts = new Set(records.map((each) => fieldText(each[field.name], field, engine)))
      return texts.size > 1 ? words('severalValues') : [...texts].join('')
    },
    problemOf(field: Field, required: boolean, given: Value | undefined): string | undefined {
      const widget = engine.widgets[field.type]
      const value = widget.normalize(given ?? null, field.options)
      if (value === null) return required ? promptOf(field) : undefined
      const { dictionary, now } = engine
      const problem = widget.check(value, field.options, { label: field.label, dictionary, now })
      return problem && engine.text(problem.message)
    },
  }
}
