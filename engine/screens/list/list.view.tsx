import { Alert, App, Button } from 'antd'
import { lazy, Suspense, useEffect, useId, useMemo, useRef, useState } from 'react'
import { useActions } from '../../client/actions.tsx'
import { useConditions } from '../../client/conditions.ts'
import { fieldText } from '../../client/fieldText.ts'
import { useClient } from '../../client/frame.ts'
import type { ScreenViewProps } from '../../client/frame.ts'
import { isSilent } from '../../client/request.ts'
import { reportError } from '../../client/reportResult.tsx'
import { useList, usePreference } from '../../client/records.ts'
import { ScreenFailure, ScreenSkeleton } from '../../client/ScreenState.tsx'
import { useStable } from '../../client/useStable.ts'
import { useEngine } from '../../client/view.ts'
import { useWords } from '../../client/words.ts'
import type { ListQuery, RecordData } from '../../schema/model.ts'
import { arrangeColumns, rowHeights, sizeColumn } from './columnChoices.ts'
import type { ListPreference } from './columnChoices.ts'
import { Filters } from './Filters.tsx'
import { Grid } from './Grid.tsx'
import type { ListPlan } from './list.ts'
import { initialState, isFiltered, listQuery, nextSort, readState, withDefaults, writeState } from './listState.ts'
import type { ListState } from './listState.ts'
import { Pager } from './Pager.tsx'
import { Summary } from './Summary.tsx'
import { problemsAt } from './problemsAt.ts'
import { Tabs } from './Tabs.tsx'
import { Toolbar } from './Toolbar.tsx'
import { treeRows } from './tree.ts'
import { useCells } from './useCells.tsx'
import { useGridColumns } from './useGridColumns.tsx'
import { useNarrow } from './useNarrow.ts'
import { useStableActions } from './useStableActions.ts'
import { useOrdering } from './useOrdering.ts'
import { takesTicked, useTicks } from './useTicks.ts'
import './list.css'

const refreshSeconds = 5

const SideTree = lazy(() => import('./SideTree.tsx'))

type ListViewProps = ScreenViewProps<ListPlan>

/** A list of records: looked through, filtered, sorted, ticked, and worked on. */
export function ListView(props: ListViewProps) {
  const { plan: screen, frame, query: parameters } = props
  const engine = useEngine()
  const { user } = useClient()
  const today = engine.now().slice(0, 10)
  const fixed = useMemo(() => narrowed(screen.body, parameters, props.fixed), [screen.body, parameters, props.fixed])
  const isFixed = fixed !== undefined
  const plan = useMemo(() => {
    const filters = withDefaults(screen.body.filters, {
      user,
      settings: engine.settings ?? {},
      now: `${today} 00:00:00`,
    })
    // All records of one are shown where the list is about that one.
    return { ...screen.body, filters: isFixed ? filters.map(({ default: _default, ...filter }) => filter) : filters }
  }, [screen.body, isFixed, user, engine.settings, today])
  const list = useMemo(() => readState(frame.state, plan), [frame.state, plan])
  const query = useMemo(() => listQuery(list, plan, fixed, screen.name), [list, plan, fixed, screen.name])
  const found = useList(plan.paths.list, query, { enabled: frame.active, version: frame.version })
  const preference = usePreference<ListPreference>(`list:${screen.name}`)
  return (
    <List
      {...props}
      plan={useMemo(() => ({ ...screen, body: plan }), [screen, plan])}
      fixed={fixed}
      list={list}
      asked={query}
      found={found}
      preference={preference}
    />
  )
}

/** What the address and the place of the list fix, together. */
function narrowed(
  { narrowedBy = {} }: ListPlan,
  parameters: Readonly<Record<string, string>>,
  fixed: ListViewProps['fixed'],
): ListViewProps['fixed'] {
  const given = Object.entries(narrowedBy).filter(([parameter]) => parameters[parameter])
  return given.length === 0
    ? fixed
    : { ...Object.fromEntries(given.map(([parameter, field]) => [field, { equals: parameters[parameter] }])), ...fixed }
}

interface ListProps extends ListViewProps {
  list: ListState
  asked: ListQuery
  found: ReturnType<typeof useList>
  preference: ReturnType<typeof usePreference<ListPreference>>
}

function List({ plan: screen, bundle, frame, fixed, onChanged, list, asked, found, preference }: ListProps) {
  const plan = screen.body
  const entity = bundle.entities[screen.entity!]
  const engine = useEngine()
  const words = useWords()
  const app = App.useApp()
  const panel = useId()
  const root = useRef<HTMLDivElement>(null)
  const narrow = useNarrow(root)
  const { data, error, isPlaceholderData, isFetching, refetch } = found
  const { setBusy } = frame
  const change = useStable((part: Partial<ListState>) =>
    frame.setState(writeState({ ...list, page: 1, ...part }, plan)),
  )

  const planned = useMemo(() => plan.columns.filter(({ field }) => entity.fields[field]), [plan, entity])
  const arranged = useMemo(() => arrangeColumns(planned, preference.value), [planned, preference.value])
  const density = preference.value?.density ?? 'standard'
  const keep = (part: ListPreference) =>
    void preference.save({ ...preference.value, ...part }).catch((reason: unknown) => reportError(app, words, reason))

  const ticks = useTicks(JSON.stringify([list.search, list.filters, list.tab, fixed]), data?.list)
  const reload = () => {
    ticks.clear()
    onChanged?.()
    return refetch().then((again) => again.data?.list ?? [])
  }
  const live = useActions({
    entity,
    bundle,
    frame,
    reload,
    show: (filters) => change({ search: '', filters }),
    // The selection is kept.
    refused: () => {
      onChanged?.()
      void refetch()
    },
    problems: (record) =>
      Object.fromEntries(
        plan.columns.flatMap((column) => {
          const told = problemsAt(record, column)
          return told.length > 0 ? [[column.field, told.map(engine.text).join('\n')]] : []
        }),
      ),
    preset:
      fixed && Object.fromEntries(Object.entries(fixed).map(([name, { equals }]) => [name, String(equals ?? '')])),
    exportQuery: (records) => {
      const { page: _page, size: _size, counts: _counts, sums: _sums, summary: _summary, ...rest } = asked
      // What was ticked is wanted even where it no longer is what was looked for.
      const which = records.length > 0 ? { sort: rest.sort, ids: records.map(({ id }) => id).join(',') } : rest
      return {
        ...which,
        screen: screen.name,
        fields: arranged.filter(({ hidden }) => !hidden).map(({ field }) => field),
      }
    },
  })
  const actions = useStableActions(live)
  const holds = useStable(useConditions(entity))
  const [toggled, setToggled] = useState<ReadonlySet<number>>(new Set())
  const records = data?.list
  const rows = useMemo(() => {
    if (!records) return []
    if (!plan.tree) return records.map((record) => ({ record, depth: 0 }))
    // A small tree, and what was looked for, is open; a large one is closed.
    const openAtFirst = records.length <= 200 || isFiltered(list)
    return treeRows(records, plan.tree.parent, ({ id }) => toggled.has(id!) !== openAtFirst)
  }, [records, plan, toggled, list])
  const toggle = ({ id }: RecordData) =>
    setToggled((old) => {
      const next = new Set(old)
      if (!next.delete(id!)) next.add(id!)
      return next
    })
  const cells = useCells({
    screen,
    bundle,
    frame,
    enabled: !narrow,
    columns: arranged,
    rows,
    reload: async () => {
      await refetch()
      onChanged?.()
    },
  })
  const columns = useGridColumns({ entity, plan, arranged, narrow, actions, holds, records, cells })

  const refreshing =
    plan.refreshWhen !== undefined &&
    frame.active &&
    (data?.list ?? []).some((record) => holds(plan.refreshWhen, record))
  useEffect(() => {
    if (!refreshing) return
    const timer = setInterval(() => void refetch(), refreshSeconds * 1000)
    return () => clearInterval(timer)
  }, [refreshing, refetch])

  const ordering = useOrdering({
    tree: plan.tree,
    records,
    granted: bundle.granted,
    entity: entity.name,
    reload,
    enabled: list.sort === plan.tree?.order?.field && !isFiltered(list) && fixed === undefined,
  })

  const sums = useMemo(() => {
    const known = Object.entries(data?.sums ?? {}).filter(([field]) => entity.fields[field])
    const texts = known.map(([field, sum]) => [field, fieldText(sum, entity.fields[field], engine)])
    return texts.length > 0 ? (Object.fromEntries(texts) as Record<string, string>) : undefined
  }, [data, entity, engine])

  const drawn = data !== undefined && !preference.isPending
  const settled = drawn || error !== null
  useEffect(() => {
    if (settled) setBusy(false)
  }, [settled, setBusy])

  // The last record of the last page is gone.
  const last = data ? Math.max(1, Math.ceil(data.total / list.size)) : undefined
  const beyond = last !== undefined && !plan.tree && !isPlaceholderData && list.page > last
  useEffect(() => {
    if (beyond) change({ page: last })
  }, [beyond, last, change])
  const create = plan.actions.find(({ on, primary }) => on === 'toolbar' && primary)
  const tab = plan.tabs.find(({ name }) => name === list.tab)
  const reset = () => {
    const { search, filters } = initialState(plan)
    change({ search, filters })
  }
  return (
    <div ref={root} className="list" data-embedded={fixed !== undefined || undefined} data-narrow={narrow || undefined}>
      {frame.place === 'page' && !fixed && <h1 className="visually-hidden">{engine.text(screen.title)}</h1>}
      {plan.tabs.length > 0 && (
        <Tabs
          label={engine.text(screen.title)}
          panel={panel}
          open={list.tab}
          onOpen={(tab) => change({ tab })}
          tabs={plan.tabs.map(({ name, label }, index) => ({
            name,
            label: engine.text(label),
            count: data?.counts?.[index],
          }))}
        />
      )}
      <Filters
        plan={plan}
        entity={entity}
        applied={list}
        narrow={narrow}
        onQuery={(part) => {
          const next = writeState({ ...list, ...part, page: 1 }, plan)
          if (JSON.stringify(next) === JSON.stringify(writeState(list, plan))) void refetch()
          else frame.setState(next)
        }}
      />
      {plan.summary && <Summary measures={plan.summary} told={data?.summary} stale={isPlaceholderData} />}
      <div className="list-row">
        {plan.beside && !narrow && !fixed && (
          <Suspense fallback={<aside className="list-side" aria-busy />}>
            <SideTree
              entity={plan.beside.entity}
              label={engine.text(entity.fields[plan.beside.field].label)}
              chosen={list.filters[plan.beside.field]?.under}
              version={frame.version}
              onChosen={(id) => {
                const { [plan.beside!.field]: _former, ...rest } = list.filters
                change({ filters: id === undefined ? rest : { ...rest, [plan.beside!.field]: { under: id } } })
              }}
            />
          </Suspense>
        )}
        <div id={panel} className="list-body" role={tab && 'tabpanel'} aria-label={tab && engine.text(tab.label)}>
          <Toolbar
            plans={plan.actions}
            actions={actions}
            ticked={ticks.records}
            onClear={ticks.clear}
            density={density}
            arranged={arranged}
            planned={planned}
            onDensity={(next) => keep({ density: next })}
            onColumns={(next) => keep({ columns: next })}
            onRefresh={() => void refetch()}
          />
          {error && data && !isSilent(error) && (
            <Alert
              type="error"
              showIcon
              message={words('listFailed')}
              description={error.message}
              action={
                <Button size="small" onClick={() => void refetch()}>
                  {words('retry')}
                </Button>
              }
            />
          )}
          {drawn ? (
            <Grid
              label={engine.text(screen.title)}
              columns={columns}
              rows={rows}
              rowHeight={rowHeights[density]}
              stale={isPlaceholderData || isFetching}
              sort={list.sort}
              onSort={(field) => change({ sort: nextSort(list.sort, field, plan) })}
              onResize={(field, width) => keep({ columns: sizeColumn(arranged, field, width) })}
              ticks={plan.actions.some(takesTicked) ? ticks : undefined}
              onToggle={toggle}
              sums={sums}
              ordering={ordering}
              empty={
                <>
                  <p>
                    <strong>{words(isFiltered(list) ? 'noMatches' : 'noRecords')}</strong>
                  </p>
                  {isFiltered(list) ? (
                    <p>
                      {words('noMatchesHint')}{' '}
                      <Button type="link" onClick={reset}>
                        {words('reset')}
                      </Button>
                    </p>
                  ) : (
                    create && <p>{words('noRecordsHint')}</p>
                  )}
                </>
              }
            />
          ) : error ? (
            <ScreenFailure title={words('listFailed')} error={error} retry={() => void refetch()} />
          ) : (
            <ScreenSkeleton />
          )}
          {data &&
            (plan.tree ? (
              <p className="list-count">{words('count', { n: data.total })}</p>
            ) : (
              <Pager
                page={list.page}
                size={list.size}
                total={data.total}
                onChange={(page, size) => change({ page, size })}
              />
            ))}
        </div>
      </div>
      {live.dialogs}
    </div>
  )
}
