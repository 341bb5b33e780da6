import type { WidgetExamples } from '../../model/model.ts'

const invalid = { code: 'choice', message: { cn: '请选择正确的{label}', en: 'Please select a valid {label}' } }

export const examples: WidgetExamples = {
  options: [{ entity: 'customer' }],
  good: [
    {
      given: { id: 7, code: 'C000007', name: '启澜机械' },
      canonical: { id: 7, code: 'C000007', name: '启澜机械' },
      text: { cn: '启澜机械', en: '启澜机械' },
    },
    { given: 7, canonical: { id: 7 }, text: { cn: '#7', en: '#7' } },
    { given: ' 7 ', canonical: { id: 7 }, text: { cn: '#7', en: '#7' } },
    { given: { id: '7' }, canonical: { id: 7 }, text: { cn: '#7', en: '#7' } },
  ],
  bad: [
    { given: '启澜机械', ...invalid },
    { given: 0, ...invalid },
    { given: 1.5, ...invalid },
    { given: { name: '启澜机械' }, ...invalid },
    { given: [7], ...invalid },
    { given: true, ...invalid },
  ],
  cells: [
    { cell: ' C000007 ', canonical: 'C000007' },
    { cell: '', canonical: null },
  ],
}
