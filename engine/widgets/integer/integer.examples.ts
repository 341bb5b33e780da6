import type { WidgetExamples } from '../../model/model.ts'

export const examples: WidgetExamples = {
  options: [{}, { min: 1, max: 28 }, { min: 0 }, { max: 31 }],
  good: [
    { given: '15', canonical: 15, text: { cn: '15', en: '15' } },
    { given: ' 007 ', canonical: 7, text: { cn: '7', en: '7' } },
    { given: '-3', canonical: -3, text: { cn: '-3', en: '-3' } },
    { given: '-0', canonical: 0, text: { cn: '0', en: '0' } },
    { given: '12.0', canonical: 12, text: { cn: '12', en: '12' } },
    { given: '2,147,483,647', canonical: 2147483647, text: { cn: '2147483647', en: '2147483647' } },
  ],
  bad: [
    { given: '1.5', code: 'integer', message: { cn: '请输入整数', en: 'Please enter a whole number' } },
    { given: '十', code: 'integer', message: { cn: '请输入整数', en: 'Please enter a whole number' } },
    { given: false, code: 'integer', message: { cn: '请输入整数', en: 'Please enter a whole number' } },
    {
      given: 29,
      with: 1,
      code: 'range',
      message: { cn: '{label}必须在1至28之间', en: '{label} must be between 1 and 28' },
    },
    { given: -1, with: 2, code: 'range', message: { cn: '{label}不能小于0', en: '{label} must be at least 0' } },
    { given: 32, with: 3, code: 'range', message: { cn: '{label}不能大于31', en: '{label} must be at most 31' } },
    {
      given: '12345678901234567890',
      code: 'range',
      message: {
        cn: '{label}必须在-2147483648至2147483647之间',
        en: '{label} must be between -2147483648 and 2147483647',
      },
    },
  ],
  cells: [
    { cell: 12, canonical: 12 },
    { cell: '１２', canonical: 12 },
    { cell: 12.000000000000002, canonical: 12 },
    { cell: '', canonical: null },
  ],
}
