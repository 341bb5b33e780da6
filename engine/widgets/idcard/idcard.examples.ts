import type { WidgetExamples } from '../../model/model.ts'

const same = (given: string) => ({ given, canonical: given, text: { cn: given, en: given } })
const invalid = { code: 'format', message: { cn: '身份证号码格式不正确', en: 'Invalid ID number' } }
const invalidDocument = { code: 'format', message: { cn: '证件号码格式不正确', en: 'Invalid ID number' } }
const wrongDigit = { code: 'checkDigit', message: { cn: '身份证号码校验位错误', en: 'ID number check digit is wrong' } }

export const examples: WidgetExamples = {
  options: [{}, { otherDocuments: true }],
  good: [
    same('990101199003074518'),
    same('990102199511263223'),
    {
      given: ' ９９０１０１ 19900307 0015 ',
      canonical: '990101199003070015',
      text: { cn: '990101199003070015', en: '990101199003070015' },
    },
    {
      given: '99010119900307004x',
      canonical: '99010119900307004X',
      text: { cn: '99010119900307004X', en: '99010119900307004X' },
    },
  ],
  bad: [
    { given: '990101199003074519', ...wrongDigit },
    { given: '990101199002304518', ...invalid },
    { given: '990101900307451', ...invalid },
    { given: 'E12345678', ...invalid },
    { given: { number: 1 }, ...invalid },
    { given: '990101199003074519', with: 1, ...wrongDigit },
    { given: 'E1', with: 1, ...invalidDocument },
  ],
  cells: [
    { cell: '990101199003074518 ', canonical: '990101199003074518' },
    { cell: '', canonical: null },
  ],
}
