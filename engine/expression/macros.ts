import type { Label } from '../model/model.ts'
import type { Operand } from './operand.ts'

type Body = (item: Operand) => Operand
interface Macro {
  signature: string
  about: Label
  collect(list: Operand[], body: Body): Operand
}

/**
 * Over the items of a list, each bound to a name: `rows.exists(row, row.amount > 100)`. A missing list has no items.
 */
export const macros: Record<string, Macro> = {
  all: {
    signature: 'list.all(item, condition): boolean',
    about: { cn: '每一项都满足', en: 'Every item meets the condition' },
    collect: (list, body) => decide(list, body, false),
  },
  exists: {
    signature: 'list.exists(item, condition): boolean',
    about: { cn: '至少一项满足', en: 'At least one item meets the condition' },
    collect: (list, body) => decide(list, body, true),
  },
  exists_one: {
    signature: 'list.exists_one(item, condition): boolean',
    about: { cn: '恰好一项满足', en: 'Exactly one item meets the condition' },
    collect(list, body) {
      const answers = list.map(body)
      return answers.includes(null) ? null : answers.filter((answer) => answer === true).length === 1
    },
  },
  filter: {
    signature: 'list.filter(item, condition): list',
    about: { cn: '满足条件的项', en: 'The items that meet the condition' },
    collect: (list, body) => list.filter((item) => body(item) === true),
  },
  map: {
    signature: 'list.map(item, value): list',
    about: { cn: '由每一项算出的值', en: 'A value made of every item' },
    collect: (list, body) => list.map(body),
  },
}

/** Like `||` and `&&` over all items. */
function decide(list: Operand[], body: Body, decisive: boolean): boolean | null {
  let answer: boolean | null = !decisive
  for (const item of list) {
    const value = body(item)
    if (value === decisive) return decisive
    if (value === null) answer = null
  }
  return answer
}
