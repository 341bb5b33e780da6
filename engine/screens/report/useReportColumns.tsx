import { useMemo } from 'react'
import { RowActions } from '../../client/actions/RowActions.tsx'
import type { Actions } from '../../client/actions/useActions.tsx'
import { fieldText, follow, useClient, useEngine, useWords } from '../../client/index.ts'
import type { ScreenFrame } from '../../client/index.ts'
import { pathOf } from '../../model/model.ts'
import type {
  EntityPlan,
  FilterValue,
  GroupedRow,
  GroupPlan,
  ListResult,
  RecordData,
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
  /** May the reader open the records, and are they as they are now? */
  opens: boolean
  /** What can be done with the records, where they are as they are now. */
  acts: Actions | undefined
  frame: ScreenFrame
}

/** The most records that one call takes. */
const mostRecords = 1000

/** A row of the grid holds a row of the report. */
const rowOf = (record: RecordData) => record as unknown as GroupedRow

/** What the rows were put together by, pinned, and their numbers, each a link to the records that it tells of. */
export function useReportColumns({
  plan,
  entity,
  group,
  tab,
  filters,
  narrow,
  opens,
  acts,
  frame,
}: Given): GridColumn[] {
  const engine = useEngine()
  const words = useWords()
  const { href, request } = useClient()
  return useMemo(() => {
    const keys = group.by.map(({ field, shown }, index): GridColumn => {
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
    const allowed = (field: string) => engine.widgets[entity.fields[field]?.type]?.operators ?? []
    const numbers = (tab?.columns ?? []).flatMap(({ measure: name, label, width, sort }): GridColumn[] => {
      const measure = plan.measures.find((one) => one.name === name)
      if (!measure) return []
      const { field } = measure
      const text = (record: RecordData) => fieldText(rowOf(record).values[name], field, engine)
      const draw = (record: RecordData) => {
        // Of none there is nothing to open.
        const isNone =
          (measure.value.kind === 'count' || Object.keys(measure.where).length > 0) &&
          Number(rowOf(record).values[name]) === 0
        const to = isNone ? undefined : recordsLink(plan, { measure, group, by: rowOf(record).by, filters }, allowed)
        return to === undefined ? (
          text(record)
        ) : (
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
    const offered = acts ? (tab?.actions ?? []).filter(({ groups }) => groups?.includes(group.name) ?? true) : []
    if (!acts || offered.length === 0) return [...keys, ...numbers]
    const found = (record: RecordData, name: string) => {
      const measure = plan.measures.find(
        (one) => one.name === offered.find(({ plan: { name: own } }) => own === name)!.measure,
      )!
      return Number(rowOf(record).values[measure.name]) === 0
        ? undefined
        : recordsOf(plan, { measure, group, by: rowOf(record).by, filters })
    }
    const ofRow: Actions = {
      ...acts,
      shown: ({ name }, [record]) => found(record, name) !== undefined,
      run: (action, rows) => {
        const [record] = rows as RecordData[]
        acts.run(
          action,
          async () =>
            (
              await request.get<ListResult>(pathOf(entity.endpoint, 'list'), {
                filters: Object.fromEntries(found(record, action.name)!),
                size: mostRecords,
              })
            ).list,
        )
      },
    }
    const plans = offered.map(({ plan: one }) => one)
    const drawn = [...keys, ...numbers]
    return [
      ...drawn,
      {
        field: '',
        label: words('actions'),
        pin: narrow ? 'none' : 'right',
        width: Math.max(90, ...plans.map((one) => widthOf(engine.text(one.label)) + 32)),
        sized: true,
        sort: false,
        resizable: false,
        text: () => '',
        className: `grid-actions${narrow ? '' : ' pin-right pin-edge'}`,
        ...(!narrow && { style: { right: `var(--pin-${drawn.length})` } }),
        draw: (record) => <RowActions actions={ofRow} plans={plans} record={record} />,
      },
    ]
  }, [plan, entity, group, tab, filters, narrow, opens, acts, frame, engine, words, href, request])
}
