import type { WidgetView } from '../../client/view.ts'
import { filterNumber, typedNumber } from '../decimal/decimal.ts'
import { numberFilter } from '../decimal/decimal.view.tsx'
import { textEdit } from '../text/text.view.tsx'
import { percent } from './percent.ts'
import type { PercentOptions } from './percent.ts'

export const percentView: WidgetView = {
  Edit: textEdit<PercentOptions>(percent, {
    inputMode: 'decimal',
    suffix: '%',
    filter: (typed, { min }) => filterNumber(typed, { scale: 4, negative: Number(min) < 0 }),
    shown: (value) => typedNumber(value, 4),
  }),
  Filter: numberFilter(4),
}
