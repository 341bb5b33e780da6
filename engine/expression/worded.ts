import { fillText } from '../model/fillText.ts'
import { formulaOf } from './formulas.ts'
import { composed } from '../model/language.ts'
import type { Label, Problem, RecordData, Value, Widget } from '../model/model.ts'
import type { VerdictEntity, VerdictContext } from './VerdictContext.ts'
import { withFormulas } from './withFormulas.ts'
import { formulasIn, inputs } from './conditions.ts'

/** The mask of a value whose widget has no mask. */
export const hidden = '******'

const prompts: Record<Widget['prompt'], Label> = {
  enter: { cn: '请输入', en: 'Please enter ' },
  select: { cn: '请选择', en: 'Please select ' },
  upload: { cn: '请上传', en: 'Please upload ' },
}

/** The message of an empty required field: 请输入名称, Please enter Name. */
export function requiredProblem(widget: Pick<Widget, 'prompt'>, label: Label): Problem {
  const prompt = prompts[widget.prompt]
  return {
    code: 'required',
    message: composed([label, prompt], (read) => read(prompt) + read(label)),
  }
}

/**
 * Fills `{field}` in a message from the record, with formulas recomputed from the current values; sensitive fields are
 * masked.
 */
export function worded(entity: VerdictEntity, message: Label, values: RecordData, context: VerdictContext): Label {
  const { fields } = entity
  const { widgets, dictionary, now } = context
  return Object.fromEntries(
    Object.entries(message).map(([language, text]) => [
      language,
      fillText(
        text,
        (name) => {
          if (!Object.hasOwn(fields, name)) return undefined
          const { type, options, label, sensitive } = fields[name]
          const widget = widgets[type]
          const value: Value = widget.normalize(asFormed(entity, name, values, context)[name] ?? null, options)
          if (value === null) return ''
          if (sensitive) return widget.mask?.(value, options) ?? hidden
          return widget.text(value, options, { label, dictionary, now }, language)
        },
        language,
      ),
    ]),
  )
}

/** The record with this field recomputed from the current values, if it is a formula. */
function asFormed(entity: VerdictEntity, name: string, values: RecordData, context: VerdictContext): RecordData {
  const formula = formulaOf(entity.fields[name])
  if (formula === undefined) return values
  return withFormulas(entity, values, context, formulasIn(new Set([name, ...inputs(formula, entity)]), entity))
}
