import type { WidgetExamples } from '../../model/model.ts'

const invalid = { code: 'choice', message: { cn: '请选择正确的{label}', en: 'Please select a valid {label}' } }

export const examples: WidgetExamples = {
  options: [{}],
  good: [
    { given: true, canonical: true, text: { cn: '是', en: 'Yes' } },
    { given: false, canonical: false, text: { cn: '否', en: 'No' } },
    { given: 'true', canonical: true, text: { cn: '是', en: 'Yes' } },
  ],
  bad: [
    { given: '也许', ...invalid },
    { given: 1, ...invalid },
  ],
  cells: [
    { cell: '是', canonical: true },
    { cell: ' NO ', canonical: false },
    { cell: true, canonical: true },
    { cell: 0, canonical: false },
    { cell: '', canonical: null },
  ],
}
