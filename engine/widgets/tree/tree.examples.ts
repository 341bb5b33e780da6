import type { WidgetExamples } from '../../model/model.ts'

const invalid = { code: 'choice', message: { cn: '请选择正确的{label}', en: 'Please select a valid {label}' } }
const district = { id: 320506, code: '320506', name: '吴中区', path: ['江苏省', '苏州市', '吴中区'] }

export const examples: WidgetExamples = {
  options: [{ entity: 'region' }],
  good: [
    { given: district, canonical: district, text: { cn: '江苏省 / 苏州市 / 吴中区', en: '江苏省 / 苏州市 / 吴中区' } },
    {
      given: { id: 5, code: null, name: '重点客户' },
      canonical: { id: 5, code: null, name: '重点客户' },
      text: { cn: '重点客户', en: '重点客户' },
    },
    { given: '320506', canonical: { id: 320506 }, text: { cn: '#320506', en: '#320506' } },
  ],
  bad: [
    { given: '吴中区', ...invalid },
    { given: { path: ['江苏省'] }, ...invalid },
    { given: [5], ...invalid },
  ],
  cells: [
    { cell: '江苏省/苏州市/吴中区', canonical: '江苏省 / 苏州市 / 吴中区' },
    { cell: '', canonical: null },
  ],
}
