import type { WidgetExamples } from '../../model/model.ts'

const invalid = {
  code: 'date',
  message: { cn: '不是有效月份，请按2026-03的格式填写', en: 'Not a valid month: write it as 2026-03' },
}

export const examples: WidgetExamples = {
  options: [{}, { min: '2026-01', max: '2026-12' }, { max: 'today' }],
  good: [
    { given: '2026-03', canonical: '2026-03', text: { cn: '2026-03', en: '2026-03' } },
    { given: '2026/3', canonical: '2026-03', text: { cn: '2026-03', en: '2026-03' } },
  ],
  bad: [
    { given: '2026-13', ...invalid },
    { given: '2026-03-01', ...invalid },
    { given: 202603, ...invalid },
    { given: '三月', ...invalid },
    {
      given: '2025-12',
      with: 1,
      code: 'min',
      message: { cn: '{label}不能早于2026-01', en: '{label} cannot be earlier than 2026-01' },
    },
    {
      given: '2027-01',
      with: 1,
      code: 'max',
      message: { cn: '{label}不能晚于2026-12', en: '{label} cannot be later than 2026-12' },
    },
    {
      given: '9999-12',
      with: 2,
      code: 'max',
      message: { cn: '{label}不能晚于本月', en: '{label} cannot be later than the current month' },
    },
  ],
  cells: [
    { cell: '2026-03', canonical: '2026-03' },
    { cell: '2026年3月', canonical: '2026-03' },
    { cell: 202603, canonical: '2026-03' },
    { cell: 46082, canonical: '2026-03' },
    { cell: new Date('2026-03-01T00:00:00Z'), canonical: '2026-03' },
    { cell: '', canonical: null },
  ],
}
