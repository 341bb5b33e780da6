import type { WidgetExamples } from '../../model/model.ts'

export const examples: WidgetExamples = {
  options: [{}, { negative: true }, { min: '0.01' }, { min: 0, max: 10000 }],
  good: [
    { given: '1234.5', canonical: '1234.50', text: { cn: '￥1,234.50', en: '￥1,234.50' } },
    { given: ' ￥1,234,567.80 ', canonical: '1234567.80', text: { cn: '￥1,234,567.80', en: '￥1,234,567.80' } },
    { given: 0, canonical: '0.00', text: { cn: '￥0.00', en: '￥0.00' } },
    { given: '88元', canonical: '88.00', text: { cn: '￥88.00', en: '￥88.00' } },
    {
      given: '99999999999999.99',
      canonical: '99999999999999.99',
      text: { cn: '￥99,999,999,999,999.99', en: '￥99,999,999,999,999.99' },
    },
  ],
  bad: [
    { given: '1.234', code: 'scale', message: { cn: '最多两位小数', en: 'At most 2 decimals' } },
    { given: '一百', code: 'number', message: { cn: '请输入数字', en: 'Please enter a number' } },
    { given: '-￥5', code: 'range', message: { cn: '{label}不能小于0', en: '{label} must be at least 0' } },
    { given: '0', with: 2, code: 'range', message: { cn: '{label}不能小于0.01', en: '{label} must be at least 0.01' } },
    {
      given: '10000.01',
      with: 3,
      code: 'range',
      message: { cn: '{label}必须在0至10000之间', en: '{label} must be between 0 and 10000' },
    },
  ],
  cells: [
    { cell: 1234.5, canonical: '1234.50' },
    { cell: '￥１,２３４.５', canonical: '1234.50' },
    { cell: 33.299999999999997, canonical: '33.30' },
    { cell: null, canonical: null },
  ],
}
