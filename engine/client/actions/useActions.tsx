import { App } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import type { ActionPlan, PrepareResult, RecordData, Value } from '../../model/model.ts'
import { fill, fillLink } from '../fill.ts'
import { useClient } from '../frame.ts'
import type { ActionHost, RunAction, ScreenFrame } from '../frame.ts'
import { reportError } from '../reportResult.tsx'
import { RequestError } from '../request.ts'
import { useEngine } from '../view.ts'
import { useWords } from '../words.ts'
import { ActionDialogs } from './ActionDialogs.tsx'
import type { Opened, Perform } from './ActionDialogs.tsx'
import { asTheyAre } from './asTheyAre.ts'
import { chosen } from './chosen.ts'
import { useAsking } from './useAsking.tsx'
import { useListing } from './useListing.ts'
import { useOffer } from './useOffer.ts'
import { useSending } from './useSending.ts'

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

/** What the actions of a screen do, on records of its entity. */
export function useActions(host: ActionHost): Actions {
  const { entity, frame } = host
  const { request } = useClient()
  const { text } = useEngine()
  const words = useWords()
  const app = App.useApp()
  const listing = useListing()
  const offer = useOffer(host)
  const asking = useAsking(entity)
  const { send, download } = useSending(host)
  /** After a stale refusal, shows the records as they are now. */
  const reloadRefused = (error: unknown) => {
    if (error instanceof RequestError && error.code === 409) (host.refused ?? host.reload)()
  }
  const [opened, setOpened] = useState<Opened>()
  const { shown, granted, refusal } = offer

  const perform: Perform = async (action, records, values, seen) => {
    try {
      if (!(await asking.agreed(action, records, values))) return false
      const labels = () => listing(Object.keys(values).map((name) => text(entity.fields[name].label)))
      await send(action, action.do.path, records, { values, seen, changed: action.do.keepEmpty ? labels() : undefined })
      return true
    } catch (error) {
      reloadRefused(error)
      throw error
    }
  }

  const begin: { [K in ActionPlan['do']['kind']]: Begin<K> } = {
    link({ do: { to } }, records) {
      const route = fillLink(to, records[0] ?? {})
      if (route !== undefined) frame.navigate(route)
    },
    drawer(action, records) {
      const { screen, query } = action.do
      const known = { ...records[0], ids: records.map(({ id }) => id).join(',') }
      const filled = Object.entries(query).map(([name, value]) => [name, fill(value, known) ?? ''])
      setOpened({
        kind: 'drawer',
        action,
        record: records.length === 1 ? records[0] : undefined,
        screen,
        query: { ...(records.length === 0 && host.preset), ...Object.fromEntries(filled) },
      })
    },
    review: (action, [record]) => setOpened({ kind: 'review', action, record }),
    export: ({ do: { path } }, records) =>
      download(path, host.exportQuery?.(records) ?? { ids: records.map(({ id }) => id).join(',') }, words('exported')),
    download({ do: { path, query, done } }, records) {
      const filled = Object.entries(query).map(([name, value]) => [name, fill(value, records[0] ?? {})])
      return download(path, Object.fromEntries(filled), done && text(done))
    },
    async delete(action, records) {
      if (await asking.confirm(action, records))
        return send(action, action.do.path, records, { done: words('deleted') })
      void app.message.info(words('deleteCancelled'))
    },
    async call(action, records) {
      const { prepare, form, foresee, path } = action.do
      if (prepare !== undefined) {
        const { values, seen } = await request.post<PrepareResult>(prepare, chosen(action, entity.name, records))
        return setOpened({ kind: 'call', action, records, initial: values, seen })
      }
      if (form.length > 0) return setOpened({ kind: 'call', action, records })
      if (await (foresee === undefined ? asking.confirm : asking.agreed)(action, records))
        return send(action, path, records, { values: {} })
    },
  }

  async function start(action: ActionPlan, given: Parameters<RunAction>[1]) {
    if (!offer.allowed(action)) return
    const offered = typeof given === 'function' ? await given() : given
    const newest = asTheyAre(host, offered)
    // At once where it can be: whoever follows a link goes there in the same step.
    const records = newest instanceof Promise ? await newest : newest
    // The state it was offered for may be over. In a batch, each record is reported separately.
    if (action.on !== 'batch' && records.some((record, index) => record !== offered[index] && !shown(action, [record])))
      return
    await (begin[action.do.kind] as Begin<ActionPlan['do']['kind']>)(action, records)
  }
  const run: RunAction = (action, records) =>
    void start(action, records).catch((error: unknown) => {
      reloadRefused(error)
      reportError(app, words, error)
    })

  const dialogs = opened && (
    <ActionDialogs
      host={host}
      opened={opened}
      offer={offer}
      asking={asking}
      perform={perform}
      run={run}
      reload={host.reload}
      onClose={() => setOpened(undefined)}
    />
  )
  return { run, shown, granted, refusal, agreed: asking.agreed, frame, dialogs }
}

type Begin<K extends ActionPlan['do']['kind']> = (
  action: ActionPlan & { do: Extract<ActionPlan['do'], { kind: K }> },
  records: RecordData[],
) => void | Promise<void>
