import type { Label } from '../../../../engine/model/model.ts'
import type { ProcedureWork } from '../../../../engine/server/procedure.ts'
import { decimal } from '../../money/amounts.ts'
import type { Line, LineName } from '../handling/family.ts'
import type { SummaryKey } from './summaries.ts'

/** A line of the bureau, and where it belongs. */
interface PlacedLine {
  line: Line
  /** The person with its number. */
  person: number | undefined
  /** Whether no employment of theirs had begun in its month. */
  isTooEarly: boolean
  key: SummaryKey
}

/** Whether it was of an unknown person, so that it has not been compared with the charges of the person. */
const wasUnknown = ({ line, person }: PlacedLine): boolean => line.summary !== null && person !== undefined

/**
 * Lines of people who were unknown at their import.
 * @throws Refusal notAllowed if the person was not employed yet, or another line charges for the same.
 */
export async function refuseMisplacedLines(
  work: ProcedureWork,
  entity: LineName,
  placed: readonly PlacedLine[],
): Promise<void> {
  const moved = placed.filter(wasUnknown)
  if (moved.length === 0) return
  const early = moved.find(({ isTooEarly }) => isTooEarly)?.line
  if (early)
    work.refuseCall({
      cn: `${early.personName}在${early.belongMonth}尚未入职，费用无客户承担：请更正入职日期，或作废该费用`,
      en: `${early.personName} was not employed yet in ${early.belongMonth}, so there is no customer to charge: correct the hire date, or void the line`,
    })
  const ids = new Set(moved.map(({ line }) => line.id))
  const there = await work.read(entity, {
    where: {
      person: moved.flatMap(({ person }) => person ?? []),
      belongMonth: moved.map(({ line }) => line.belongMonth),
      stage: { not: 'void' },
    },
    fields: ['person', 'account', 'belongMonth', 'expenseType', 'total'],
  })
  const charged = new Set(
    there.filter(({ id, total }) => !ids.has(id) && !decimal(total).isZero()).map((line) => keyOf(line, line.person)),
  )
  for (const { line, person } of moved) {
    const key = keyOf(line, person)
    if (charged.has(key))
      work.refuseCall({
        cn: `${line.personName}${line.belongMonth}的费用已有另一条明细，不能重复收取：请作废该费用`,
        en: `Another line already charges for ${line.personName} in ${line.belongMonth}: void this line`,
      })
    charged.add(key)
  }
}

const keyOf = (
  { account, belongMonth, expenseType }: Pick<Line, 'account' | 'belongMonth' | 'expenseType'>,
  person: number | null | undefined,
): string => `${person} ${account} ${belongMonth} ${expenseType}`

/** @throws Refusal notAllowed, with what to do: nothing is imported if the line is in a summary already. */
export async function refuseLockedLine(
  work: ProcedureWork,
  { line, key: { feeMonth, customer } }: PlacedLine,
): Promise<never> {
  if (line.summary === null || customer === null)
    return work.refuseCall({ cn: `${feeMonth}已锁定，不能导入`, en: `The expenses of ${feeMonth} are locked` })
  const isSeen = (await work.visibleAmong('customer', [customer])).has(customer)
  const { name } = (await work.one('customer', customer))!
  const whose: Label = isSeen
    ? { cn: name, en: name }
    : { cn: '您无权查看的客户', en: 'a customer that you may not view' }
  return work.refuseCall({
    cn: `${line.personName}的费用属于${whose.cn}的${feeMonth}汇总，该汇总已确认：请先取消其确认，或作废该费用`,
    en: `The line of ${line.personName} belongs to the confirmed expenses of ${whose.en} for ${feeMonth}: undo their confirmation, or void the line`,
  })
}
