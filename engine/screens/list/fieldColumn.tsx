import type { ReactNode } from 'react'
import type { Actions } from '../../client/actions/useActions.tsx'
import { fieldText } from '../../client/fieldText.ts'
import { fillLink } from '../../client/fill.ts'
import { follow } from '../../client/ScreenProblem.tsx'
import type { EngineContext, WidgetView } from '../../client/view.ts'
import type { ActionPlan, EntityPlan, RecordData } from '../../model/model.ts'
import type { ArrangedColumn } from './columnChoices.ts'
import type { GridColumn } from './GridRow.tsx'
import { isHint, problemsAt } from './problemsAt.ts'
import { cutMiddle, headedWidth } from './textWidth.ts'
import type { DrawCell } from './useCells.tsx'

interface FieldColumn {
  column: ArrangedColumn
  entity: EntityPlan
  engine: EngineContext
  /** Drawn instead of text. */
  Cell: WidgetView['Cell']
  /** Pixels needed by its values and their sum. */
  needed: number
  actions: Actions
  /** The actions triggered by a click on the cell; several with one name are for different records. */
  openings: ActionPlan[]
  /** Renders editable cells, once loaded. */
  cells: DrawCell | undefined
  href(to: string): string
}

type Draw = (record: RecordData) => ReactNode

/** The column of a field, as the grid draws it. */
export function fieldColumn(given: FieldColumn): Omit<GridColumn, 'className' | 'style'> {
  const { column, entity, engine, Cell, needed, cells } = given
  const field = entity.fields[column.field]
  const widget = engine.widgets[field.type]
  const label = engine.text(column.label)
  const text = (record: RecordData) => {
    const held = record[field.name]
    return widget?.brief && typeof held === 'string'
      ? widget.brief(held, field.options)
      : fieldText(held, field, engine)
  }
  const isCut = widget?.series !== undefined && column.sized === true
  const shown: Draw = (record) => {
    const held = record[field.name]
    if (Cell && held !== null && held !== undefined) return <Cell value={held} field={field} label={label} />
    return isCut ? inTheMiddle(text(record), column.width) : text(record)
  }
  const edited = column.edit && cells
  const value: Draw = edited ? (record) => edited(column, record, shown(record)) : shown
  const isDrawn = Cell !== undefined || isCut || value !== shown
  const leads = column.link !== undefined || given.openings.length > 0
  return {
    field: column.field,
    label,
    width: column.sized ? column.width : Math.max(headedWidth(column.width, label), needed),
    sized: column.sized,
    isNumber: widget?.align === 'right',
    pin: column.pin,
    sort: column.sort,
    resizable: true,
    text,
    draw: leads ? leading(given, text, value) : isDrawn ? value : undefined,
    ...(column.problems && {
      problem: (record) => problemsAt(record, column).map(engine.text).join('\n'),
      isHint: (record) => isHint(record, column),
    }),
  }
}

/** A code in a column that the user made narrower. */
function inTheMiddle(shown: string, width: number): ReactNode {
  const cut = cutMiddle(shown, width)
  return cut === shown ? shown : <span title={shown}>{cut}</span>
}

/** A cell that opens its record, by an action or by a link; an empty one would be a link that nobody sees. */
function leading(
  { column: { link }, actions, openings, href }: FieldColumn,
  text: (record: RecordData) => string,
  value: Draw,
): Draw {
  return (record) => {
    if (text(record) === '') return value(record)
    const opening = openings.find((each) => actions.shown(each, [record]))
    if (opening)
      return (
        <button type="button" className="action-link grid-opener" onClick={() => actions.run(opening, [record])}>
          {value(record)}
        </button>
      )
    const to = link && fillLink(link, record)
    if (!to) return value(record)
    return (
      <a href={href(to)} onClick={(event) => follow(event, actions.frame, to)}>
        {value(record)}
      </a>
    )
  }
}
