import { dictionaryName, integer, optional, shape } from '../../model/model.ts'
import { comma, textIn } from '../../model/language.ts'
import type { Static, Widget } from '../../model/model.ts'
import { choiceText, findChoice, normalizeChoice, readChoice, writeChoice } from '../choice/choice.ts'
import { invalidSelection, limitSelection, normalizeMany, splitCell } from '../selection.ts'

const options = shape({
  choices: dictionaryName({ about: { cn: '字典', en: 'The dictionary' } }),
  max: optional(integer({ minimum: 1, about: { cn: '最多几项', en: 'Maximum number of values' } })),
})

/** However often a cell names a value, it is read once. */
const distinctParts = (cell: unknown, between?: RegExp): unknown[] => [...new Set(splitCell(cell, between))]

const apart = /[、;；\n]/

/** Several values of a dictionary, in the order they were chosen. */
export const choices: Widget<Static<typeof options>, string[]> = {
  type: 'choices',
  alsoCalled: ['multiselect'],
  label: { cn: '多选', en: 'Choices' },
  options,
  prompt: 'select',
  expression: 'list<string>',
  column: () => 'text[]',
  dictionary: (options) => options.choices,
  normalize: (value) => normalizeMany(value, normalizeChoice, (entry) => entry),
  check: (value, options, context) => {
    if (!Array.isArray(value) || !value.every((entry) => findChoice(entry, options, context)))
      return invalidSelection(context)
    return options.max !== undefined && value.length > options.max ? limitSelection(context, options.max) : undefined
  },
  text: (value, options, context, language) =>
    value.map((entry) => choiceText(entry, options, context, language)).join(textIn(comma, language)),
  width: () => 200,
  operators: ['overlaps', 'empty'],
  sortable: false,
  sheet: {
    // Labels may contain the English comma, so cells are always joined with the Chinese one.
    write: (value, options, context, language) =>
      value
        .map((entry) => {
          const label = writeChoice(entry, options, context, language)
          return apart.test(label) ? entry : label
        })
        .join('、'),
    // A part that is not a choice as a whole may still be a list with commas.
    read: (cell, options, context) =>
      distinctParts(cell, apart).flatMap((part) => {
        const value = readChoice(part, options, context)
        return findChoice(value, options, context)
          ? [value]
          : distinctParts(part).map((piece) => readChoice(piece, options, context))
      }),
  },
}
