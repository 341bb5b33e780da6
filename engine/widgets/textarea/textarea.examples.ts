import type { WidgetExamples } from '../../model/model.ts'

export const examples: WidgetExamples = {
  options: [{}, { minLength: 5, maxLength: 10, rows: 5 }],
  good: [
    {
      given: ' 资料不全 \r\n请补充营业执照 ',
      canonical: '资料不全 \n请补充营业执照',
      text: { cn: '资料不全 请补充营业执照', en: '资料不全 请补充营业执照' },
    },
    { given: 'one line', canonical: 'one line', text: { cn: 'one line', en: 'one line' } },
  ],
  bad: [
    {
      given: 'x'.repeat(501),
      code: 'maxLength',
      message: { cn: '长度不能超过500个字符', en: 'At most 500 characters' },
    },
    { given: '不全', with: 1, code: 'minLength', message: { cn: '长度不能少于5个字符', en: 'At least 5 characters' } },
    { given: ['a'], code: 'format', message: { cn: '{label}格式不正确', en: '{label} has an invalid format' } },
  ],
  cells: [
    { cell: '第一行\n第二行', canonical: '第一行\n第二行' },
    { cell: '   ', canonical: null },
  ],
}
