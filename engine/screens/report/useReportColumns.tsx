import { useMemo } from 'react'
import { fieldText, follow, useClient, useEngine } from '../../client/index.ts'
import type { ScreenFrame } from '../../client/index.ts'
import type { EntityPlan, FilterValue, GroupedRow, GroupPlan, RecordData, ReportPlan, ReportTab } from '../../schema/model.ts'
import type { GridColumn } from '../list/GridRow.tsx'
import { headedWidth } from '../list/textWidth.ts'
import { recordsLink } from './recordsLink.ts'

interface Given {
  plan: ReportPlan
  entity: EntityPlan
  group: GroupPlan
  tab: ReportTab | undefined
  filters: Record<string, FilterValue>
  narrow: boolean
  /** May the reader open the records, and are they as they are now? */
  opens: boolean
  frame: ScreenFrame
}

/** A row of the grid holds a row of the report. */
const rowOf = (record: RecordData) => record as unknown as GroupedRow

/** What the rows were put together by, pinned, and their numbers, each a link to the records that it tells of. */
export function useReportColumns({ plan, entity, group, tab, filters, narrow, opens, frame }: Given): GridColumn[] {
  const engine = useEngine()
  const { href } = useClient()
  return useMemo(() => {
    const keys = group.by.map(({ field, shown }, index): GridColumn => {
      const pinned = index === 0 || !narrow
      const isEdge = narrow || index === group.by.length - 1
      return {
        field, label: engine.text(shown.label), width: Math.max(120, engine.widgets[shown.type].width(shown.options)), sized: false, pin: pinned ? 'left' : 'none', sort: false, resizable: false,
        className: pinned ? `pin-left${isEdge ? ' pin-edge' : ''}` : undefined, style: pinned ? { left: `var(--pin-${index})` } : undefined,
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
        const isNone = (measure.value.kind === 'count' || Object.keys(measure.where).length > 0) && Number(rowOf(record).values[name]) === 0
        const to = isNone ? undefined : recordsLink(plan, { measure, group, by: rowOf(record).by, filters }, allowed)
        return to === undefined ? text(record) : <a href={href(to)} onClick={(event) => follow(event, frame, to)}>{text(record)}</a>
      }
      return [{
        field: name, label: engine.text(label), width: headedWidth(width, engine.text(label)), sized: false, pin: 'none', sort, resizable: false, className: `align-${engine.widgets[field.type].align ?? 'right'}`, text,
        ...(opens && measure.value.kind !== 'formula' && { draw }),
      }]
    })
    return [...keys, ...numbers]
  }, [plan, entity, group, tab, filters, narrow, opens, frame, engine, href])
}
