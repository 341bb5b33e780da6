import type { WidgetExamples } from '../../model/model.ts'

const grouped = (text: string) => ({ canonical: text.replaceAll(' ', ''), text: { cn: text, en: text } })
const message = { cn: '银行账号不正确', en: 'Invalid bank account' }

export const examples: WidgetExamples = {
  options: [{ kind: 'personal' }, {}],
  good: [
    { given: '9900010000000123455', ...grouped('9900 0100 0000 0123 455') },
    { given: '９900 0200-0000 0678 902', ...grouped('9900 0200 0000 0678 902') },
  ],
  bad: [
    { given: '9900010000000123456', code: 'checkDigit', message },
    { given: '990001000000012', code: 'format', message },
    { given: '99000100000001234A5', code: 'format', message },
    { given: true, code: 'format', message },
    { given: '1234567', with: 1, code: 'format', message },
    { given: '1'.repeat(31), with: 1, code: 'format', message },
  ],
  cells: [
    { cell: '9900010000000123455', canonical: '9900010000000123455' },
    { cell: '', canonical: null },
  ],
}
