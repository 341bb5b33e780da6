import type { WidgetExamples } from '../../model/model.ts'

export const examples: WidgetExamples = {
  options: [{}, { min: '0.01', max: 50 }, { min: -100 }, { min: -1000, max: 1000 }],
  good: [
    { given: '6', canonical: '6.0000', text: { cn: '6%', en: '6%' } },
    { given: '0.05%', canonical: '0.0500', text: { cn: '0.05%', en: '0.05%' } },
    { given: ' ８.２５％ ', canonical: '8.2500', text: { cn: '8.25%', en: '8.25%' } },
    { given: 100, canonical: '100.0000', text: { cn: '100%', en: '100%' } },
  ],
  bad: [
    { given: '百分之六', code: 'number', message: { cn: '请输入数字', en: 'Please enter a number' } },
    { given: '1.23456', code: 'scale', message: { cn: '最多四位小数', en: 'At most 4 decimals' } },
    {
      given: '1000',
      code: 'precision',
      message: { cn: '整数部分最多3位', en: 'At most 3 digits before the decimal point' },
    },
    {
      given: '100.1',
      code: 'range',
      message: { cn: '{label}必须在0至100之间', en: '{label} must be between 0 and 100' },
    },
    {
      given: '0',
      with: 1,
      code: 'range',
      message: { cn: '{label}必须在0.01至50之间', en: '{label} must be between 0.01 and 50' },
    },
    {
      given: '-100.5',
      with: 2,
      code: 'range',
      message: { cn: '{label}必须在-100至100之间', en: '{label} must be between -100 and 100' },
    },
    {
      given: '1000.5',
      with: 3,
      code: 'range',
      message: { cn: '{label}必须在-1000至1000之间', en: '{label} must be between -1000 and 1000' },
    },
  ],
  cells: [
    { cell: '6%', canonical: '6.0000' },
    { cell: 6, canonical: '6.0000' },
    { cell: '６％', canonical: '6.0000' },
    { cell: '', canonical: null },
  ],
}
