import type { WidgetView } from '../../client/view.ts'
import { filterNumber, groupThousands } from '../decimal/decimal.ts'
import { numberFilter } from '../decimal/decimal.view.tsx'
import { textEdit } from '../text/text.view.tsx'
import { decimalsOf, signOf } from './currencies.ts'
import { money } from './money.ts'
import type { MoneyOptions } from './money.ts'

export const moneyView: WidgetView = {
  Edit: textEdit<MoneyOptions>(money, {
    inputMode: 'decimal',
    prefix: ({ currency }) => signOf(currency).trim(),
    // An amount of seven digits is never cut, however many columns a table has.
    style: { textAlign: 'right', minWidth: 136 },
    shown: (value) => groupThousands(String(value)),
    filter: (typed, { negative, min, currency }) =>
      filterNumber(typed, { scale: decimalsOf(currency), negative: negative || Number(min) < 0 }),
  }),
  Filter: numberFilter(2),
}
