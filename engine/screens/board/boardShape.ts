import {
  condition,
  either,
  filter,
  integer,
  label,
  list,
  numberFormula,
  oneOf,
  optional,
  shape,
  string,
} from '../../model/model.ts'
import type { Static } from '../../model/model.ts'
import { blockShape } from './block.ts'
import { ownRoles } from './ownRoles.ts'

const day = either<number | string>([integer({ minimum: 1, maximum: 31 }), numberFormula()], {
  about: {
    cn: '几号，或得出几号的表达式（settings.…）；短于此日的月份为月末',
    en: 'A day of the month, or an expression that yields one (settings.…); in a shorter month, its last day',
  },
})

export const boardShape = shape({
  welcome: optional(label()),
  /** How many records of a list wait under a filter; the card links to the list with that filter. */
  cards: list(
    shape({
      name: string(),
      label: label(),
      screen: string({ names: 'screen', scope: true }),
      filter: filter({ default: {} }),
      tag: optional(oneOf(['info', 'primary', 'success', 'warning', 'danger'])),
      roles: ownRoles(),
      since: optional(
        string({
          about: {
            cn: '开始等待的时间字段，显示最早一条',
            en: 'Since when a record has been waiting; the oldest date is shown',
          },
        }),
      ),
      due: optional(string({ about: { cn: '截止日期字段，显示最近一条', en: 'The due date; the nearest is shown' } })),
    }),
    { distinct: ['name'], default: [] },
  ),
  /** Pages of their own menu that users put on their board. */
  links: optional(
    shape({
      label: label(),
      max: integer({ default: 8, minimum: 1, maximum: 30 }),
      /** The default pages, if they are in the user's menu. */
      screens: list(string({ names: 'screen' }), { distinct: true, default: [] }),
    }),
  ),
  /** The steps due on certain days of each month. */
  calendar: optional(
    shape({
      label: label(),
      steps: list(
        shape({
          name: string(),
          label: label(),
          from: { ...day, atMost: 'to' },
          to: day,
          /** Done when no record of these lists waits any more. If there are several, each has its own name. */
          lists: list(
            shape({
              label: optional(label()),
              screen: string({ names: 'screen', scope: true }),
              filter: filter({ default: {} }),
            }),
            { default: [] },
          ),
          /** Without lists: the condition that it is done, and the page to do it on. */
          doneWhen: optional(condition({ about: { cn: '只读取设置与日期', en: 'May read only settings and dates' } })),
          page: optional(string({ names: 'screen' })),
        }),
        { distinct: ['name'], minItems: 1 },
      ),
    }),
  ),
  blocks: list(blockShape, { distinct: ['name'], default: [] }),
})
export type BoardFile = Static<typeof boardShape>
