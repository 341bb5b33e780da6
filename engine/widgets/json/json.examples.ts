import type { WidgetExamples } from '../../model/model.ts'

const invalid = {
  code: 'json',
  message: { cn: '请输入正确的JSON对象或数组', en: 'Please enter a JSON object or array' },
}

export const examples: WidgetExamples = {
  options: [{}, { maxLength: 10 }, { of: 'changes' }],
  good: [
    {
      given: { 客户名称: '若谷', headcount: 12 },
      canonical: { 客户名称: '若谷', headcount: 12 },
      text: { cn: '{"客户名称":"若谷","headcount":12}', en: '{"客户名称":"若谷","headcount":12}' },
    },
    { given: ' [1, "two", null] ', canonical: [1, 'two', null], text: { cn: '[1,"two",null]', en: '[1,"two",null]' } },
    { given: '{}', canonical: {}, text: { cn: '{}', en: '{}' } },
  ],
  bad: [
    { given: '{"a":', ...invalid },
    { given: '12', ...invalid },
    { given: true, ...invalid },
    { given: { a: 'x\u0000y' }, ...invalid },
    {
      given: { a: 'longer' },
      with: 1,
      code: 'maxLength',
      message: { cn: '内容不能超过10个字符', en: 'At most 10 characters' },
    },
  ],
  cells: [
    { cell: '{"a":1}', canonical: { a: 1 } },
    { cell: '[]', canonical: null },
    { cell: '', canonical: null },
  ],
}
