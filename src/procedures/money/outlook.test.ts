import { expect, test } from 'vitest'
import { Decimal } from '../../../engine/expression/index.ts'
import { changeText } from './outlook.ts'

test.each([
  ['100', '130', '￥100.00 → ￥130.00（+￥30.00）', '￥100.00 → ￥130.00 (+￥30.00)'],
  ['100', '70', '￥100.00 → ￥70.00（-￥30.00）', '￥100.00 → ￥70.00 (-￥30.00)'],
  ['100', '100', '￥100.00（不变）', '￥100.00 (unchanged)'],
])('from %s to %s a preview says %s', (before, after, cn, en) => {
  expect(changeText(new Decimal(before), new Decimal(after))).toEqual({ cn, en })
})
