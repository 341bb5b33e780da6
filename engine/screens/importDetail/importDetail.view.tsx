import { Alert } from 'antd'
import { useEffect, useMemo, useRef } from 'react'
import { WidgetDisplay } from '../../client/formWidget.tsx'
import { fillLink } from '../../client/fill.ts'
import {
  ActionButton,
  RequestError,
  ScreenFailure,
  ScreenProblem,
  ScreenSkeleton,
  fieldText,
  follow,
  useActions,
  useClient,
  useEngine,
  useRecord,
  useShownRecord,
  useWords,
} from '../../client/index.ts'
import type { ScreenViewProps } from '../../client/index.ts'
import { useNewestRecord } from '../../client/records.ts'
import type { Field, RecordData } from '../../model/model.ts'
import { ListView } from '../list/list.view.tsx'
import type { ImportDetailPlan } from './importDetail.ts'
import { useImportWords } from './useImportWords.ts'
import { ProblemGroups } from './ProblemGroups.tsx'
import { ProgressLine } from './ProgressLine.tsx'
import { isAtWork, stateOf } from './progress.ts'
import { useRowsOfBatch } from './useRowsOfBatch.ts'
import './importDetail.css'

type Props = ScreenViewProps<ImportDetailPlan>
/** The batch as of that moment, in milliseconds. */
type BatchProps = Props & { batch: RecordData; at: number; reload(): void }
const pollMilliseconds = 1500

/** One file: its result and available decisions at the top, its rows below. */
export function ImportDetailView(props: Props) {
  const { plan, query, frame } = props
  const words = useWords()
  const { data, dataUpdatedAt, error, refetch } = useRecord(plan.body.batch.paths.detail, query.batchId, {
    version: frame.version,
  })
  const { setBusy, active } = frame
  useEffect(() => {
    if (error) setBusy(false)
  }, [error, setBusy])
  const processing = data !== undefined && isAtWork(data)
  useEffect(() => {
    if (!processing || !active) return
    const timer = setInterval(() => void refetch(), pollMilliseconds)
    return () => clearInterval(timer)
  }, [processing, active, refetch])
  if (!query.batchId) return <ScreenProblem plan={plan} frame={frame} message={words('parameterMissing')} />
  if (error instanceof RequestError && error.code === 404)
    return <ScreenProblem plan={plan} frame={frame} message={words('recordMissing')} />
  if (error && !data) return <ScreenFailure title={words('screenFailed')} error={error} retry={() => void refetch()} />
  if (!data) return <ScreenSkeleton />
  return <ImportDetail {...props} batch={data} at={dataUpdatedAt} reload={() => void refetch()} />
}

function ImportDetail(props: BatchProps) {
  const { plan, bundle, frame, batch, reload } = props
  const { text } = useEngine()
  const { entity } = plan.body.batch
  useShownRecord(frame, bundle.entities[entity], batch)
  useFinished(entity, isAtWork(batch))
  const rows = useRowsOfBatch({ plan, frame, batch })
  return (
    <article className="import-detail" aria-label={text(plan.title)}>
      {frame.place === 'page' && <h1 className="visually-hidden">{text(plan.title)}</h1>}
      <BatchPanel {...props} />
      <ListView {...props} {...rows} onChanged={reload} />
    </article>
  )
}

/** Announces the end of a job, which has changed what other screens show, and has sent a message. */
function useFinished(entity: string, atWork: boolean) {
  const { announce } = useClient()
  const before = useRef(atWork)
  useEffect(() => {
    if (before.current && !atWork) announce(entity)
    before.current = atWork
  }, [atWork, announce, entity])
}

function BatchPanel({ plan, bundle, frame, batch, at, reload }: BatchProps) {
  const { body } = plan
  const { facts, actions: plans, paths, entity: name } = body.batch
  const entity = bundle.entities[name]
  const engine = useEngine()
  const words = useImportWords()
  const newest = useNewestRecord(paths.detail, batch.id, frame.version)
  const actions = useActions({ entity, bundle, frame, reload, newest })
  const records = useMemo(() => [batch], [batch])
  const batchText = (field: string) => (batch[field] ? fieldText(batch[field], entity.fields[field], engine) : '')
  return (
    <section className="import-batch" aria-label={words('batch')}>
      <div className="import-batch-line">
        <span className="import-batch-name">{batchText('batchNo')}</span>
        <span className="import-batch-file">{batchText('fileName')}</span>
        <div className="import-batch-actions">
          {plans
            .filter((action) => actions.shown(action, records))
            .map((action) => (
              <ActionButton key={action.name} actions={actions} action={action} records={records} />
            ))}
        </div>
      </div>
      <ProgressLine batch={batch} at={at} />
      {batchText('failReason') && <Alert type="error" showIcon message={batchText('failReason')} />}
      {batchText('notes') && <Alert type="warning" showIcon message={batchText('notes')} />}
      <dl className="import-facts">
        {facts
          .filter(({ field }) => entity.fields[field] && (batch[field] ?? null) !== null)
          .map(({ field, link }) => (
            <div key={field} data-failed={(field === 'failCount' && Number(batch[field]) > 0) || undefined}>
              <dt>{engine.text(entity.fields[field].label)}</dt>
              <dd>
                <Fact batch={batch} field={entity.fields[field]} link={link} frame={frame} />
              </dd>
            </div>
          ))}
      </dl>
      {(Number(batch.failCount) > 0 || body.batch.givesHints) && (
        <ProblemGroups
          path={paths.problems}
          id={batch.id!}
          state={stateOf(batch)}
          rows={bundle.entities[plan.entity!]}
          pause={isAtWork(batch)}
        />
      )}
      {actions.dialogs}
    </section>
  )
}

function Fact({
  batch,
  field,
  link,
  frame,
}: Pick<Props, 'frame'> & { batch: RecordData; field: Field; link: string | undefined }) {
  const { href } = useClient()
  const to = link && fillLink(link, batch)
  const value = <WidgetDisplay value={batch[field.name]} field={field} />
  return to ? (
    <a className="action-link" href={href(to)} onClick={(event) => follow(event, frame, to)}>
      {value}
    </a>
  ) : (
    value
  )
}
