import { useId, useMemo } from 'react'
import { RowActions } from '../../client/actions/RowActions.tsx'
import type { Actions } from '../../client/actions/useActions.tsx'
import { fieldText } from '../../client/fieldText.ts'
import { fillLink } from '../../client/fill.ts'
import { useClient } from '../../client/frame.ts'
import { rowOffer } from '../../client/actions/rowOffer.ts'
import { follow } from '../../client/ScreenProblem.tsx'
import { useViews } from '../../client/useViews.ts'
import { useEngine } from '../../client/view.ts'
import { useWords } from '../../client/words.ts'
import type { ActionPlan, EntityPlan, RecordData, Widget } from '../../model/model.ts'
import type { Holds } from '../../client/conditions.ts'
import { drawnColumns } from './columnChoices.ts'
import type { ArrangedColumn } from './columnChoices.ts'
import type { GridColumn } from './GridRow.tsx'
import type { ListPlan } from './list.ts'
import { isHint, problemsAt } from './problemsAt.ts'
import type { DrawCell } from './useCells.tsx'
import { cutMiddle, headedWidth, numberWidth, widthOf } from './textWidth.ts'

/** So many rows are looked at for what they need. */
const measuredRows = 100
/** Between two actions. */
const gap = 12

/** The name of the column of marks, which no field has. */
export const marksField = '#marks'

interface Given {
  entity: EntityPlan
  plan: ListPlan
  arranged: ArrangedColumn[]
  narrow: boolean
  /** The same object as long as nothing about the actions changes. */
  actions: Actions
  holds: Holds
  records: RecordData[] | undefined
  /** Field → what stands under its column. */
  sums: Record<string, string> | undefined
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
  sums,
  cells,
}: Given): GridColumn[] {
  const engine = useEngine()
  const words = useWords()
  const { href } = useClient()
  const views = useViews(arranged.map(({ field }) => entity.fields[field].type))

  const rowActions = useMemo(() => plan.actions.filter(({ on }) => on === 'row'), [plan])
  const id = useId()
  const opens = useMemo(() => openedBy(arranged), [arranged])
  const actionsWidth = useMemo(
    () =>
      widthOfActions(records ?? [], (record) => {
        const shown = rowActions.filter((plan) => actions.shown(plan, [record]))
        const { seen, more } = rowOffer(shown, { granted: actions.granted, opens })
        return [...seen.map(({ label }) => engine.text(label)), ...(more.length > 0 ? [words('more')] : [])]
      }),
    [rowActions, actions, opens, records, engine, words],
  )
  const marksWidth = useMemo(
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
  return useMemo(() => {
    const widest = JSON.parse(needed) as Record<string, number>
    const columns = drawnColumns(arranged, narrow)
    const drawn: GridColumn[] = columns.map((column, index) => {
      const field = entity.fields[column.field]
      const widget = engine.widgets[field.type]
      const Cell = views[field.type]?.Cell
      const { link } = column
      const text = (record: RecordData) => {
        const held = record[field.name]
        return widget?.brief && typeof held === 'string'
          ? widget.brief(held, field.options)
          : fieldText(held, field, engine)
      }
      const isCode = widget?.series !== undefined
      const isNumber = widget?.align === 'right'
      const plain = (record: RecordData) => {
        const shown = text(record)
        if (!isCode || !column.sized) return shown
        const cut = cutMiddle(shown, column.width)
        return cut === shown ? shown : <span title={shown}>{cut}</span>
      }
      const shown = (record: RecordData) => {
        const held = record[field.name]
        if (!Cell || held === null || held === undefined) return plain(record)
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
      return {
        ...look(column.pin, index, isEdge(columns, index, rowActions.length > 0 && !narrow), widget?.align),
        field: column.field,
        label: engine.text(column.label),
        width: column.sized
          ? column.width
          : Math.max(headedWidth(column.width, engine.text(column.label)), widest[column.field] ?? 0),
        sized: column.sized,
        isNumber,
        pin: column.pin,
        sort: column.sort,
        resizable: true,
        text,
        draw:
          link || openings.length > 0
            ? linked
            : Cell || (isCode && column.sized) || value !== shown
              ? value
              : undefined,
        ...(index === 0 && { cellId: (record: RecordData) => `${id}-${record.id}` }),
        ...(column.problems && {
          problem: (record) => problemsAt(record, column).map(engine.text).join('\n'),
          isHint: (record) => isHint(record, column),
        }),
      }
    })
    if (marksWidth > 0) {
      const found = (record: RecordData) => plan.marks.filter(({ when }) => holds(when, record))
      // Beside what identifies the row.
      const place = Math.max(1, drawn.filter(({ pin }) => pin === 'left').length)
      drawn.splice(place, 0, {
        field: marksField,
        label: words('marks'),
        width: marksWidth,
        sized: true,
        pin: 'none',
        sort: false,
        resizable: false,
        className: 'grid-marks',
        text: (record) =>
          found(record)
            .map(({ label }) => engine.text(label))
            .join(' '),
        draw: (record) =>
          found(record).map(({ tag, label, when }) => (
            <span key={when} className={`grid-mark grid-mark-${tag}`}>
              {engine.text(label)}
            </span>
          )),
      })
    }
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
        draw: (record) => (
          <RowActions actions={actions} plans={rowActions} record={record} opens={opens} of={`${id}-${record.id}`} />
        ),
      })
    }
    return drawn
  }, [
    arranged,
    narrow,
    plan,
    entity,
    engine,
    views,
    words,
    href,
    actions,
    holds,
    opens,
    rowActions,
    actionsWidth,
    marksWidth,
    needed,
    cells,
    id,
  ])
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

/** What a click on a cell of the row does anyway. */
const openedBy =
  (columns: ArrangedColumn[]) =>
  ({ name, do: what }: ActionPlan): boolean =>
    columns.some(
      ({ hidden, link, action }) =>
        !hidden && (action === name || (what.kind === 'link' && link !== undefined && link === what.to)),
    )

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
