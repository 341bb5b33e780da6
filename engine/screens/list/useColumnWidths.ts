import { useMemo } from 'react'
import type { Actions } from '../../client/actions/useActions.tsx'
import { rowOffer } from '../../client/actions/rowOffer.ts'
import type { Holds } from '../../client/conditions.ts'
import { fieldText } from '../../client/fieldText.ts'
import { useEngine } from '../../client/view.ts'
import { useWords } from '../../client/words.ts'
import type { ActionPlan, EntityPlan, RecordData, Widget } from '../../model/model.ts'
import type { ArrangedColumn } from './columnChoices.ts'
import type { ListPlan } from './list.ts'
import { numberWidth, widthOf } from './textWidth.ts'

/** So many rows are looked at for what they need. */
const measuredRows = 100
/** Between two actions. */
const gap = 12

interface Measured {
  entity: EntityPlan
  plan: ListPlan
  arranged: ArrangedColumn[]
  /** A row has room for one action or the menu. */
  tight: boolean
  actions: Actions
  rowActions: ActionPlan[]
  /** What a click on a cell of the row does anyway. */
  opens(plan: ActionPlan): boolean
  holds: Holds
  records: RecordData[] | undefined
  /** Field → what stands under its column. */
  sums: Record<string, string> | undefined
}

/** The room that actions, marks, numbers and codes need, in pixels. */
export function useColumnWidths({
  entity,
  plan,
  arranged,
  tight,
  actions,
  rowActions,
  opens,
  holds,
  records,
  sums,
}: Measured) {
  const engine = useEngine()
  const words = useWords()
  const forActions = useMemo(
    () =>
      widthOfActions(records ?? [], (record) => {
        const shown = rowActions.filter((one) => actions.shown(one, [record]))
        const { seen, more } = rowOffer(shown, { granted: actions.granted, opens, tight })
        return [...seen.map(({ label }) => engine.text(label)), ...(more.length > 0 ? [words('more')] : [])]
      }),
    [rowActions, actions, opens, tight, records, engine, words],
  )
  const forMarks = useMemo(
    () =>
      widthOfMarks(records ?? [], (record) =>
        plan.marks.flatMap(({ when, label }) => (holds(when, record) ? [engine.text(label)] : [])),
      ),
    [plan, holds, records, engine],
  )
  const whole = useMemo(
    () => arranged.flatMap(({ field }) => (isWhole(engine.widgets[entity.fields[field].type]) ? [field] : [])),
    [arranged, engine, entity],
  )
  // As text, so that the columns stay the same as long as nothing needs more room.
  const needed = useMemo(
    () =>
      JSON.stringify(
        neededWidths(whole, records ?? [], (field, record) =>
          record ? fieldText(record[field], entity.fields[field], engine) : (sums?.[field] ?? ''),
        ),
      ),
    [whole, entity, engine, records, sums],
  )
  return {
    forActions,
    forMarks,
    /** Field → what its values and their sum need. The same object as long as none needs more. */
    forValues: useMemo(() => JSON.parse(needed) as Record<string, number>, [needed]),
  }
}

/** As wide as what the widest of the first hundred rows offers. */
const widthOfActions = (records: RecordData[], offered: (record: RecordData) => string[]): number =>
  records.slice(0, measuredRows).reduce(
    (widest, record) =>
      Math.max(
        widest,
        offered(record).reduce((sum, label) => sum + widthOf(label) + gap, 24 - gap),
      ),
    72,
  )

/** None where no row has a mark. */
const widthOfMarks = (records: RecordData[], marks: (record: RecordData) => string[]): number =>
  records.slice(0, measuredRows).reduce((widest, record) => {
    const found = marks(record)
    const width = found.reduce((sum, label) => sum + Math.ceil(widthOf(label) * 0.86) + 16, 16)
    return found.length === 0 ? widest : Math.max(widest, width)
  }, 0)

/** Numbers and codes are seen whole, unless the user has made their column narrower. */
const isWhole = (widget: Widget | undefined) => widget?.align === 'right' || widget?.series !== undefined

/** What the values of each field, and their sum, need. */
const neededWidths = (
  fields: string[],
  records: RecordData[],
  text: (field: string, record?: RecordData) => string,
): Record<string, number> =>
  Object.fromEntries(
    fields.map((field) => [
      field,
      records
        .slice(0, measuredRows)
        .reduce((most, record) => Math.max(most, numberWidth(text(field, record))), numberWidth(text(field))),
    ]),
  )
