import { useNotices } from '../notices.tsx'
import { useRef, useState } from 'react'
import type { ReactNode } from 'react'
import type { ActionPlan, RecordData } from '../../model/model.ts'
import type { ActionHost, RunAction, ScreenFrame } from '../frame.ts'
import { reportError } from '../reportResult.tsx'
import { RequestError } from '../RequestError.ts'
import { useEngine } from '../view.ts'
import { useWords } from '../words.ts'
import { ActionDialogs } from './ActionDialogs.tsx'
import type { Opened, Perform } from './ActionDialogs.tsx'
import type { Given } from './chosen.ts'
import { currentRecords } from './currentRecords.ts'
import { useActionConfirm } from './useActionConfirm.tsx'
import { opensDialog, useStartAction } from './useStartAction.ts'
import { useListFormat } from './useListFormat.ts'
import { useOffer } from './useOffer.ts'
import { useReportRefusal } from './useReportRefusal.tsx'
import { useSending } from './useSending.ts'

export interface Actions {
  run: RunAction
  /**
   * An action is hidden if its condition fails on any record; without the permission it stays visible and explains why.
   */
  shown(action: ActionPlan, records: RecordData[]): boolean
  granted(action: ActionPlan): boolean
  /** Explains who may use an action that is not granted. */
  refusal(action: ActionPlan): string | undefined
  /** Shows what a call would lead to, if its action foresees that. @returns whether to proceed. */
  agreed(action: ActionPlan, records: RecordData[], given?: Given): Promise<boolean>
  frame: ScreenFrame
  /** The screen renders these anywhere. */
  dialogs: ReactNode
}

/** Runs the actions of a screen on records of its entity. */
export function useActions(host: ActionHost): Actions {
  const { entity, frame } = host
  const { text } = useEngine()
  const words = useWords()
  const app = useNotices()
  const listing = useListFormat()
  const offer = useOffer(host)
  const refuse = useReportRefusal(host)
  const asking = useActionConfirm(entity)
  const { send, download } = useSending(host)
  /** A stale refusal means that the screen shows outdated records. */
  const reloadRefused = (error: unknown) => {
    if (error instanceof RequestError && error.code === 409) (host.refused ?? host.reload)()
  }
  const [opened, setOpened] = useState<Opened>()
  const { shown, granted, refusal } = offer

  const perform: Perform = async (action, records, values, seen) => {
    try {
      if (!(await asking.agreed(action, records, { values, seen }))) return false
      const labels = () => listing(Object.keys(values).map((name) => text(entity.fields[name].label)))
      await send(action, action.do.path, records, { values, seen, changed: action.do.keepEmpty ? labels() : undefined })
      return true
    } catch (error) {
      reloadRefused(error)
      throw error
    }
  }

  const begin = useStartAction(host, { asking, send, download })
  const lastOpening = useRef(0)

  async function start(action: ActionPlan, given: Parameters<RunAction>[1]) {
    if (!granted(action)) return refuse(action, typeof given === 'function' ? [] : given)
    const opening = opensDialog(action) ? ++lastOpening.current : undefined
    // A late answer to one action must not replace the dialog of a later one.
    const open = (next: Opened) => {
      if (opening === lastOpening.current) setOpened(next)
    }
    const offered = typeof given === 'function' ? await given() : given
    const newest = currentRecords(host, offered)
    // Awaits only a pending promise, so that a link is followed within the same click.
    const records = newest instanceof Promise ? await newest : newest
    // A record may have left the state for which the action was offered; a batch reports each record separately.
    if (action.on !== 'batch' && records.some((record, index) => record !== offered[index] && !shown(action, [record])))
      return
    await begin(action, records, open)
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
      refuse={refuse}
      asking={asking}
      perform={perform}
      run={run}
      reload={host.reload}
      onClose={() => setOpened(undefined)}
    />
  )
  return { run, shown, granted, refusal, agreed: asking.agreed, frame, dialogs }
}
