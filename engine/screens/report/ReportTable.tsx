import { useMemo } from 'react'
import { fieldText, OutdatedAlert, ScreenFailure, ScreenSkeleton, useEngine, useWords } from '../../client/index.ts'
import type { ScreenFrame } from '../../client/index.ts'
import type { RecordData, ReportPlan, ReportTab } from '../../model/model.ts'
import { rowHeights } from '../list/columnChoices.ts'
import { Grid } from '../list/Grid.tsx'
import { isFiltered, nextSort } from '../list/listState.ts'
import { Pager } from '../list/Pager.tsx'
import type { ReportModel } from './useReportModel.ts'
import { useReportColumns } from './useReportColumns.tsx'

interface ReportTableProps {
  model: ReportModel
  tab: ReportTab
  label: string
  narrow: boolean
  frame: ScreenFrame
}

/** A row for each group, with sums below; its figures open the records. */
export function ReportTable({ model, tab, label, narrow, frame }: ReportTableProps) {
  const { plan, list, state, changeList, answer } = model
  const { data, error, stale, read } = answer
  const words = useWords()
  const opens = plan.records !== undefined && model.granted(plan.records.permission)
  const columns = useReportColumns({
    plan,
    entity: model.entity,
    group: model.group,
    tab,
    filters: state.list.filters,
    narrow,
    opens: opens && model.isToday,
    acts: model.isToday && tab.actions ? model.actions : undefined,
    frame,
  })
  const rows = useMemo(
    () =>
      (data?.list ?? []).map((row, index) => ({
        record: { id: index + 1, ...row } as unknown as RecordData,
        depth: 0,
      })),
    [data],
  )
  const sums = useSums(plan, tab, data?.totals)
  if (!data)
    return error ? <ScreenFailure title={words('listFailed')} error={error} retry={read} /> : <ScreenSkeleton />
  return (
    <>
      {error && <OutdatedAlert error={error} retry={read} />}
      <Grid
        label={label}
        columns={columns}
        rows={rows}
        rowHeight={rowHeights.standard}
        stale={stale}
        sort={state.list.sort}
        onSort={(field) => changeList({ sort: nextSort(state.list.sort, field, list) })}
        onResize={() => undefined}
        onToggle={() => undefined}
        sums={sums}
        empty={
          <p>
            <strong>{words(isFiltered(state.list) ? 'noMatches' : 'noRecords')}</strong>
          </p>
        }
      />
      <Pager
        page={state.list.page}
        size={state.list.size}
        total={data.total}
        onChange={(page, size) => changeList({ page, size })}
      />
    </>
  )
}

/** Column → its sum over all groups, formatted. */
function useSums(plan: ReportPlan, tab: ReportTab, totals: Record<string, RecordData[string]> | undefined) {
  const engine = useEngine()
  if (!totals) return undefined
  const columns = tab.columns.filter(({ total }) => total)
  return Object.fromEntries(
    columns.map(({ measure }) => {
      const { field } = plan.measures.find(({ name }) => name === measure)!
      return [measure, fieldText(totals[measure], field, engine)]
    }),
  )
}
