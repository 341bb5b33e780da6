import type { WidgetExamples } from '../../model/model.ts'

const same = (given: string) => ({ given, canonical: given, text: { cn: given, en: given } })

export const examples: WidgetExamples = {
  options: [
    {},
    { maxLength: 30, minLength: 4, pattern: '^[A-Za-z0-9_@.-]+$' },
    { pattern: '^[0-9]{12}$', patternMessage: { cn: '{label}应为12位数字', en: '{label} must be 12 digits' } },
    { noSpaces: true, upperCase: true },
    { stripTwelveDigits: true },
  ],
  good: [
    same('启澜电子科技（演示）有限公司'),
    { given: '  若谷 ', canonical: '若谷', text: { cn: '若谷', en: '若谷' } },
    { given: 'one\ntwo\u0000', canonical: 'one two', text: { cn: 'one two', en: 'one two' } },
    { given: 12, canonical: '12', text: { cn: '12', en: '12' } },
    same('𠮷'.repeat(60)),
  ],
  bad: [
    { given: '字'.repeat(61), code: 'maxLength', message: { cn: '长度不能超过60个字符', en: 'At most 60 characters' } },
    { given: 'abc', with: 1, code: 'minLength', message: { cn: '长度不能少于4个字符', en: 'At least 4 characters' } },
    {
      given: 'ab cd',
      with: 1,
      code: 'pattern',
      message: { cn: '{label}格式不正确', en: '{label} has an invalid format' },
    },
    {
      given: '12345',
      with: 2,
      code: 'pattern',
      message: { cn: '{label}应为12位数字', en: '{label} must be 12 digits' },
    },
    { given: { a: 1 }, code: 'format', message: { cn: '{label}格式不正确', en: '{label} has an invalid format' } },
    { given: true, code: 'format', message: { cn: '{label}格式不正确', en: '{label} has an invalid format' } },
  ],
  cells: [
    { cell: ' ＡＢ１２（演示） ', canonical: 'AB12（演示）' },
    { cell: 990101, canonical: '990101' },
    { cell: new Date('2026-03-01T00:00:00Z'), canonical: '2026-03-01' },
    { cell: '', canonical: null },
  ],
}
