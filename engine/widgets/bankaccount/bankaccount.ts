import { oneOf, shape } from '../../model/model.ts'
import type { Label, Static, Widget } from '../../model/model.ts'
import { malformed, problem } from '../problem.ts'
import { asCode, readCodeCell } from '../text/text.ts'

const options = shape({
  kind: oneOf(['company', 'personal'], {
    default: 'company',
    about: { cn: '对公账户或个人银行卡', en: 'A company account or a personal card' },
  }),
})

const invalid: Label = { cn: '银行账号不正确', en: 'Invalid bank account' }

/** A bank account, digits only: a company account, or a personal card with its check digit. */
export const bankaccount: Widget<Static<typeof options>, string> = {
  type: 'bankaccount',
  label: { cn: '银行账号', en: 'Bank account' },
  options,
  prompt: 'enter',
  expression: 'string',
  column: () => 'text',
  normalize: asCode,
  check(value: unknown, { kind }, context) {
    if (typeof value !== 'string' || !(kind === 'personal' ? /^\d{16,19}$/ : /^\d{8,30}$/).test(value))
      return malformed(context, invalid)
    return kind === 'personal' && !passesLuhn(value) ? problem('checkDigit', invalid, context) : undefined
  },
  mask: lastFour,
  brief: lastFour,
  text: (value) => value.replace(/(.{4})(?=.)/g, '$1 '),
  width: () => 210,
  operators: ['contains', 'equals', 'in', 'empty'],
  sortable: true,
  sheet: { format: () => '@', write: (value) => value, read: readCodeCell },
}

function lastFour(value: string): string {
  return `****${value.length > 4 ? value.slice(-4) : ''}`
}

/** An account input keeps only digits. */
export const filterDigits = (typed: string) => typed.normalize('NFKC').replace(/\D/g, '')

/** From the right, every second digit doubled (minus 9 if above 9): the sum ends in 0. */
function passesLuhn(digits: string): boolean {
  let sum = 0
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index])
    sum += index % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2
  }
  return sum % 10 === 0
}
