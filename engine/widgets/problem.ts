import { fillText } from '../model/fillText.ts'
import { composed, languageIn } from '../model/language.ts'
import type { Label, Problem, WidgetContext } from '../model/model.ts'

/**
 * A problem whose message has `{label}` and the other parameters filled in, language by language. A parameter may
 * itself be a label.
 */
export function problem(
  code: string,
  message: Label,
  context: Pick<WidgetContext, 'label'>,
  parameters: Record<string, string | number | Label> = {},
): Problem {
  const all: Record<string, string | number | Label> = { label: context.label, ...parameters }
  const labels = Object.values(all).filter((each) => typeof each === 'object')
  const filled = composed([message, ...labels], (read, language) =>
    fillText(
      read(message),
      (name) => {
        const parameter = Object.hasOwn(all, name) ? all[name] : undefined
        return typeof parameter === 'object' ? read(parameter) : parameter?.toString()
      },
      languageIn(message, language),
    ),
  )
  return { code, message: filled }
}

/** The value is not of this type, or does not match the required pattern. */
export const malformed = (context: Pick<WidgetContext, 'label'>, message: Label = invalidFormat) =>
  problem('format', message, context)

const invalidFormat: Label = { cn: '{label}格式不正确', en: '{label} has an invalid format' }
