import type { WidgetExamples } from '../../model/model.ts'

export const examples: WidgetExamples = {
  options: [
    {},
    { precision: 12, scale: 3 },
    { negative: true },
    { min: '0.01', max: 50 },
    { scale: 0 },
    { min: 10 },
    { negative: true, max: '99.5' },
    { scale: 4, precision: 7 },
  ],
  good: [
    { given: '1234.5', canonical: '1234.50', text: { cn: '1,234.5', en: '1,234.5' } },
    { given: 0.1, canonical: '0.10', text: { cn: '0.1', en: '0.1' } },
    { given: '００7', canonical: '7.00', text: { cn: '7', en: '7' } },
    { given: '-0', canonical: '0.00', text: { cn: '0', en: '0' } },
    { given: '1,234,567.89', canonical: '1234567.89', text: { cn: '1,234,567.89', en: '1,234,567.89' } },
    {
      given: '99999999999999.99',
      canonical: '99999999999999.99',
      text: { cn: '99,999,999,999,999.99', en: '99,999,999,999,999.99' },
    },
  ],
  bad: [
    { given: 'abc', code: 'number', message: { cn: '请输入数字', en: 'Please enter a number' } },
    { given: '0x10', code: 'number', message: { cn: '请输入数字', en: 'Please enter a number' } },
    { given: '1e5', code: 'number', message: { cn: '请输入数字', en: 'Please enter a number' } },
    { given: true, code: 'number', message: { cn: '请输入数字', en: 'Please enter a number' } },
    { given: '1.005', code: 'scale', message: { cn: '最多两位小数', en: 'At most 2 decimals' } },
    { given: '1.0005', with: 1, code: 'scale', message: { cn: '最多三位小数', en: 'At most 3 decimals' } },
    { given: '1.5', with: 4, code: 'scale', message: { cn: '请输入整数', en: 'Please enter a whole number' } },
    {
      given: '1234567890',
      with: 1,
      code: 'precision',
      message: { cn: '整数部分最多9位', en: 'At most 9 digits before the decimal point' },
    },
    {
      given: 1e300,
      code: 'precision',
      message: { cn: '整数部分最多14位', en: 'At most 14 digits before the decimal point' },
    },
    { given: '-1', code: 'range', message: { cn: '{label}不能小于0', en: '{label} must be at least 0' } },
    {
      given: '50.01',
      with: 3,
      code: 'range',
      message: { cn: '{label}必须在0.01至50之间', en: '{label} must be between 0.01 and 50' },
    },
    { given: '9.99', with: 5, code: 'range', message: { cn: '{label}不能小于10', en: '{label} must be at least 10' } },
    {
      given: '99.51',
      with: 6,
      code: 'range',
      message: { cn: '{label}不能大于99.5', en: '{label} must be at most 99.5' },
    },
  ],
  cells: [
    { cell: 0.1 + 0.2, canonical: '0.30' },
    { cell: '１２．５', canonical: '12.50' },
    { cell: ' 1,234.5 ', canonical: '1234.50' },
    { cell: '', canonical: null },
  ],
}
