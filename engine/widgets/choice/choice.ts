import { dictionaryName, shape } from '../../model/model.ts'
import { textIn } from '../../model/language.ts'
import type { Choice, Static, Unread, Widget, WidgetContext } from '../../model/model.ts'
import { invalidSelection, isNothing } from '../selection.ts'

const options = shape({ choices: dictionaryName({ about: { cn: '字典', en: 'The dictionary' } }) })
export type ChoiceOptions = Static<typeof options>

export const findChoice = (
  value: unknown,
  options: ChoiceOptions,
  context: Pick<WidgetContext, 'dictionary'>,
): Choice | undefined => context.dictionary(options.choices).choices.find((choice) => choice.value === value)

/** A value that is no longer in its dictionary is shown as it is. */
export const choiceText = (
  value: string,
  options: ChoiceOptions,
  context: Pick<WidgetContext, 'dictionary'>,
  language: string,
): string => {
  const found = findChoice(value, options, context)
  return found ? textIn(found.label, language) : value
}

export const normalizeChoice = (value: unknown): Unread =>
  typeof value === 'string' ? value.trim() || null : isNothing(value) ? null : value

/** A cell contains the value or a label in any language; the value wins. */
export function readChoice(cell: unknown, options: ChoiceOptions, context: Pick<WidgetContext, 'dictionary'>): string {
  const text = String(cell ?? '')
    .normalize('NFKC')
    .trim()
  if (findChoice(text, options, context)) return text
  return labelled(context.dictionary(options.choices).choices).get(text.toLowerCase()) ?? text
}

const known = new WeakMap<readonly Choice[], Map<string, string>>()

/** Normalised label in any language → value. Of two with the same label, the first. */
function labelled(choices: readonly Choice[]): Map<string, string> {
  let values = known.get(choices)
  if (!values) {
    const all = choices.flatMap(({ value, label }) =>
      Object.values(label).map((text) => [text.normalize('NFKC').trim().toLowerCase(), value] as const),
    )
    known.set(choices, (values = new Map(all.toReversed())))
  }
  return values
}

/** The label, unless it would be taken for another choice. */
export function writeChoice(
  value: string,
  options: ChoiceOptions,
  context: Pick<WidgetContext, 'dictionary'>,
  language: string,
): string {
  const label = choiceText(value, options, context, language)
  return readChoice(label, options, context) === value ? label : value
}

/** One value of a dictionary. A disabled value is not offered, but stays valid where it is used. */
export const choice: Widget<ChoiceOptions, string> = {
  type: 'choice',
  alsoCalled: ['select', 'enum', 'dropdown', 'radio'],
  label: { cn: '单选', en: 'Choice' },
  options,
  prompt: 'select',
  expression: 'string',
  column: () => 'text',
  dictionary: (options) => options.choices,
  normalize: normalizeChoice,
  check: (value, options, context) => (findChoice(value, options, context) ? undefined : invalidSelection(context)),
  text: choiceText,
  width: () => 120,
  operators: ['in', 'equals', 'empty'],
  sortable: true,
  sheet: { write: writeChoice, read: readChoice },
}
