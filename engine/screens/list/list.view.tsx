import { lazy, Suspense, useId } from 'react'
import type { ScreenViewProps } from '../../client/frame.ts'
import { layTrail } from '../../client/queue.ts'
import { useEngine } from '../../client/view.ts'
import { useWords } from '../../client/words.ts'
import { EmptyList } from './EmptyList.tsx'
import { Filters } from './Filters.tsx'
import type { ListPlan } from './list.ts'
import { ListBody } from './ListBody.tsx'
import { listCommands } from './listCommands.ts'
import { isFiltered } from './listState.ts'
import { Pager } from './Pager.tsx'
import { Summary } from './Summary.tsx'
import { Tabs } from './Tabs.tsx'
import { Toolbar } from './Toolbar.tsx'
import { useListModel } from './useListModel.ts'
import { usePainted } from './usePainted.ts'
import './list.css'

const SideTree = lazy(() => import('./SideTree.tsx'))

/**
 * A list of records to browse, filter, sort, tick and work on.
 * @param isOutranked whether a button of the screen around it stands out already
 */
export function ListView(props: ScreenViewProps<ListPlan> & { isOutranked?: boolean }) {
  const { frame, isOutranked = false } = props
  const engine = useEngine()
  const panel = useId()
  const model = useListModel(props)
  const { screen, entity, fixed, list, data, all, change, narrow } = model
  const plan = screen.body
  const title = engine.text(screen.title)
  const commands = listCommands(model)
  const painted = usePainted(model.drawn || model.error !== null)
  return (
    <div
      ref={model.root}
      // Screens opened from here can step through the records of this list.
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
          onOpen={commands.openTab}
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
        isOutranked={isOutranked}
        drawn={painted}
        sort={list.sort}
        onSort={(sort) => change({ sort })}
        onQuery={commands.query}
      />
      {plan.summary && <Summary measures={plan.summary} values={all.summary} stale={model.isPlaceholderData} />}
      <div className="list-row">
        {plan.beside && !narrow && !fixed && (
          <Suspense fallback={<aside className="list-side" aria-busy />}>
            <SideTree
              entity={plan.beside.entity}
              label={engine.text(entity.fields[plan.beside.field].label)}
              chosen={list.filters[plan.beside.field]?.under}
              version={frame.version}
              onChosen={(id) => commands.under(plan.beside!.field, id)}
            />
          </Suspense>
        )}
        <ListPanel id={panel} title={title} model={model} commands={commands} />
      </div>
      {model.dialogs}
    </div>
  )
}

interface PartProps {
  title: string
  model: ReturnType<typeof useListModel>
  commands: ReturnType<typeof listCommands>
}

/** The records between their toolbar and their pager; on a phone the toolbar is at the bottom. */
function ListPanel({ id, title, model, commands }: PartProps & { id: string }) {
  const engine = useEngine()
  const words = useWords()
  const { screen, list, data, all, narrow, chosen, ticks } = model
  const plan = screen.body
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
      onRefresh={() => void model.refetch()}
    />
  )
  return (
    <div id={id} className="list-body" role={tab && 'tabpanel'} aria-label={tab && engine.text(tab.label)}>
      {!narrow && toolbar}
      <Records title={title} model={model} commands={commands} />
      {data && plan.tree && <p className="list-count">{words('count', { n: all.total })}</p>}
      {data && !plan.tree && (
        <Pager page={list.page} size={list.size} total={all.total} open={all.open} onChange={commands.turnTo} />
      )}
      {narrow && toolbar}
    </div>
  )
}

function Records({ title, model, commands }: PartProps) {
  const { list, offered, ticks } = model
  return (
    <ListBody
      label={title}
      card={model.card}
      drawn={model.drawn}
      error={model.error}
      hasData={model.data !== undefined}
      onRetry={() => void model.refetch()}
      columns={model.columns}
      rows={model.rows}
      rowHeight={model.rowHeight}
      stale={model.stale}
      ticks={model.tickable ? ticks : undefined}
      sums={model.sums}
      empty={
        <EmptyList
          filtered={isFiltered(list)}
          creates={offered.some(({ on, primary }) => on === 'toolbar' && primary)}
          onReset={commands.reset}
        />
      }
      sort={list.sort}
      onSort={commands.sortBy}
      onMove={commands.moveColumn}
      onResize={commands.sizeColumn}
      onToggle={model.toggle}
      ordering={model.ordering}
    />
  )
}
