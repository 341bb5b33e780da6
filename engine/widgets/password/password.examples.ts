import type { WidgetExamples } from '../../model/model.ts'

const hidden = { cn: '******', en: '******' }
const weak = {
  code: 'password',
  message: {
    cn: '{label}须为8至20位，且至少包含字母、数字、符号中的两种',
    en: '{label} must be 8 to 20 characters with at least two of letters, digits and symbols',
  },
}
const different = {
  code: 'confirmation',
  message: { cn: '两次输入密码不一致!', en: 'The two passwords do not match!' },
}

export const examples: WidgetExamples = {
  options: [{}],
  good: [
    { given: 'spring-2026', canonical: 'spring-2026', text: hidden },
    { given: ' abcd1234 ', canonical: 'abcd1234', text: hidden },
    { given: { password: 'abcd1234', confirmation: 'abcd1234' }, canonical: 'abcd1234', text: hidden },
  ],
  bad: [
    { given: 'abc123', ...weak },
    { given: 'abcdefgh', ...weak },
    { given: '12345678', ...weak },
    { given: 'a1'.repeat(11), ...weak },
    { given: 'abcd 1234', ...weak },
    { given: '密码密码1234', ...weak },
    { given: ['abcd1234'], ...weak },
    { given: { password: 'abcd1234', confirmation: 'abcd1235' }, ...different },
    { given: { password: 'abcd1234', confirmation: '' }, ...different },
  ],
}
