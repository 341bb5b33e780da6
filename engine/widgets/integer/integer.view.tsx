import type { WidgetView } from '../../client/view.ts'
import { filterNumber } from '../decimal/decimal.ts'
import { numberFilter } from '../decimal/decimal.view.tsx'
import { textEdit } from '../text/text.view.tsx'
import { integer } from './integer.ts'
import type { IntegerOptions } from './integer.ts'

export const integerView: WidgetView = {
  Edit: textEdit<IntegerOptions>(integer, {
    inputMode: 'numeric',
    filter: (typed, { min }) => filterNumber(typed, { scale: 0, negative: min === undefined || min < 0 }),
    typed: integer.normalize,
  }),
  Filter: numberFilter(0),
}
