import { Alert } from 'antd'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
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
import { isAtWork, paceOf, progressOf, stateOf } from './progress.ts'
import type { Progress } from './progress.ts'
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
  const { announce } = useClient()
  const { entity: name } = plan.body.batch
  useShownRecord(frame, bundle.entities[name], batch)
  const id = batch.id!
  const fixed = useMemo(() => ({ batch: { equals: id } }), [id])
  // Each state of the batch means new states of its rows; while they are being processed, the list follows.
  const [changes, setChanges] = useState(0)
  const { status } = batch
  const state = stateOf(batch)
  const first = useRef(state)
  useEffect(() => {
    if (first.current !== state) setChanges((count) => count + 1)
  }, [state])
  // A finished job changes what other screens show, and has sent a message.
  const before = useRef(status)
  useEffect(() => {
    if (isAtWork({ status: before.current }) && !isAtWork({ status })) announce(name)
    before.current = status
  }, [status, announce, name])
  const opens = useOpeningTab(plan.body, batch)
  const rowsFrame = useMemo(
    () => ({ ...frame, ...opens(frame), version: frame.version * 10_000 + changes }),
    [frame, opens, changes],
  )
  const rowsPlan = useMemo(
    () => ({
      ...plan,
      body: {
        ...plan.body,
        actions: plan.body.actions.filter(({ name }) => name !== 'fix' || status === 'checked'),
      },
    }),
    [plan, status],
  )
  return (
    <article className="import-detail" aria-label={text(plan.title)}>
      {frame.place === 'page' && <h1 className="visually-hidden">{text(plan.title)}</h1>}
      <BatchPanel {...props} />
      <ListView
        {...props}
        plan={rowsPlan}
        frame={rowsFrame}
        fixed={fixed}
        onChanged={reload}
        // The decision to write the file stands out.
        isOutranked={status === 'checked'}
      />
    </article>
  )
}

/**
 * Failed rows are shown first, unless another tab was chosen; choosing the first tab then puts its name in the address.
 */
function useOpeningTab({ tabs }: ImportDetailPlan, { failCount }: RecordData) {
  const first = tabs[0]?.name
  const opening = Number(failCount) > 0 && tabs.some(({ name }) => name === 'failed') ? 'failed' : first
  return useCallback(
    ({ state, setState }: Props['frame']): Pick<Props['frame'], 'state' | 'setState'> =>
      opening === undefined
        ? { state, setState }
        : { state: { tab: opening, ...state }, setState: (chosen) => setState({ tab: first, ...chosen }) },
    [opening, first],
  )
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
  const said = (field: string) => (batch[field] ? fieldText(batch[field], entity.fields[field], engine) : '')
  return (
    <section className="import-batch" aria-label={words('batch')}>
      <div className="import-batch-line">
        <span className="import-batch-name">{said('batchNo')}</span>
        <span className="import-batch-file">{said('fileName')}</span>
        <div className="import-batch-actions">
          {plans
            .filter((action) => actions.shown(action, records))
            .map((action) => (
              <ActionButton key={action.name} actions={actions} action={action} records={records} />
            ))}
        </div>
      </div>
      <ProgressLine batch={batch} at={at} />
      {said('failReason') && <Alert type="error" showIcon message={said('failReason')} />}
      {said('notes') && <Alert type="warning" showIcon message={said('notes')} />}
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

const saying = { reading: 'checking', writing: 'writing', undoing: 'undoing' } as const

/** Progress, speed and remaining time. */
function ProgressLine({ batch, at }: Pick<BatchProps, 'batch' | 'at'>) {
  const words = useImportWords()
  const now = useMemo(() => progressOf(batch, at), [batch, at])
  const begin = useRef<Progress>()
  if (begin.current?.phase !== now?.phase) begin.current = now
  if (!now) return null
  // The first rows are written all at once, so nothing can be counted until then.
  const isCounted = now.all !== undefined && now.done > 0
  const { rate, left } = paceOf(begin.current, now)
  const parts = [
    words(now.phase === 'writing' && now.done === 0 ? 'writingAll' : saying[now.phase], {
      n: now.done,
      all: now.all ?? 0,
    }),
    ...(rate === undefined ? [] : [words('rate', { n: rate })]),
    ...(left === undefined ? [] : [words(left.unit, { n: left.n })]),
    words('leave'),
  ]
  return (
    <div className="import-progress">
      <progress aria-label={words('progress')} max={now.all} value={isCounted ? now.done : undefined} />
      <span role="status">{parts.join(' · ')}</span>
    </div>
  )
}
