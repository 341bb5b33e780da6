import type { WidgetExamples } from '../../model/model.ts'

const invalid = {
  code: 'date',
  message: { cn: '不是有效日期，请按2026-03-05的格式填写', en: 'Not a valid date: write it as 2026-03-05' },
}

export const examples: WidgetExamples = {
  options: [{}, { min: '2026-01-01', max: '2026-12-31' }, { max: 'today' }, { min: 'today' }],
  good: [
    { given: '2026-03-01', canonical: '2026-03-01', text: { cn: '2026-03-01', en: '2026-03-01' } },
    { given: ' 2026/3/1 ', canonical: '2026-03-01', text: { cn: '2026-03-01', en: '2026-03-01' } },
    { given: '2028-02-29', canonical: '2028-02-29', text: { cn: '2028-02-29', en: '2028-02-29' } },
  ],
  bad: [
    { given: '2026-02-29', ...invalid },
    { given: '2026-13-01', ...invalid },
    { given: '2026-03', ...invalid },
    { given: '1026-03-01', ...invalid },
    { given: 20260301, ...invalid },
    { given: '明天', ...invalid },
    {
      given: '2025-12-31',
      with: 1,
      code: 'min',
      message: { cn: '{label}不能早于2026-01-01', en: '{label} cannot be earlier than 2026-01-01' },
    },
    {
      given: '2027-01-01',
      with: 1,
      code: 'max',
      message: { cn: '{label}不能晚于2026-12-31', en: '{label} cannot be later than 2026-12-31' },
    },
    {
      given: '9999-12-31',
      with: 2,
      code: 'max',
      message: { cn: '{label}不能晚于今天', en: '{label} cannot be later than today' },
    },
    {
      given: '1900-01-01',
      with: 3,
      code: 'min',
      message: { cn: '{label}不能早于今天', en: '{label} cannot be earlier than today' },
    },
  ],
  cells: [
    { cell: '2026-03-01', canonical: '2026-03-01' },
    { cell: '2026/3/1', canonical: '2026-03-01' },
    { cell: '２０２６年３月１日', canonical: '2026-03-01' },
    { cell: new Date('2026-03-01T00:00:00Z'), canonical: '2026-03-01' },
    { cell: 46082, canonical: '2026-03-01' },
    { cell: '2026-03-01 00:00:00', canonical: '2026-03-01' },
    { cell: '', canonical: null },
  ],
}
