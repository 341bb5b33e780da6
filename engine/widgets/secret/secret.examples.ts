import type { WidgetExamples } from '../../model/model.ts'

export const examples: WidgetExamples = {
  options: [{}, { multiline: true }, { maxLength: 8 }, { strong: true }],
  good: [
    { given: ' merchant-secret-0001 ', canonical: 'merchant-secret-0001', text: { cn: '******', en: '******' } },
    { given: '******0001', canonical: '******0001', text: { cn: '******0001', en: '******0001' } },
  ],
  bad: [
    {
      given: '123456789',
      with: 2,
      code: 'maxLength',
      message: { cn: '长度不能超过8个字符', en: 'At most 8 characters' },
    },
    {
      given: 'onlyletters',
      with: 3,
      code: 'password',
      message: {
        cn: '{label}须为8至20位，且至少包含字母、数字、符号中的两种',
        en: '{label} must be 8 to 20 characters with at least two of letters, digits and symbols',
      },
    },
    { given: { key: 1 }, code: 'format', message: { cn: '{label}格式不正确', en: '{label} has an invalid format' } },
  ],
}
