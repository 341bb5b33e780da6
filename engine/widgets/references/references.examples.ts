import type { WidgetExamples } from '../../model/model.ts'

const invalid = { code: 'choice', message: { cn: '请选择正确的{label}', en: 'Please select a valid {label}' } }
const roles = [
  { id: 3, code: 'clerk', name: '客服专员' },
  { id: 4, code: 'cashier', name: '出纳' },
]

export const examples: WidgetExamples = {
  options: [{ entity: 'role' }, { entity: 'role', max: 1 }],
  good: [
    { given: roles, canonical: roles, text: { cn: '客服专员、出纳', en: '客服专员, 出纳' } },
    { given: [3, '4', 3], canonical: [{ id: 3 }, { id: 4 }], text: { cn: '#3、#4', en: '#3, #4' } },
    { given: 3, canonical: [{ id: 3 }], text: { cn: '#3', en: '#3' } },
  ],
  bad: [
    { given: ['出纳'], ...invalid },
    { given: [3, -1], ...invalid },
    { given: true, ...invalid },
    { given: [3, 4], with: 1, code: 'limit', message: { cn: '最多选择1项', en: 'Select at most 1' } },
  ],
  cells: [
    { cell: '客服专员、出纳', canonical: ['客服专员', '出纳'] },
    { cell: 'clerk, cashier', canonical: ['clerk', 'cashier'] },
    { cell: '', canonical: null },
  ],
}
