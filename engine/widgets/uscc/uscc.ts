import { shape } from '../../model/model.ts'
import type { Label, Static, Widget } from '../../model/model.ts'
import { malformed, problem } from '../problem.ts'
import { asCode } from '../text/text.ts'

const options = shape({})

const code = /^[0-9A-HJ-NPQRTUWXY]{2}[0-9]{6}[0-9A-HJ-NPQRTUWXY]{10}$/
/** Values 0 to 30: no I, O, S, V and Z. */
const alphabet = '0123456789ABCDEFGHJKLMNPQRTUWXY'
const weights = [1, 3, 9, 27, 19, 26, 16, 17, 20, 29, 25, 13, 8, 24, 10, 30, 28]
const invalid: Label = { cn: '统一社会信用代码不正确', en: 'Invalid unified social credit code' }

/** A unified social credit code. */
export const uscc: Widget<Static<typeof options>, string> = {
  type: 'uscc',
  label: { cn: '统一社会信用代码', en: 'Unified social credit code' },
  options,
  prompt: 'enter',
  expression: 'string',
  column: () => 'text',
  normalize: asCode,
  check(value: unknown, _options, context) {
    if (typeof value !== 'string' || !code.test(value)) return malformed(context, invalid)
    return checkCharacter(value) === value[17] ? undefined : problem('checkDigit', invalid, context)
  },
  text: (value) => value,
  width: () => 180,
  operators: ['contains', 'equals', 'in', 'empty'],
  sortable: true,
  sheet: { format: () => '@', write: (value) => value, read: (cell) => cell },
}

/** Kind, region, organisation, check character: 2-6-9-1. */
export const usccParts = (value: string) =>
  [value.slice(0, 2), value.slice(2, 8), value.slice(8, 17), value.slice(17)].filter(Boolean)

function checkCharacter(value: string): string {
  const sum = weights.reduce((sum, weight, index) => sum + weight * alphabet.indexOf(value[index]), 0)
  return alphabet[(31 - (sum % 31)) % 31]
}
