import type { WidgetExamples } from '../../model/model.ts'

const same = (given: string) => ({ given, canonical: given, text: { cn: given, en: given } })
const message = { cn: '统一社会信用代码不正确', en: 'Invalid unified social credit code' }

export const examples: WidgetExamples = {
  options: [{}],
  good: [
    same('91990101MADE1A2B93'),
    same('91990102MADE3C4D4D'),
    same('92990103MADE5E6FXH'),
    {
      given: ' 12 990104 made7g8h5 9',
      canonical: '12990104MADE7G8H59',
      text: { cn: '12990104MADE7G8H59', en: '12990104MADE7G8H59' },
    },
  ],
  bad: [
    { given: '91990101MADE1A2B94', code: 'checkDigit', message },
    { given: '91990101MADE1A2B9', code: 'format', message },
    { given: '91990101MADE1A2BI3', code: 'format', message },
    { given: ['91990101MADE1A2B93'], code: 'format', message },
  ],
  cells: [
    { cell: '９１990101made1a2b93', canonical: '91990101MADE1A2B93' },
    { cell: '', canonical: null },
  ],
}
