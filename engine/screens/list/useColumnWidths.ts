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

/** How many rows are measured. */
const measuredRows = 100
/** Pixels between two actions. */
const gap = 12

interface Measured {
  entity: EntityPlan
  plan: ListPlan
  arranged: ArrangedColumn[]
  /** A row only has room for one action or the menu. */
  tight: boolean
  actions: Actions
  rowActions: ActionPlan[]
  /** Whether a click on a cell of the row already runs the action. */
  opens(plan: ActionPlan): boolean
  holds: Holds
  records: RecordData[] | undefined
  /** Field → the sum under its column. */
  sums: Record<string, string> | undefined
}

/** The width in pixels that actions, marks, figures and codes need. */
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
        const shown = rowActions.filter((action) => actions.shown(action, [record]))
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
  // Serialised, so that the columns stay the same object until something needs more room.
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
    /** Field → the width of its values and their sum. The same object until something needs more. */
    forValues: useMemo(() => JSON.parse(needed) as Record<string, number>, [needed]),
  }
}

/** The widest set of actions among the first hundred rows; of one that is cut, an ellipsis would be all to be seen. */
const widthOfActions = (records: RecordData[], offered: (record: RecordData) => string[]): number =>
  records.slice(0, measuredRows).reduce(
    (widest, record) =>
      Math.max(
        widest,
        offered(record).reduce((sum, label) => sum + Math.ceil(widthOf(label)) + gap, 26 - gap),
      ),
    72,
  )

/** None if no row has a mark. */
const widthOfMarks = (records: RecordData[], marks: (record: RecordData) => string[]): number =>
  records.slice(0, measuredRows).reduce((widest, record) => {
    const found = marks(record)
    const width = found.reduce((sum, label) => sum + Math.ceil(widthOf(label) * 0.9) + 18, 20)
    return found.length === 0 ? widest : Math.max(widest, width)
  }, 0)

/** Figures and codes are fully visible, unless the user has narrowed their column. */
const isWhole = (widget: Widget | undefined) => widget?.align === 'right' || widget?.series !== undefined

/** The width that each field's values and their sum need. */
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
