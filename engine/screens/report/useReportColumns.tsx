import { useMemo } from 'react'
import { RowActions } from '../../client/actions/RowActions.tsx'
import type { Actions } from '../../client/actions/useActions.tsx'
import { fieldText, follow, useClient, useEngine, useWords } from '../../client/index.ts'
import type { EngineContext, Request, ScreenFrame } from '../../client/index.ts'
import { pathOf } from '../../model/model.ts'
import type {
  EntityPlan,
  FilterValue,
  GroupedRow,
  GroupPlan,
  ListResult,
  RecordData,
  ReportAction,
  ReportPlan,
  ReportTab,
} from '../../model/model.ts'
import type { GridColumn } from '../list/GridRow.tsx'
import { headedWidth, widthOf } from '../list/textWidth.ts'
import { recordsLink, recordsOf } from './recordsLink.ts'

interface Given {
  plan: ReportPlan
  entity: EntityPlan
  group: GroupPlan
  tab: ReportTab | undefined
  filters: Record<string, FilterValue>
  narrow: boolean
  /** Whether the user may open the records, and the figures are current. */
  opens: boolean
  /** What the user can do with the records, if the figures are current. */
  acts: Actions | undefined
  frame: ScreenFrame
}

/** The maximum number of records in one call. */
const mostRecords = 1000

/** A row of the grid holds a row of the report. */
const rowOf = (record: RecordData) => record as unknown as GroupedRow

/** The columns of a report: its pinned groups, their figures, and their actions. */
export function useReportColumns(given: Given): GridColumn[] {
  const { plan, entity, group, tab, filters, narrow, opens, acts, frame } = given
  const engine = useEngine()
  const words = useWords()
  const { href, request } = useClient()
  return useMemo(() => {
    const all: Given = { plan, entity, group, tab, filters, narrow, opens, acts, frame }
    const drawn = [...keyColumns(all, engine), ...figureColumns(all, engine, href)]
    const offered = (tab?.actions ?? []).filter(({ groups }) => groups?.includes(group.name) ?? true)
    if (!acts || offered.length === 0) return drawn
    const plans = offered.map(({ plan: action }) => action)
    const actions = onRecordsOfRow(all, { acts, offered, request })
    return [
      ...drawn,
      {
        field: '',
        label: words('actions'),
        pin: narrow ? 'none' : 'right',
        width: Math.max(90, ...plans.map(({ label }) => widthOf(engine.text(label)) + 32)),
        sized: true,
        sort: false,
        resizable: false,
        text: () => '',
        className: `grid-actions${narrow ? '' : ' pin-right pin-edge'}`,
        ...(!narrow && { style: { right: `var(--pin-${drawn.length})` } }),
        draw: (record) => <RowActions actions={actions} plans={plans} record={record} />,
      },
    ]
  }, [plan, entity, group, tab, filters, narrow, opens, acts, frame, engine, words, href, request])
}

/** What the rows are grouped by. */
const keyColumns = ({ group, narrow }: Given, engine: EngineContext): GridColumn[] =>
  group.by.map(({ field, shown }, index) => {
    const pinned = index === 0 || !narrow
    const isEdge = narrow || index === group.by.length - 1
    return {
      field,
      label: engine.text(shown.label),
      width: Math.max(120, engine.widgets[shown.type].width(shown.options)),
      sized: false,
      pin: pinned ? 'left' : 'none',
      sort: false,
      resizable: false,
      className: pinned ? `pin-left${isEdge ? ' pin-edge' : ''}` : undefined,
      style: pinned ? { left: `var(--pin-${index})` } : undefined,
      text: (record) => fieldText(rowOf(record).by[index], shown, engine) || '—',
    }
  })

/** Each figure links to the records behind it. */
function figureColumns(
  { plan, entity, group, tab, filters, opens, frame }: Given,
  engine: EngineContext,
  href: (to: string) => string,
): GridColumn[] {
  const allowed = (field: string) => engine.widgets[entity.fields[field]?.type]?.operators ?? []
  return (tab?.columns ?? []).flatMap(({ measure: name, label, width, sort }): GridColumn[] => {
    const measure = plan.measures.find((each) => each.name === name)
    if (!measure) return []
    const { field } = measure
    const text = (record: RecordData) => fieldText(rowOf(record).values[name], field, engine)
    const draw = (record: RecordData) => {
      const { by, values } = rowOf(record)
      const hasNone =
        (measure.value.kind === 'count' || Object.keys(measure.where).length > 0) && Number(values[name]) === 0
      const to = hasNone ? undefined : recordsLink(plan, { measure, group, by, filters }, allowed)
      if (to === undefined) return text(record)
      return (
        <a href={href(to)} onClick={(event) => follow(event, frame, to)}>
          {text(record)}
        </a>
      )
    }
    return [
      {
        field: name,
        label: engine.text(label),
        width: headedWidth(width, engine.text(label)),
        sized: false,
        pin: 'none',
        sort,
        resizable: false,
        className: `align-${engine.widgets[field.type].align ?? 'right'}`,
        text,
        ...(opens && measure.value.kind !== 'formula' && { draw }),
      },
    ]
  })
}

/** The actions of a row run on the records behind its figure, which are only read then. */
function onRecordsOfRow(
  { plan, entity, group, filters }: Given,
  { acts, offered, request }: { acts: Actions; offered: readonly ReportAction[]; request: Request },
): Actions {
  const filtersOf = (record: RecordData, action: string) => {
    const { measure: name } = offered.find(({ plan: { name: own } }) => own === action)!
    const measure = plan.measures.find((each) => each.name === name)!
    const { by, values } = rowOf(record)
    return Number(values[measure.name]) === 0 ? undefined : recordsOf(plan, { measure, group, by, filters })
  }
  return {
    ...acts,
    shown: ({ name }, [record]) => filtersOf(record, name) !== undefined,
    run(action, rows) {
      const [record] = rows as RecordData[]
      acts.run(action, async () => {
        const { list } = await request.get<ListResult>(pathOf(entity.endpoint, 'list'), {
          filters: Object.fromEntries(filtersOf(record, action.name)!),
          size: mostRecords,
        })
        return list
      })
    },
  }
}
