import { lazy, Suspense, useId } from 'react'
import type { ScreenViewProps } from '../../client/frame.ts'
import { layTrail } from '../../client/queue.ts'
import { useEngine } from '../../client/view.ts'
import { useWords } from '../../client/words.ts'
import { moveColumn, sizeColumn } from './columnChoices.ts'
import { EmptyList } from './EmptyList.tsx'
import { Filters } from './Filters.tsx'
import type { ListPlan } from './list.ts'
import { ListBody } from './ListBody.tsx'
import { initialState, isFiltered, nextSort, writeState } from './listState.ts'
import { Pager } from './Pager.tsx'
import { Summary } from './Summary.tsx'
import { Tabs } from './Tabs.tsx'
import { Toolbar } from './Toolbar.tsx'
import { useListModel } from './useListModel.ts'
import './list.css'

const SideTree = lazy(() => import('./SideTree.tsx'))

/** A list of records: looked through, filtered, sorted, ticked, and worked on. */
export function ListView(props: ScreenViewProps<ListPlan>) {
  const { frame } = props
  const engine = useEngine()
  const words = useWords()
  const panel = useId()
  const model = useListModel(props)
  const { screen, entity, fixed, list, data, all, change, refetch, narrow, chosen, ticks } = model
  const plan = screen.body
  const title = engine.text(screen.title)
  const retry = () => void refetch()
  const tab = plan.tabs.find(({ name }) => name === list.tab)
  const toolbar = (
    <Toolbar
      plans={model.offered}
      narrow={narrow}
      actions={model.actions}
      ticked={ticks.records}
      onClear={ticks.clear}
      density={chosen.density}
      arranged={chosen.arranged}
      planned={chosen.planned}
      onDensity={(density) => chosen.keep({ density })}
      onColumns={(columns) => chosen.keep({ columns })}
      onRefresh={retry}
    />
  )
  const body = (
    <ListBody
      label={title}
      card={model.card}
      drawn={model.drawn}
      error={model.error}
      hasData={data !== undefined}
      onRetry={retry}
      columns={model.columns}
      rows={model.rows}
      rowHeight={model.rowHeight}
      stale={model.stale}
      ticks={model.tickable ? ticks : undefined}
      sums={model.sums}
      empty={
        <EmptyList
          filtered={isFiltered(list)}
          creates={model.offered.some(({ on, primary }) => on === 'toolbar' && primary)}
          onReset={() => {
            const { search, filters } = initialState(plan)
            change({ search, filters })
          }}
        />
      }
      sort={list.sort}
      onSort={(field) => change({ sort: nextSort(list.sort, field, plan) })}
      onMove={(field, to) => {
        const columns = moveColumn(chosen.arranged, field, to)
        if (columns) chosen.keep({ columns })
      }}
      onResize={(field, width) => chosen.keep({ columns: sizeColumn(chosen.arranged, field, width) })}
      onToggle={model.toggle}
      ordering={model.ordering}
    />
  )
  return (
    <div
      ref={model.root}
      // Whatever is opened from here is followed by the next of this list.
      onClickCapture={({ target }) => {
        if (data && (target as Element).closest('[data-record]')) layTrail(entity.name, data.list)
      }}
      className="list"
      data-embedded={fixed !== undefined || undefined}
      data-narrow={narrow || undefined}
    >
      {frame.place === 'page' && !fixed && <h1 className="visually-hidden">{title}</h1>}
      {plan.tabs.length > 0 && (
        <Tabs
          label={title}
          panel={panel}
          open={list.tab}
          onOpen={(open) => change({ tab: open })}
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
          if (JSON.stringify(next) === JSON.stringify(writeState(list, plan))) retry()
          else frame.setState(next)
        }}
      />
      {plan.summary && <Summary measures={plan.summary} told={all.summary} stale={model.isPlaceholderData} />}
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
          {body}
          {data && plan.tree && <p className="list-count">{words('count', { n: all.total })}</p>}
          {data && !plan.tree && (
            <Pager
              page={list.page}
              size={list.size}
              total={all.total}
              open={all.open}
              onChange={(page, size) => {
                model.stepTo(page, size)
                change({ page, size })
              }}
            />
          )}
          {narrow && toolbar}
        </div>
      </div>
      {model.dialogs}
    </div>
  )
}
