import { useEffect, useMemo } from 'react'
import type { ReactNode } from 'react'
import { useConditions } from '../../client/conditions.ts'
import { Trail } from '../../client/Trail.tsx'
import { FormRoot, useFormModel } from '../../client/form.tsx'
import { FormSection } from '../../client/formSections.tsx'
import { Notices } from '../../client/formNotices.tsx'
import { WidgetDisplay } from '../../client/formWidget.tsx'
import {
  ActionButton,
  OutdatedAlert,
  RequestError,
  ScreenFailure,
  ScreenProblem,
  ScreenSkeleton,
  Tabs,
  fieldText,
  useActions,
  useClient,
  useEngine,
  useRecord,
  useShownRecord,
  useWords,
} from '../../client/index.ts'
import type { ScreenFrame, ScreenViewProps } from '../../client/index.ts'
import { useNewestRecord } from '../../client/records.ts'
import { pathOf } from '../../model/model.ts'
import type { EntityPlan, RecordData } from '../../model/model.ts'
import type { DetailPlan, DetailTab } from './detail.ts'
import { FieldTable, RelatedFieldTable } from './fieldTable.view.tsx'
import { Grouped } from './grouped.view.tsx'
import { History } from './history.view.tsx'
import { Neighbours } from './neighbours.view.tsx'
import { RelatedLists } from './related.view.tsx'
import './detail.css'

type Props = ScreenViewProps<DetailPlan>

/** One record: its facts at the top, the rest in tabs, each rendered when first opened. */
export function DetailView(props: Props) {
  const { plan, query, frame } = props
  const words = useWords()
  const { data, error, refetch } = useRecord(plan.body.paths.detail, query.id, { version: frame.version })
  const { setBusy } = frame
  useEffect(() => {
    if (data || error) setBusy(false)
  }, [data, error, setBusy])
  if (!query.id) return <ScreenProblem plan={plan} frame={frame} message={words('parameterMissing')} />
  if (error instanceof RequestError && error.code === 404)
    return <ScreenProblem plan={plan} frame={frame} message={words('recordMissing')} />
  if (error && !data) return <ScreenFailure title={words('screenFailed')} error={error} retry={() => void refetch()} />
  if (!data) return <ScreenSkeleton />
  return <Detail {...props} record={data} error={error} reload={() => void refetch()} />
}

interface DetailProps extends Props {
  record: RecordData
  /** Why the record could not be read again. */
  error: Error | null
  reload(): void
}

function Detail({ plan, bundle, frame, record, error, reload }: DetailProps) {
  const { body } = plan
  const { text } = useEngine()
  const entity = bundle.entities[plan.entity!]
  const holds = useConditions(entity)
  const tabs = body.tabs.filter(({ shownWhen }) => holds(shownWhen, record))
  useCountedReading(entity, record)
  useShownRecord(frame, entity, record)
  const tab = tabs.some(({ name }) => name === frame.state.tab) ? frame.state.tab : tabs[0]?.name
  const content = (each: DetailTab) => (
    <Tab
      screen={plan.name}
      tab={each}
      entity={entity}
      entities={bundle.entities}
      record={record}
      frame={frame}
      path={body.paths.history}
      reload={reload}
    />
  )
  return (
    <article className="detail-view" aria-label={text(plan.title)}>
      {error && <OutdatedAlert error={error} retry={reload} />}
      <Header plan={plan} bundle={bundle} query={{}} frame={frame} entity={entity} record={record} reload={reload} />
      <div className="detail-tabs">
        {tabs.length <= 1 ? (
          tabs[0] && content(tabs[0])
        ) : (
          <Tabs
            label={text(plan.title)}
            active={tab}
            onChange={(name) => frame.setState({ ...frame.state, tab: name })}
            tabs={tabs.map((each) => ({ name: each.name, label: text(each.label), content: content(each) }))}
          />
        )}
      </div>
    </article>
  )
}

/** Records that the user has opened the record, if the entity counts its readers. */
function useCountedReading(entity: EntityPlan, record: RecordData) {
  const { request } = useClient()
  const holds = useConditions(entity)
  const counted = entity.reads !== undefined && holds(entity.reads.when, record)
  const id = record.id!
  useEffect(() => {
    // The record is shown anyway: a failed count does not concern the reader.
    if (counted) void request.post(pathOf(entity.endpoint, 'read'), { id }).catch(() => undefined)
  }, [counted, request, entity.endpoint, id])
}

function Header({
  plan,
  bundle,
  frame,
  entity,
  record,
  reload,
}: Props & { entity: EntityPlan; record: RecordData; reload(): void }) {
  const { body } = plan
  const engine = useEngine()
  const { text } = engine
  const newest = useNewestRecord(body.paths.detail, record.id, frame.version)
  const actions = useActions({ entity, bundle, frame, reload, newest })
  const records = useMemo(() => [record], [record])
  const model = useFormModel(
    useMemo(() => ({ entity, sections: [], mode: 'read' as const, old: record }), [entity, record]),
  )
  const holds = useConditions(entity)
  const facts = body.header
    .flatMap((name) => entity.fields[name] ?? [])
    .filter(({ visibleWhen }) => visibleWhen === undefined || holds(visibleWhen, record))
  const display = entity.fields[entity.display]
  return (
    <>
      <Notices model={model} notices={body.notices} />
      <header className="detail-header">
        <div className="detail-header-line">
          {frame.place === 'page' && <h1>{text(plan.title)}</h1>}
          {display && <span className="detail-name">{fieldText(record[display.name], display, engine)}</span>}
          {plan.route !== undefined &&
            frame.place === 'page' &&
            (body.neighbours ? (
              <Neighbours neighbours={body.neighbours} record={record} route={plan.route} frame={frame} />
            ) : (
              <Trail entity={entity.name} id={record.id!} route={plan.route} frame={frame} />
            ))}
          <div className="detail-actions">
            {body.actions
              .filter((action) => actions.shown(action, records))
              .map((action) => (
                <ActionButton key={action.name} actions={actions} action={action} records={records} />
              ))}
          </div>
        </div>
        {facts.length > 0 && (
          <dl className="detail-facts">
            {facts.map((field) => (
              <div key={field.name}>
                <dt>{text(field.label)}</dt>
                <dd>
                  <WidgetDisplay value={record[field.name]} field={field} />
                </dd>
              </div>
            ))}
          </dl>
        )}
      </header>
      {actions.dialogs}
    </>
  )
}

interface TabProps {
  screen: string
  tab: DetailTab
  entity: EntityPlan
  entities: Record<string, EntityPlan>
  record: RecordData
  frame: ScreenFrame
  path: string
  reload(): void
}

function Tab({ screen, tab, entity, entities, record, frame, path, reload }: TabProps) {
  const { text } = useEngine()
  return (
    <>
      {tab.sections && <Sections sections={tab.sections} entity={entity} record={record} />}
      {tab.table && !tab.table.of && <FieldTable label={tab.label} table={tab.table} entity={entity} record={record} />}
      {tab.table?.of && (
        <RelatedFieldTable
          label={tab.label}
          table={tab.table}
          by={tab.table.of.by}
          entity={entities[tab.table.of.entity]}
          id={record.id!}
          version={frame.version + (record.revision ?? 0)}
        />
      )}
      {tab.related && <RelatedLists related={tab.related} record={record} frame={frame} reload={reload} />}
      {tab.grouped && (
        <Grouped
          grouped={tab.grouped}
          screen={screen}
          tab={tab.name}
          label={text(tab.label)}
          id={record.id!}
          version={frame.version}
        />
      )}
      {tab.history && <History path={path} id={record.id!} version={frame.version} />}
    </>
  )
}

function Sections({
  sections,
  entity,
  record,
}: {
  sections: NonNullable<DetailTab['sections']>
  entity: EntityPlan
  record: RecordData
}) {
  const { text } = useEngine()
  const model = useFormModel(
    useMemo(() => ({ entity, sections, mode: 'read' as const, old: record }), [entity, sections, record]),
  )
  const frame = (index: number) => (fields: ReactNode) => {
    const { title } = sections[index]
    return (
      <section className="detail-section">
        {title && <h2 className="detail-section-title">{text(title)}</h2>}
        {fields}
      </section>
    )
  }
  return (
    <FormRoot model={model}>
      {sections.map((_, index) => (
        <FormSection key={index} index={index} frame={frame(index)} />
      ))}
    </FormRoot>
  )
}
