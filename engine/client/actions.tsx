import { App, Button } from 'antd'
import { useMemo, useRef, useState } from 'react'
import type { MouseEvent, ReactNode } from 'react'
import type {
  ActionPlan,
  CallRequest,
  CallResult,
  Outlook,
  PrepareResult,
  RecordData,
  SeenRevisions,
  Value,
} from '../model/model.ts'
import { callAndFollow } from './callAndFollow.ts'
import { CallDialog } from './CallDialog.tsx'
import type { CallAction } from './CallDialog.tsx'
import { useConditions } from './conditions.ts'
import { fill, fillLink } from './fill.ts'
import { useClient } from './frame.ts'
import type { ActionHost, RunAction, ScreenFrame } from './frame.ts'
import { MoreActions } from './MoreActions.tsx'
import { OutlookFacts } from './OutlookFacts.tsx'
import { neighbourOf } from './queue.ts'
import { useButtonPermission } from './permission.ts'
import { factsOf, RecordFacts } from './RecordFacts.tsx'
import { refused } from './refused.ts'
import { reportError, reportResult } from './reportResult.tsx'
import { ReviewDialog } from './ReviewDialog.tsx'
import type { Steps } from './StepButtons.tsx'
import { rowOffer } from './rowOffer.ts'
import { RequestError } from './request.ts'
import { ScreenDrawer } from './ScreenDrawer.tsx'
import { follow } from './ScreenProblem.tsx'
import { useEngine } from './view.ts'
import { useWords } from './words.ts'

export interface Actions {
  run: RunAction
  /**
   * Hidden where its condition fails on one of the records. Without the permission an action is shown, and says so when
   * it is used.
   */
  shown(action: ActionPlan, records: RecordData[]): boolean
  granted(action: ActionPlan): boolean
  /** Of an action that is not granted: for whom it is. */
  refusal(action: ActionPlan): string | undefined
  /** Shows what a call would come to, if its action foresees that. @returns whether it is to be made. */
  agreed(action: ActionPlan, records: RecordData[], values?: Record<string, Value>): Promise<boolean>
  frame: ScreenFrame
  /** To be drawn somewhere in the screen. */
  dialogs: ReactNode
}

/** The records of a call, with the revisions that the user saw; in a batch each may fail by itself. */
function chosen(action: ActionPlan, entity: string, records: RecordData[]): CallRequest {
  if (action.on !== 'batch' && records.length === 1) return { id: records[0].id, revision: records[0].revision }
  if (records.length === 0) return {}
  const known = records.filter(({ revision }) => revision !== undefined)
  return {
    ids: records.map(({ id }) => id!),
    ...(known.length > 0 && {
      seen: { [entity]: Object.fromEntries(known.map(({ id, revision }) => [id!, revision!])) },
    }),
  }
}

type Opened =
  | {
      kind: 'call'
      action: CallAction
      records: RecordData[]
      initial?: Record<string, Value>
      /** The revisions that its dialog was made from. */
      seen?: SeenRevisions
    }
  | { kind: 'review'; action: ActionPlan & { do: { kind: 'review' } }; record: RecordData }
  | { kind: 'drawer'; screen: string; query: Record<string, string>; action: ActionPlan; record?: RecordData }

/** What the actions of a screen do, on records of its entity. */
export function useActions(host: ActionHost): Actions {
  const { request, announce } = useClient()
  const engine = useEngine()
  const { text, language } = engine
  const words = useWords()
  const app = App.useApp()
  const follower = { app, language, request }
  const holds = useConditions(host.entity)
  const permission = useButtonPermission(host.bundle.granted)
  const [opened, setOpened] = useState<Opened>()
  const { entity, frame } = host
  const reread = useRef<Promise<readonly RecordData[]>>(undefined)
  const reload = () => {
    reread.current = Promise.resolve(host.reload()).then(
      (records) => records ?? [],
      () => [],
    )
  }
  /** After a stale refusal, show the records as they are now. */
  const reloadRefused = (error: unknown) => {
    if (error instanceof RequestError && error.code === 409) (host.refused ?? reload)()
  }
  /** One action may follow another before the screen has drawn what that one has changed. */
  async function current(records: RecordData[], rereading: Promise<readonly RecordData[]>): Promise<RecordData[]> {
    const now = await rereading
    return records.map(
      (record) => now.find(({ id, revision }) => id === record.id && revision! > record.revision!) ?? record,
    )
  }

  const granted = (action: ActionPlan) => permission.has(action.permission)
  const shown = (action: ActionPlan, records: RecordData[]) =>
    records.every((record) => holds(action.shownWhen, record))
  const question = (action: ActionPlan, records: RecordData[]): string | undefined => {
    const asked = action.confirm && text(action.confirm)
    return asked && (fill(asked, { ...records[0], n: records.length }) ?? asked)
  }
  const facts = (records: RecordData[]) => factsOf(words, engine, { entity, records })
  const allowed = (action: ActionPlan) => permission.check(action.permission)
  async function confirm(action: ActionPlan, records: RecordData[]): Promise<boolean> {
    const deleting = words(records.length > 1 ? 'deleteManyConfirm' : 'deleteConfirm', { n: records.length })
    const title = question(action, records) ?? (action.do.kind === 'delete' ? deleting : undefined)
    if (title === undefined) return true
    return await app.modal.confirm({
      title,
      content: records.length > 0 && <RecordFacts facts={facts(records)} />,
      okText: words('ok'),
      cancelText: words('cancel'),
      okButtonProps: { danger: action.danger },
    })
  }

  async function agreed(
    action: ActionPlan,
    records: RecordData[],
    values: Record<string, Value> = {},
  ): Promise<boolean> {
    const what = action.do
    if (what.kind !== 'call' || what.foresee === undefined) return true
    const call = { ...chosen(action, entity.name, records), values }
    const outlook = await callAndFollow<Outlook>(follower, what.foresee, call)
    // Stopped before it was known.
    if (outlook.facts === undefined) return false
    return await app.modal.confirm({
      title: text(action.label),
      width: 'min(640px, 100%)',
      content: (
        <OutlookFacts
          outlook={outlook}
          text={text}
          counted={(label, n) => words('counted', { label, n })}
          others={(n) => words('others', { n })}
        />
      ),
      okText: words('ok'),
      cancelText: words('cancel'),
      okButtonProps: { danger: action.danger },
    })
  }

  async function send(
    action: ActionPlan,
    path: string,
    records: RecordData[],
    {
      values,
      seen,
      ...said
    }: { values?: Record<string, Value>; seen?: SeenRevisions; done?: string; changed?: string } = {},
  ) {
    const own = chosen(action, entity.name, records)
    const all = seen || own.seen ? { seen: { ...seen, ...own.seen } } : {}
    const call: CallRequest = { ...own, ...all, ...(values && { values }) }
    const result = await callAndFollow<CallResult | null>(follower, path, call)
    reportResult(app, words, { entity, records, result, ...said, ...(result?.told && { told: text(result.told) }) })
    // What the answer names is what was asked for.
    for (const { url } of result?.files ?? []) await request.download(url.replace(/^\/api/, ''))
    announce(entity.name)
    if (result?.show) host.show?.(result.show)
    reload()
    if (!result?.passwords?.length) return
    const nameOf = (id: number) =>
      String(records.find((record) => record.id === id)?.[entity.code ?? entity.display] ?? id)
    const { tellPasswords } = await import('./tellPasswords.tsx')
    await tellPasswords(
      app,
      words,
      result.passwords.map(({ id, password }) => ({ name: nameOf(id), password })),
    )
  }
  const listOf = (texts: string[]) => new Intl.ListFormat(language === 'cn' ? 'zh-CN' : 'en').format(texts)
  const refusal = (action: ActionPlan) => {
    if (granted(action)) return undefined
    const roles = host.bundle.holders?.[action.permission] ?? []
    return roles.length > 0 ? words('onlyFor', { roles: listOf(roles) }) : words('notForYou')
  }
  /** @returns false where the user did not agree to what it would come to. */
  const perform = async (
    action: CallAction,
    records: RecordData[],
    values: Record<string, Value>,
    seen?: SeenRevisions,
  ): Promise<boolean> => {
    try {
      if (!(await agreed(action, records, values))) return false
      await send(action, action.do.path, records, {
        values,
        seen,
        changed: action.do.keepEmpty
          ? listOf(Object.keys(values).map((name) => text(entity.fields[name].label)))
          : undefined,
      })
      return true
    } catch (error) {
      reloadRefused(error)
      throw error
    }
  }

  async function download(path: string, parameters: Record<string, unknown> | undefined, done = words('downloaded')) {
    const key = `download:${path}`
    void app.message.open({ key, type: 'loading', content: words('exporting'), duration: 0 })
    try {
      await request.download(path, parameters)
      void app.message.success({ key, content: done })
    } catch (error) {
      app.message.destroy(key)
      throw error
    }
  }

  async function start(action: ActionPlan, given: Parameters<RunAction>[1]) {
    if (!allowed(action)) return
    const offered = typeof given === 'function' ? await given() : given
    const records = reread.current ? await current(offered, reread.current) : offered
    // The state it was offered for may be over. In a batch, each record is reported separately.
    if (action.on !== 'batch' && records.some((record, index) => record !== offered[index] && !shown(action, [record])))
      return
    const what = action.do
    switch (what.kind) {
      case 'link': {
        const to = fillLink(what.to, records[0] ?? {})
        if (to !== undefined) frame.navigate(to)
        return
      }
      case 'drawer':
        return setOpened({
          kind: 'drawer',
          action,
          record: records.length === 1 ? records[0] : undefined,
          screen: what.screen,
          query: {
            ...(records.length === 0 && host.preset),
            ...Object.fromEntries(
              Object.entries(what.query).map(([name, value]) => [
                name,
                fill(value, { ...records[0], ids: records.map(({ id }) => id).join(',') }) ?? '',
              ]),
            ),
          },
        })
      case 'review':
        return setOpened({ kind: 'review', action: { ...action, do: what }, record: records[0] })
      case 'export':
        return download(
          what.path,
          host.exportQuery?.(records) ?? { ids: records.map(({ id }) => id).join(',') },
          words('exported'),
        )
      case 'download':
        return download(
          what.path,
          Object.fromEntries(Object.entries(what.query).map(([name, value]) => [name, fill(value, records[0] ?? {})])),
        )
      case 'delete':
        if (await confirm(action, records)) return send(action, what.path, records, { done: words('deleted') })
        return void app.message.info(words('deleteCancelled'))
      case 'call':
        if (what.prepare !== undefined) {
          const { values, seen } = await request.post<PrepareResult>(what.prepare, chosen(action, entity.name, records))
          return setOpened({ kind: 'call', action: { ...action, do: what }, records, initial: values, seen })
        }
        if (what.form.length > 0) return setOpened({ kind: 'call', action: { ...action, do: what }, records })
        if (what.foresee === undefined ? await confirm(action, records) : await agreed(action, records))
          return send(action, what.path, records, { values: {} })
    }
  }
  const run: RunAction = (action, records) =>
    void start(action, records).catch((error: unknown) => {
      reloadRefused(error)
      reportError(app, words, error)
    })

  const close = () => setOpened(undefined)
  /** The same action on the rows before and after that it is there for. */
  const stepsFrom = (action: ActionPlan, record: RecordData | undefined): Steps | undefined => {
    if (!record || !host.rows) return undefined
    const [previous, next] = ([-1, 1] as const).map((step) => {
      const found = neighbourOf(host.rows!, record, step, (row) => shown(action, [row]))
      return found && (() => run(action, [found]))
    })
    return previous || next ? { previous, next } : undefined
  }
  const dialogs = (
    <>
      {opened?.kind === 'call' && (
        <CallDialog
          host={host}
          action={opened.action}
          records={opened.records}
          initial={opened.initial}
          facts={facts(opened.records)}
          question={question(opened.action, opened.records)}
          onClose={close}
          perform={(values) => perform(opened.action, opened.records, values, opened.seen)}
        />
      )}
      {opened?.kind === 'review' && (
        <ReviewDialog
          host={host}
          action={opened.action}
          record={opened.record}
          allowed={allowed}
          refusal={refusal}
          confirm={confirm}
          perform={perform}
          onClose={close}
          shown={(action, record) => shown(action, [record])}
          steps={stepsFrom(opened.action, opened.record)}
        />
      )}
      {opened?.kind === 'drawer' && (
        <ScreenDrawer
          screen={opened.screen}
          query={opened.query}
          frame={frame}
          steps={stepsFrom(opened.action, opened.record)}
          onClose={(changed) => {
            close()
            if (changed) reload()
          }}
        />
      )}
    </>
  )
  return { run, shown, granted, refusal, agreed, frame, dialogs }
}

interface ActionProps {
  actions: Actions
  action: ActionPlan
  records: RecordData[]
}

/** A button of a toolbar, a header or a footer; a real link where the action leads somewhere. */
export function ActionButton({
  actions,
  action,
  records,
  count,
}: ActionProps & { /** Of ticked records, for batches. */ count?: number }) {
  const { text } = useEngine()
  const { href } = useClient()
  const words = useWords()
  const label = count ? words('counted', { label: text(action.label), n: count }) : text(action.label)
  const type = action.primary ? 'primary' : 'default'
  const to = linkOf(actions, action, records)
  if (to !== undefined)
    return (
      <Button
        data-action={action.name}
        type={type}
        href={href(to)}
        onClick={(event) => follow(event, actions.frame, to)}
      >
        {label}
      </Button>
    )
  const refusal = actions.refusal(action)
  return (
    <Button
      {...refused(refusal)}
      data-action={action.name}
      type={refusal === undefined ? type : 'default'}
      danger={action.danger && refusal === undefined}
      disabled={count === 0}
      onClick={() => actions.run(action, records)}
    >
      {label}
    </Button>
  )
}

/** Where an action leads, for those who may go there. */
function linkOf({ granted }: Actions, action: ActionPlan, records: RecordData[]): string | undefined {
  return action.do.kind === 'link' && granted(action) ? fillLink(action.do.to, records[0] ?? {}) : undefined
}

function ActionLink({ actions, action, records, of }: ActionProps & { of?: string }) {
  const { text } = useEngine()
  const { href } = useClient()
  const to = linkOf(actions, action, records)
  const common = { className: 'action-link', 'data-action': action.name, 'data-danger': action.danger || undefined }
  const label = text(action.label)
  if (to !== undefined)
    return (
      <a
        {...common}
        aria-describedby={of}
        href={href(to)}
        onClick={(event: MouseEvent) => follow(event, actions.frame, to)}
      >
        {label}
      </a>
    )
  const refusal = actions.refusal(action)
  return (
    <button
      {...common}
      aria-describedby={refusal === undefined ? of : undefined}
      {...refused(refusal)}
      type="button"
      onClick={() => actions.run(action, records)}
    >
      {label}
    </button>
  )
}

interface RowActionsProps {
  actions: Actions
  plans: ActionPlan[]
  record: RecordData
  /** What a click on the row does anyway. */
  opens?(plan: ActionPlan): boolean
  /** The id of the element that says whose they are. */
  of?: string
}

/** The actions of one record: the next one, and a menu of the others. */
export function RowActions({ actions, plans, record, opens, of }: RowActionsProps) {
  const shown = plans.filter((plan) => actions.shown(plan, [record]))
  const { seen, more } = rowOffer(shown, { granted: actions.granted, opens })
  const records = useMemo(() => [record], [record])
  return (
    <>
      {seen.map((plan) => (
        <ActionLink key={plan.name} actions={actions} action={plan} records={records} of={of} />
      ))}
      {more.length > 0 && (
        <MoreActions plans={more} refusal={actions.refusal} of={of} onChoose={(plan) => actions.run(plan, records)} />
      )}
    </>
  )
}
