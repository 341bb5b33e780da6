import type { Dictionary, WidgetExamples } from '../../model/model.ts'

const invalid = { code: 'choice', message: { cn: '请选择正确的{label}', en: 'Please select a valid {label}' } }

export const serviceType: Dictionary = {
  name: 'serviceType',
  label: { cn: '服务类型', en: 'Service type' },
  mayGrow: false,
  choices: [
    { value: 'dispatch', label: { cn: '劳务派遣', en: 'Labour dispatch' }, tag: 'primary' },
    { value: 'payrollAgency', label: { cn: '薪酬代发', en: 'Payroll agency' }, tag: 'success' },
    { value: 'recruitment', label: { cn: '招聘服务', en: 'Recruitment' } },
    { value: 'training', label: { cn: '培训（已停办）', en: 'Training (discontinued)' }, tag: 'info', disabled: true },
  ],
}

export const examples: WidgetExamples = {
  options: [{ choices: 'serviceType' }],
  dictionaries: { serviceType },
  good: [
    { given: 'dispatch', canonical: 'dispatch', text: { cn: '劳务派遣', en: 'Labour dispatch' } },
    { given: ' recruitment ', canonical: 'recruitment', text: { cn: '招聘服务', en: 'Recruitment' } },
    { given: 'training', canonical: 'training', text: { cn: '培训（已停办）', en: 'Training (discontinued)' } },
  ],
  bad: [
    { given: 'catering', ...invalid },
    { given: '劳务派遣', ...invalid },
    { given: 1, ...invalid },
    { given: ['dispatch'], ...invalid },
  ],
  cells: [
    { cell: '劳务派遣', canonical: 'dispatch' },
    { cell: 'payroll AGENCY', canonical: 'payrollAgency' },
    { cell: 'recruitment', canonical: 'recruitment' },
    { cell: '培训(已停办)', canonical: 'training' },
    { cell: '', canonical: null },
  ],
}
