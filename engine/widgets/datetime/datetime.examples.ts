import type { WidgetExamples } from '../../model/model.ts'

const invalid = {
  code: 'date',
  message: {
    cn: '不是有效时间，请按2026-03-05 08:30:00的格式填写',
    en: 'Not a valid time: write it as 2026-03-05 08:30:00',
  },
}
const text = { cn: '2026-03-01 08:30:00', en: '2026-03-01 08:30:00' }

export const examples: WidgetExamples = {
  options: [{}, { min: '2026-01-01 08:00:00', max: '2026-12-31' }, { max: 'today' }],
  good: [
    { given: '2026-03-01 08:30:00', canonical: '2026-03-01 08:30:00', text },
    { given: '2026/3/1 8:30', canonical: '2026-03-01 08:30:00', text },
    { given: '2026-03-01T08:30:00', canonical: '2026-03-01 08:30:00', text },
    {
      given: '2026-03-01',
      canonical: '2026-03-01 00:00:00',
      text: { cn: '2026-03-01 00:00:00', en: '2026-03-01 00:00:00' },
    },
  ],
  bad: [
    { given: '2026-03-01 24:00:00', ...invalid },
    { given: '2026-02-30 08:30:00', ...invalid },
    { given: '08:30', ...invalid },
    {
      given: '2026-01-01 07:59:59',
      with: 1,
      code: 'min',
      message: { cn: '{label}不能早于2026-01-01 08:00:00', en: '{label} cannot be earlier than 2026-01-01 08:00:00' },
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
  ],
  cells: [
    { cell: '2026-03-01 08:30:00', canonical: '2026-03-01 08:30:00' },
    { cell: '2026/3/1 8:30', canonical: '2026-03-01 08:30:00' },
    { cell: new Date('2026-03-01T08:30:00Z'), canonical: '2026-03-01 08:30:00' },
    { cell: 46082.354166666664, canonical: '2026-03-01 08:30:00' },
    { cell: '', canonical: null },
  ],
}
