import { merged, optional, record, shape, string } from '../../model/shape.ts'
import type { ObjectShape } from '../../model/shape.ts'
import { warningMeanings } from '../warnings/meanings.ts'
import { reasonsKey } from '../warnings/reasons.ts'

/** The key of every file except templates, which make other files. */
const reasons = shape({
  [reasonsKey]: optional(
    shape(
      Object.fromEntries(
        Object.entries(warningMeanings).map(([code, about]) => [
          code,
          optional(record(string({ minLength: 1 }), { about })),
        ]),
      ),
      {
        about: {
          cn: '哪些警告是有意的：警告 → 位置 → 原因',
          en: 'Intended warnings: warning → place, such as "states.transitions.pay" → reason',
        },
      },
    ),
  ),
})

/** The shape of a file that may say why its warnings are intended. */
export const withReasons = (shape: ObjectShape): ObjectShape => merged(shape, reasons)
