import type { WidgetExamples } from '../../model/model.ts'

const notice = '<h2>放假通知</h2><p>国庆节放假<strong>七天</strong>。</p><ul><li>A &amp; B</li></ul>'

export const examples: WidgetExamples = {
  options: [{}, { max: 10 }],
  good: [
    {
      given: notice,
      canonical: notice,
      text: { cn: '放假通知 国庆节放假七天。 A & B', en: '放假通知 国庆节放假七天。 A & B' },
    },
    { given: ' <p>好</p> ', canonical: '<p>好</p>', text: { cn: '好', en: '好' } },
  ],
  bad: [
    { given: 7, code: 'format', message: { cn: '{label}格式不正确', en: '{label} has an invalid format' } },
    {
      given: '<p>一二三四五</p>',
      with: 1,
      code: 'length',
      message: { cn: '长度不能超过10个字符', en: 'At most 10 characters' },
    },
  ],
}
