import type { WidgetExamples } from '../../model/model.ts'

const same = (address: string) => ({ canonical: address, text: { cn: address, en: address } })
const invalid = { code: 'format', message: { cn: '邮箱格式不正确', en: 'Invalid email' } }

export const examples: WidgetExamples = {
  options: [{}],
  good: [
    { given: ' Li.Wei@Qilan.Example.com ', ...same('li.wei@qilan.example.com') },
    { given: 'a+b@yunyu.example.com', ...same('a+b@yunyu.example.com') },
  ],
  bad: [
    { given: 'qilan.example.com', ...invalid },
    { given: 'a@example', ...invalid },
    { given: 'a@b@example.com', ...invalid },
    { given: '李伟@example.com', ...invalid },
    { given: [1], ...invalid },
    {
      given: `${'a'.repeat(70)}@example.com`,
      code: 'maxLength',
      message: { cn: '长度不能超过80个字符', en: 'At most 80 characters' },
    },
  ],
  cells: [
    { cell: 'ａ@Example.com ', canonical: 'a@example.com' },
    { cell: '', canonical: null },
  ],
}
