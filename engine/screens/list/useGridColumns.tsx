import { useId, useMemo } from 'react'
import { RowActions } from '../../client/actions/RowActions.tsx'
import type { Actions } from '../../client/actions/useActions.tsx'
import type { Holds } from '../../client/conditions.ts'
import { useClient } from '../../client/frame.ts'
import { useCellViews } from '../../client/useViews.ts'
import { useEngine } from '../../client/view.ts'
import { useWords } from '../../client/words.ts'
import type { ActionPlan, EntityPlan, RecordData } from '../../model/model.ts'
import { drawnColumns } from './columnChoices.ts'
import type { ArrangedColumn } from './columnChoices.ts'
import { columnLook } from './columnLook.ts'
import { fieldColumn } from './fieldColumn.tsx'
import type { GridColumn } from './GridRow.tsx'
import type { ListPlan } from './list.ts'
import { useColumnWidths } from './useColumnWidths.ts'
import type { DrawCell } from './useCells.tsx'

/** The name of the marks column, which no field can have. */
export const marksField = '#marks'

interface Given {
  entity: EntityPlan
  plan: ListPlan
  arranged: ArrangedColumn[]
  narrow: boolean
  /** The same object until something about the actions changes. */
  actions: Actions
  holds: Holds
  records: RecordData[] | undefined
  /** Field → the sum under its column. */
  sums: Record<string, string> | undefined
  /** Renders editable cells, once loaded. */
  cells: DrawCell | undefined
}

/** The columns as the grid draws them: the record's fields, then its actions. A new list only when a column changes. */
export function useGridColumns(given: Given): GridColumn[] {
  const { entity, plan, arranged, narrow, actions, cells } = given
  const engine = useEngine()
  const { href } = useClient()
  const id = useId()
  const cellViews = useCellViews(arranged.map(({ field }) => entity.fields[field].type))
  const rowActions = useMemo(() => plan.actions.filter(({ on }) => on === 'row'), [plan])
  const opens = useMemo(() => openedBy(arranged), [arranged])
  // A tree stays a table on a phone, while other lists become cards with more room.
  const tight = narrow && plan.tree !== undefined
  const { forActions, forMarks, forValues } = useColumnWidths({ ...given, rowActions, opens, tight })
  const marks = useMarksColumn(given, forMarks)
  const offer = useActionsColumn(given, { rowActions, opens, id, width: forActions, tight })

  return useMemo(() => {
    const columns = drawnColumns(arranged, narrow)
    const drawn = columns.map((column, index): GridColumn => {
      const { type } = entity.fields[column.field]
      const edge = isEdge(columns, index, rowActions.length > 0)
      return {
        ...fieldColumn({
          column,
          entity,
          engine,
          Cell: cellViews[type],
          needed: forValues[column.field] ?? 0,
          actions,
          openings: rowActions.filter(({ name }) => name === column.action),
          cells,
          href,
        }),
        ...columnLook({ pin: column.pin, index, edge, align: engine.widgets[type]?.align }),
        ...(index === 0 && { cellId: (record: RecordData) => `${id}-${record.id}` }),
      }
    })
    // Beside the cells that identify the row.
    if (marks) drawn.splice(Math.max(1, drawn.filter(({ pin }) => pin === 'left').length), 0, marks)
    if (offer) {
      const edge = offer.pin === 'right' && drawn.at(-1)?.pin !== 'right'
      const { className, style } = columnLook({ pin: offer.pin, index: drawn.length, edge })
      drawn.push({ ...offer, style, className: `grid-actions ${className ?? ''}`.trim() })
    }
    return drawn
  }, [arranged, narrow, entity, engine, cellViews, href, actions, rowActions, forValues, cells, id, marks, offer])
}

/** The marks of a row; no column if no row has any. */
function useMarksColumn({ plan, holds }: Given, width: number): GridColumn | undefined {
  const { text } = useEngine()
  const words = useWords()
  return useMemo(() => {
    if (width === 0) return undefined
    const found = (record: RecordData) => plan.marks.filter(({ when }) => holds(when, record))
    return {
      field: marksField,
      label: words('marks'),
      width,
      sized: true,
      pin: 'none',
      sort: false,
      resizable: false,
      className: 'grid-marks',
      text: (record) =>
        found(record)
          .map(({ label }) => text(label))
          .join(' '),
      draw: (record) =>
        found(record).map(({ tag, label, when }) => (
          <span key={when} className={`grid-mark grid-mark-${tag}`}>
            {text(label)}
          </span>
        )),
    }
  }, [plan, holds, text, words, width])
}

interface Offer {
  rowActions: ActionPlan[]
  opens(plan: ActionPlan): boolean
  /** The id of the cell that names the record: `<id>-<record>`. */
  id: string
  width: number
  tight: boolean
}

/** The actions of a row; no column if there are none. */
function useActionsColumn({ actions }: Given, { rowActions, opens, id, width, tight }: Offer): GridColumn | undefined {
  const words = useWords()
  return useMemo(() => {
    if (rowActions.length === 0) return undefined
    return {
      field: '',
      label: words('actions'),
      pin: 'right',
      width,
      sized: true,
      sort: false,
      resizable: false,
      text: () => '',
      draw: (record) => (
        <RowActions
          actions={actions}
          plans={rowActions}
          record={record}
          opens={opens}
          ownerId={`${id}-${record.id}`}
          tight={tight}
        />
      ),
    }
  }, [rowActions, actions, opens, id, width, tight, words])
}

/** Whether it is the last of those pinned on the left, or the first of those on the right. */
function isEdge(columns: ArrangedColumn[], index: number, actionsFollow: boolean): boolean {
  const { pin } = columns[index]
  if (pin === 'left') return columns[index + 1]?.pin !== 'left' && (actionsFollow || index + 1 < columns.length)
  return pin === 'right' && columns[index - 1]?.pin !== 'right'
}

/** Whether a click on a cell of the row already does this. */
const openedBy =
  (columns: ArrangedColumn[]) =>
  ({ name, do: what }: ActionPlan): boolean =>
    columns.some(
      ({ hidden, link, action }) =>
        !hidden && (action === name || (what.kind === 'link' && link !== undefined && link === what.to)),
    )
