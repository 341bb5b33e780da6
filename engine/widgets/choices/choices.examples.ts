import type { WidgetExamples } from '../../model/model.ts'
import { serviceType } from '../choice/choice.examples.ts'

const invalid = { code: 'choice', message: { cn: '请选择正确的{label}', en: 'Please select a valid {label}' } }

export const examples: WidgetExamples = {
  options: [{ choices: 'serviceType' }, { choices: 'serviceType', max: 1 }],
  dictionaries: { serviceType },
  good: [
    {
      given: ['dispatch', 'payrollAgency', 'dispatch'],
      canonical: ['dispatch', 'payrollAgency'],
      text: { cn: '劳务派遣、薪酬代发', en: 'Labour dispatch, Payroll agency' },
    },
    { given: 'recruitment', canonical: ['recruitment'], text: { cn: '招聘服务', en: 'Recruitment' } },
  ],
  bad: [
    { given: ['dispatch', 'catering'], ...invalid },
    { given: [1], ...invalid },
    { given: { dispatch: true }, ...invalid },
    {
      given: ['dispatch', 'recruitment'],
      with: 1,
      code: 'limit',
      message: { cn: '最多选择1项', en: 'Select at most 1' },
    },
  ],
  cells: [
    { cell: '劳务派遣、薪酬代发', canonical: ['dispatch', 'payrollAgency'] },
    { cell: 'Labour dispatch, recruitment', canonical: ['dispatch', 'recruitment'] },
    { cell: '劳务派遣；招聘服务', canonical: ['dispatch', 'recruitment'] },
    { cell: '', canonical: null },
  ],
}
