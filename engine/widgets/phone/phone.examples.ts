import type { WidgetExamples } from '../../model/model.ts'

const same = (given: string) => ({ given, canonical: given, text: { cn: given, en: given } })
const invalid = { code: 'format', message: { cn: '电话格式不正确', en: 'Invalid phone number' } }

export const examples: WidgetExamples = {
  options: [{}, { mobileOnly: true }],
  good: [
    same('16800001234'),
    { given: ' １６８ 0000 1234 ', canonical: '16800001234', text: { cn: '16800001234', en: '16800001234' } },
    { given: '+86 168-0000-1234', canonical: '16800001234', text: { cn: '16800001234', en: '16800001234' } },
    same('000-55501234'),
    { given: '（000）55501234－8', canonical: '00055501234-8', text: { cn: '00055501234-8', en: '00055501234-8' } },
    same('400-555-0123'),
  ],
  bad: [
    { given: '12800001234', ...invalid },
    { given: '1680000123', ...invalid },
    { given: '000-55501234-1234567', ...invalid },
    { given: '电话', ...invalid },
    { given: { mobile: '16800001234' }, ...invalid },
    { given: '000-55501234', with: 1, ...invalid },
  ],
  cells: [
    { cell: 16800001234, canonical: '16800001234' },
    { cell: '１６８００００１２３４', canonical: '16800001234' },
    { cell: '', canonical: null },
  ],
}
