import { boolean, shape } from '../../model/model.ts'
import type { Label, Static, Widget } from '../../model/model.ts'
import { malformed, problem } from '../problem.ts'
import { asCode, readCodeCell } from '../text/text.ts'

const options = shape({
  otherDocuments: boolean({
    default: false,
    about: { cn: '也接受护照等其他证件号码', en: 'Also accepts passport and other document numbers' },
  }),
})

const residentNumber = /^\d{17}[\dX]$/
const otherNumber = /^[A-Z0-9()]{5,20}$/
const weights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]
const invalid: Label = { cn: '身份证号码格式不正确', en: 'Invalid ID number' }
const invalidDocument: Label = { cn: '证件号码格式不正确', en: 'Invalid ID number' }
const wrongDigit: Label = { cn: '身份证号码校验位错误', en: 'ID number check digit is wrong' }

/** The number of a resident ID card, its last character in capitals. */
export const idcard: Widget<Static<typeof options>, string> = {
  type: 'idcard',
  label: { cn: '身份证号码', en: 'ID number' },
  options,
  prompt: 'enter',
  expression: 'string',
  column: () => 'text',
  normalize: asCode,
  check(value: unknown, { otherDocuments }, context) {
    if (typeof value !== 'string' || value.length > 20)
      return malformed(context, otherDocuments ? invalidDocument : invalid)
    if (residentNumber.test(value) && isDay(value.slice(6, 14))) {
      return checkCharacter(value) === value[17] ? undefined : problem('checkDigit', wrongDigit, context)
    }
    if (!otherDocuments) return malformed(context, invalid)
    return otherNumber.test(value) ? undefined : malformed(context, invalidDocument)
  },
  mask: ends,
  brief: ends,
  text: (value) => value,
  width: () => 180,
  operators: ['contains', 'equals', 'in', 'empty'],
  sortable: true,
  sheet: { format: () => '@', write: (value) => value, read: readCodeCell },
}

/** The first six characters and the last four. */
function ends(value: string): string {
  return value.length > 10
    ? value.slice(0, 6) + '*'.repeat(value.length - 10) + value.slice(-4)
    : '*'.repeat(value.length)
}

function checkCharacter(number: string): string {
  const sum = weights.reduce((sum, weight, index) => sum + weight * Number(number[index]), 0)
  return '10X98765432'[sum % 11]
}

/** A valid `yyyyMMdd` from 1900 on. */
function isDay(digits: string): boolean {
  const [year, month, day] = [digits.slice(0, 4), digits.slice(4, 6), digits.slice(6)].map(Number)
  const date = new Date(Date.UTC(year, month - 1, day))
  return year >= 1900 && date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}
