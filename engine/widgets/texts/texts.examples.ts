import type { WidgetExamples } from '../../model/model.ts'

export const examples: WidgetExamples = {
  options: [{}, { maxItems: 2, maxLength: 4 }],
  good: [
    {
      given: ['启澜物流', ' 云屿商贸 ', '启澜物流', ''],
      canonical: ['启澜物流', '云屿商贸'],
      text: { cn: '启澜物流、云屿商贸', en: '启澜物流, 云屿商贸' },
    },
    { given: 'one;two', canonical: ['one', 'two'], text: { cn: 'one、two', en: 'one, two' } },
  ],
  bad: [
    { given: ['a', 'b', 'c'], with: 1, code: 'maxItems', message: { cn: '最多2项', en: 'At most 2 items' } },
    {
      given: ['abcde'],
      with: 1,
      code: 'maxLength',
      message: { cn: '“abcde…”长度不能超过4个字符', en: '"abcde…": at most 4 characters' },
    },
    { given: [{ a: 1 }], code: 'format', message: { cn: '{label}格式不正确', en: '{label} has an invalid format' } },
    { given: true, code: 'format', message: { cn: '{label}格式不正确', en: '{label} has an invalid format' } },
  ],
  cells: [
    { cell: '启澜物流；云屿商贸\n若谷', canonical: ['启澜物流', '云屿商贸', '若谷'] },
    { cell: 12, canonical: ['12'] },
    { cell: '', canonical: null },
  ],
}
