import { Alert, App, Button } from 'antd'
import { lazy, Suspense, useEffect, useId, useMemo, useRef, useState } from 'react'
import { useActions } from '../../client/actions.tsx'
import { useConditions } from '../../client/conditions.ts'
import { fieldText } from '../../client/fieldText.ts'
import { layTrail } from '../../client/queue.ts'
import { useClient } from '../../client/frame.ts'
import type { ScreenViewProps } from '../../client/frame.ts'
import { isSilent } from '../../client/request.ts'
import { reportError } from '../../client/reportResult.tsx'
import { useList, usePreference } from '../../client/records.ts'
import { ScreenFailure, ScreenSkeleton } from '../../client/ScreenState.tsx'
import { useStable } from '../../client/useStable.ts'
import { useEngine } from '../../client/view.ts'
import { useWords } from '../../client/words.ts'
import type { ListQuery, RecordData } from '../../model/model.ts'
import { cardOf } from './card.ts'
import { arrangeColumns, drawerWidth, moveColumn, rowHeights, sizeColumn } from './columnChoices.ts'
import type { ListPreference } from './columnChoices.ts'
import { Filters } from './Filters.tsx'
import { Grid } from './Grid.tsx'
import type { ListPlan } from './list.ts'
import {
  fromHeld,
  initialState,
  isFiltered,
  listQuery,
  nextSort,
  readState,
  withDefaults,
  writeState,
} from './listState.ts'
import type { ListState } from './listState.ts'
import { Pager } from './Pager.tsx'
import { Summary } from './Summary.tsx'
import { problemsAt } from './problemsAt.ts'
import { Tabs } from './Tabs.tsx'
import { Toolbar } from './Toolbar.tsx'
import { treeRows } from './tree.ts'
import { useAllFigures } from './useAllFigures.ts'
import { useCells } from './useCells.tsx'
import { useGridColumns } from './useGridColumns.tsx'
import { useNarrow } from './useNarrow.ts'
import { useStableActions } from './useStableActions.ts'
import { useOrdering } from './useOrdering.ts'
import { useRowKeys } from './useRowKeys.ts'
import { takesTicked, useTicks } from './useTicks.ts'
import './list.css'

const refreshSeconds = 5

const Cards = lazy(() => import('./Cards.tsx'))
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
  const asked = useMemo(() => listQuery(list, plan, fixed, screen.name), [list, plan, fixed, screen.name])
  const [step, setStep] = useState<Step>()
  const query = useMemo(
    () => (step && JSON.stringify(asked) === JSON.stringify(step.to) ? { ...asked, ...step.from } : asked),
    [asked, step],
  )
  const found = useList(plan.paths.list, query, { enabled: frame.active, version: frame.version })
  const { data, isPlaceholderData } = found
  // Records were deleted behind the one that it was counted from.
  const isLost = query !== asked && !isPlaceholderData && data?.list.length === 0
  useEffect(() => {
    if (isLost) setStep(undefined)
  }, [isLost])
  const preference = usePreference<ListPreference>(`list:${screen.name}`)
  return (
    <List
      {...props}
      plan={useMemo(() => ({ ...screen, body: plan }), [screen, plan])}
      fixed={fixed}
      list={list}
      asked={query}
      found={found}
      onStep={(page, size) => {
        const held = isPlaceholderData ? undefined : data
        const from = held && fromHeld({ ...held, page: list.page, size: list.size }, { page, size })
        setStep(from && { to: { ...asked, page }, from })
      }}
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

/** A page that is asked for from the one that was held. */
interface Step {
  to: ListQuery
  from: NonNullable<ReturnType<typeof fromHeld>>
}

interface ListProps extends ListViewProps {
  list: ListState
  asked: ListQuery
  found: ReturnType<typeof useList>
  onStep(page: number, size: number): void
  preference: ReturnType<typeof usePreference<ListPreference>>
}

function List({ plan: screen, bundle, frame, fixed, onChanged, list, asked, found, onStep, preference }: ListProps) {
  const plan = screen.body
  const entity = bundle.entities[screen.entity!]
  const engine = useEngine()
  const words = useWords()
  const app = App.useApp()
  const panel = useId()
  const root = useRef<HTMLDivElement>(null)
  const narrow = useNarrow(root)
  const { data, isPlaceholderData, isFetching } = found
  const all = useAllFigures({ path: plan.paths.list, asked, found, active: frame.active, version: frame.version })
  const error = found.error ?? all.error
  const refetch = useStable(() => {
    all.renew()
    return found.refetch()
  })
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
    rows: data?.list,
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
      const { search, filters, tab, sort } = asked
      const rest = { sort, search, filters, tab }
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
  const sums = useMemo(() => {
    const known = Object.entries(all.sums ?? {}).filter(([field]) => entity.fields[field])
    const texts = known.map(([field, sum]) => [field, fieldText(sum, entity.fields[field], engine)])
    return texts.length > 0 ? (Object.fromEntries(texts) as Record<string, string>) : undefined
  }, [all.sums, entity, engine])
  const columns = useGridColumns({ entity, plan, arranged, narrow, actions, holds, records, sums, cells })

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

  const tickable = plan.actions.some(takesTicked)
  useRowKeys({
    root,
    enabled: frame.active && frame.place === 'page' && fixed === undefined,
    rows,
    rowHeight: rowHeights[density],
    edit: (record) => {
      const edit = plan.actions.find(({ name, on }) => name === 'edit' && on === 'row')
      return edit && actions.shown(edit, [record]) ? () => actions.run(edit, [record]) : undefined
    },
    tick: (record) => tickable && ticks.set([record], !ticks.has(record.id!)),
  })

  const drawn = data !== undefined && !preference.isPending
  const { setWidth } = frame
  const width = drawerWidth(columns, tickable)
  useEffect(() => {
    if (drawn) setWidth?.(width)
  }, [drawn, setWidth, width])
  const settled = drawn || error !== null
  useEffect(() => {
    if (settled) setBusy(false)
  }, [settled, setBusy])

  const { setEmpty } = frame
  const isNarrowed = Object.keys(frame.state).length > 0
  const isEmpty = data && !isNarrowed && !isPlaceholderData ? data.list.length === 0 : undefined
  useEffect(() => {
    if (isEmpty !== undefined) setEmpty?.(isEmpty)
  }, [isEmpty, setEmpty])

  // The last record of the last page is gone.
  const last = data && !all.open ? Math.max(1, Math.ceil(all.total / list.size)) : undefined
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
  const toolbar = (
    <Toolbar
      plans={plan.actions}
      narrow={narrow}
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
  )
  const empty = (
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
  )
  // A tree stays a table: what is below what is seen there.
  const card = useMemo(
    () =>
      narrow && !plan.tree
        ? cardOf({
            columns: arranged,
            fields: entity.fields,
            display: entity.display,
            states: entity.states.map(({ field }) => field),
            tagged: (field) => {
              const { type, options } = entity.fields[field]
              const dictionary = engine.widgets[type]?.dictionary?.(options)
              return dictionary !== undefined && engine.dictionary(dictionary).choices.some(({ tag }) => tag)
            },
            summable: (type) => engine.widgets[type]?.summable === true,
            money: (type) => engine.widgets[type]?.isAmount === true,
          })
        : undefined,
    [narrow, plan.tree, arranged, entity, engine],
  )
  const shared = {
    label: engine.text(screen.title),
    columns,
    rows,
    stale: isPlaceholderData || isFetching,
    ticks: tickable ? ticks : undefined,
    sums,
    empty,
  }
  return (
    <div
      ref={root}
      // Whatever is opened from here is followed by the next of this list.
      onClickCapture={({ target }) => {
        if (data && (target as Element).closest('[data-record]')) layTrail(entity.name, data.list)
      }}
      className="list"
      data-embedded={fixed !== undefined || undefined}
      data-narrow={narrow || undefined}
    >
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
            count: all.counts?.[index],
          }))}
        />
      )}
      <Filters
        plan={plan}
        entity={entity}
        applied={list}
        narrow={narrow}
        sort={list.sort}
        onSort={(sort) => change({ sort })}
        onQuery={(part) => {
          const next = writeState({ ...list, ...part, page: 1 }, plan)
          if (JSON.stringify(next) === JSON.stringify(writeState(list, plan))) void refetch()
          else frame.setState(next)
        }}
      />
      {plan.summary && <Summary measures={plan.summary} told={all.summary} stale={isPlaceholderData} />}
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
          {!narrow && toolbar}
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
          {drawn && card ? (
            <Suspense fallback={<ScreenSkeleton />}>
              <Cards {...shared} card={card} />
            </Suspense>
          ) : drawn ? (
            <Grid
              {...shared}
              rowHeight={rowHeights[density]}
              sort={list.sort}
              onSort={(field) => change({ sort: nextSort(list.sort, field, plan) })}
              onMove={(field, to) => {
                const columns = moveColumn(arranged, field, to)
                if (columns) keep({ columns })
              }}
              onResize={(field, width) => keep({ columns: sizeColumn(arranged, field, width) })}
              onToggle={toggle}
              ordering={ordering}
            />
          ) : error ? (
            <ScreenFailure title={words('listFailed')} error={error} retry={() => void refetch()} />
          ) : (
            <ScreenSkeleton />
          )}
          {data &&
            (plan.tree ? (
              <p className="list-count">{words('count', { n: all.total })}</p>
            ) : (
              <Pager
                page={list.page}
                size={list.size}
                total={all.total}
                open={all.open}
                onChange={(page, size) => {
                  onStep(page, size)
                  change({ page, size })
                }}
              />
            ))}
          {narrow && toolbar}
        </div>
      </div>
      {live.dialogs}
    </div>
  )
}
