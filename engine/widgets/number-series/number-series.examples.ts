import type { WidgetExamples } from '../../model/model.ts'

const same = (given: string) => ({ given, canonical: given, text: { cn: given, en: given } })
const invalid = { code: 'format', message: { cn: '{label}格式不正确', en: '{label} has an invalid format' } }

export const examples: WidgetExamples = {
  options: [
    { format: 'C{seq:6}' },
    { format: 'FW{yyyy}{MM}{seq:4}' },
    { format: 'ZD{yyyyMM}{seq:4}' },
    { format: 'SK{yyyyMMdd}{seq:4}' },
    {
      format: 'LD{yyyy}{MM}{seq:5}',
      formats: { by: 'category', values: { service: 'FW{yyyy}{MM}{seq:4}' } },
      own: '^[A-Z]{2}-[0-9]+$',
    },
  ],
  good: [same('C000123'), same('C1000000')],
  bad: [
    { given: 'C123', ...invalid },
    { given: 'D000123', ...invalid },
    { given: ['C000123'], ...invalid },
    { given: 'FW2026030', with: 1, ...invalid },
    { given: 'ZD2026030000X', with: 2, ...invalid },
    { given: 'SK20260310', with: 3, ...invalid },
    { given: 'FW2026030', with: 4, ...invalid },
    { given: 'A-1', with: 4, ...invalid },
  ],
  cells: [{ cell: ' C000123 ', canonical: 'C000123' }],
}
