import { shape } from '../../model/model.ts'
import { textIn } from '../../model/language.ts'
import type { Widget } from '../../model/model.ts'
import { invalidSelection, isNothing } from '../selection.ts'

const options = shape({})

/** Labels of true and false in lists, exports and filters. */
export const yesNo: Record<'true' | 'false', { cn: string; en: string }> = {
  true: { cn: '是', en: 'Yes' },
  false: { cn: '否', en: 'No' },
}

const words = new Map<string, boolean>([
  ...['是', 'yes', 'y', 'true', '1', '√'].map((word) => [word, true] as const),
  ...['否', 'no', 'n', 'false', '0', '×'].map((word) => [word, false] as const),
])

export const boolean: Widget<object, boolean> = {
  type: 'boolean',
  alsoCalled: ['bool', 'checkbox', 'switch'],
  label: { cn: '是否', en: 'Yes or no' },
  options,
  prompt: 'select',
  expression: 'boolean',
  column: () => 'boolean',
  normalize: (value) =>
    value === 'true' ? true : value === 'false' ? false : isNothing(value) ? null : (value as boolean),
  check: (value, _options, context) => (typeof value === 'boolean' ? undefined : invalidSelection(context)),
  text: (value, _options, _context, language) => textIn(yesNo[`${value}`], language),
  align: 'center',
  width: () => 80,
  operators: ['equals', 'empty'],
  sortable: true,
  sheet: {
    write: (value, options, context, language) => boolean.text(value, options, context, language),
    read: (cell) => {
      const text = String(cell ?? '')
        .normalize('NFKC')
        .trim()
        .toLowerCase()
      return words.get(text) ?? text
    },
  },
}
