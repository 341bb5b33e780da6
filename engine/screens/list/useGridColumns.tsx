import { useMemo } from 'react'
import { RowActions, visibleRowActions } from '../../client/actions.tsx'
import type { Actions } from '../../client/actions.tsx'
import { fieldText } from '../../client/fieldText.ts'
import { fillLink } from '../../client/fill.ts'
import { useClient } from '../../client/frame.ts'
import { follow } from '../../client/ScreenProblem.tsx'
import { useViews } from '../../client/useViews.ts'
import { useEngine } from '../../client/view.ts'
import { useWords } from '../../client/words.ts'
import type { ActionPlan, EntityPlan, RecordData } from '../../schema/model.ts'
import type { Holds } from '../../client/conditions.ts'
import { drawnColumns } from './columnChoices.ts'
import type { ArrangedColumn } from './columnChoices.ts'
import type { GridColumn } from './GridRow.tsx'
import type { ListPlan } from './list.ts'
import { isHint, problemsAt } from './problemsAt.ts'
import type { DrawCell } from './useCells.tsx'
import { headedWidth, widthOf } from './textWidth.ts'

interface Given {
  entity: EntityPlan
  plan: ListPlan
  arranged: ArrangedColumn[]
  narrow: boolean
  /** The same object as long as nothing about the actions changes. */
  actions: Actions
  holds: Holds
  records: RecordData[] | undefined
  /** Draws the cells that are edited in place, once it is loaded. */
  cells: DrawCell | undefined
}

/**
 * The columns as the grid draws them: the record's fields, then what can be done with it. A new list only when a column
 * changes.
 */
export function useGridColumns({
  entity,
  plan,
  arranged,
  narrow,
  actions,
  holds,
  records,
  cells,
}: Given): GridColumn[] {
  const engine = useEngine()
  const words = useWords()
  const { href } = useClient()
  const views = useViews(arranged.map(({ field }) => entity.fields[field].type))

  const rowActions = useMemo(() => plan.actions.filter(({ on }) => on === 'row'), [plan])
  const actionsWidth = useMemo(
    () =>
      widthOfActions(
        rowActions,
        actions,
        records ?? [],
        (plan) => widthOf(engine.text(plan.label)),
        widthOf(words('more')),
      ),
    [rowActions, actions, records, engine, words],
  )
  return useMemo(() => {
    const columns = drawnColumns(arranged, narrow)
    const drawn: GridColumn[] = columns.map((column, index) => {
      const field = entity.fields[column.field]
      const widget = engine.widgets[field.type]
      const Cell = views[field.type]?.Cell
      const { link } = column
      const marks = index === 0 ? plan.marks : []
      const text = (record: RecordData) => {
        const held = record[field.name]
        return widget?.brief && typeof held === 'string'
          ? widget.brief(held, field.options)
          : fieldText(held, field, engine)
      }
      const shown = (record: RecordData) => {
        const held = record[field.name]
        if (!Cell || held === null || held === undefined) return text(record)
        return <Cell value={held} field={field} label={engine.text(column.label)} />
      }
      const value = column.edit && cells ? (record: RecordData) => cells(column, record, shown(record)) : shown
      // Several actions of one name are for different records.
      const openings = rowActions.filter(({ name }) => name === column.action)
      const linked = (record: RecordData) => {
        const opening = openings.find((one) => actions.shown(one, [record]))
        if (opening) {
          return (
            <button type="button" className="action-link grid-opener" onClick={() => actions.run(opening, [record])}>
              {value(record)}
            </button>
          )
        }
        const to = link && fillLink(link, record)
        return to ? (
          <a href={href(to)} onClick={(event) => follow(event, actions.frame, to)}>
            {value(record)}
          </a>
        ) : (
          value(record)
        )
      }
      const marked = (record: RecordData) => {
        const found = marks.filter(({ when }) => holds(when, record))
        return found.length === 0 ? (
          linked(record)
        ) : (
          <span className="grid-marked">
            <span>{linked(record)}</span>
            {found.map(({ tag, label, when }) => (
              <span key={when} className={`grid-mark grid-mark-${tag}`} title={engine.text(label)}>
                {engine.text(label)}
              </span>
            ))}
          </span>
        )
      }
      return {
        ...look(column.pin, index, isEdge(columns, index, rowActions.length > 0 && !narrow), widget?.align),
        field: column.field,
        label: engine.text(column.label),
        width: column.sized ? column.width : headedWidth(column.width, engine.text(column.label)),
        sized: column.sized,
        pin: column.pin,
        sort: column.sort,
        resizable: true,
        text,
        draw:
          marks.length > 0
            ? marked
            : link || openings.length > 0
              ? linked
              : Cell || value !== shown
                ? value
                : undefined,
        ...(column.problems && {
          problem: (record) => problemsAt(record, column).map(engine.text).join('\n'),
          isHint: (record) => isHint(record, column),
        }),
      }
    })
    if (rowActions.length > 0) {
      const pin = narrow ? 'none' : 'right'
      const { className, style } = look(pin, drawn.length, pin === 'right' && drawn.at(-1)?.pin !== 'right')
      drawn.push({
        field: '',
        label: words('actions'),
        pin,
        width: actionsWidth,
        sized: true,
        sort: false,
        resizable: false,
        style,
        className: `grid-actions ${className ?? ''}`.trim(),
        text: () => '',
        draw: (record) => <RowActions actions={actions} plans={rowActions} record={record} />,
      })
    }
    return drawn
  }, [arranged, narrow, plan, entity, engine, views, words, href, actions, holds, rowActions, actionsWidth, cells])
}

/** Is it the last of those pinned on the left, or the first of those on the right? */
function isEdge(columns: ArrangedColumn[], index: number, actionsFollow: boolean): boolean {
  const { pin } = columns[index]
  if (pin === 'left') return columns[index + 1]?.pin !== 'left' && (actionsFollow || index + 1 < columns.length)
  return pin === 'right' && columns[index - 1]?.pin !== 'right'
}

function look(
  pin: GridColumn['pin'],
  index: number,
  edge: boolean,
  align?: string,
): Pick<GridColumn, 'className' | 'style'> {
  const className = [align && `align-${align}`, pin !== 'none' && `pin-${pin}`, edge && 'pin-edge']
    .filter(Boolean)
    .join(' ')
  return { className: className || undefined, style: pin === 'none' ? undefined : { [pin]: `var(--pin-${index})` } }
}

/** As wide as what the widest of the first hundred rows offers. */
function widthOfActions(
  plans: ActionPlan[],
  actions: Actions,
  records: RecordData[],
  width: (plan: ActionPlan) => number,
  more: number,
): number {
  const gap = 12
  return records.slice(0, 100).reduce((widest, record) => {
    const shown = plans.filter((plan) => actions.shown(plan, [record])).map(width)
    const drawn = shown.length > visibleRowActions ? [...shown.slice(0, visibleRowActions), more] : shown
    return Math.max(
      widest,
      drawn.reduce((sum, each) => sum + each + gap, gap),
    )
  }, 72)
}
