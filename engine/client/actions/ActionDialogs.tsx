import type { ActionPlan, RecordData, SeenRevisions, Value } from '../../model/model.ts'
import type { ActionHost, RunAction } from '../frame.ts'
import { ScreenDrawer } from '../ScreenDrawer.tsx'
import type { Steps } from '../StepButtons.tsx'
import { neighbourOf } from '../queue.ts'
import { CallDialog } from './CallDialog.tsx'
import type { CallAction } from './CallDialog.tsx'
import { ReviewDialog } from './ReviewDialog.tsx'
import type { useActionConfirm } from './useActionConfirm.tsx'
import type { useOffer } from './useOffer.ts'
import type { useReportRefusal } from './useReportRefusal.tsx'

export type Opened =
  | {
      kind: 'call'
      action: CallAction
      records: RecordData[]
      initial?: Record<string, Value>
      /** The revisions that the dialog was opened with. */
      seen?: SeenRevisions
    }
  | { kind: 'review'; action: ActionPlan & { do: { kind: 'review' } }; record: RecordData }
  | { kind: 'drawer'; screen: string; query: Record<string, string>; action: ActionPlan; record?: RecordData }

/** @returns false if the user did not accept the outlook. */
export type Perform = (
  action: CallAction,
  records: RecordData[],
  values: Record<string, Value>,
  seen?: SeenRevisions,
) => Promise<boolean>

interface ActionDialogsProps {
  host: ActionHost
  opened: Opened
  offer: ReturnType<typeof useOffer>
  refuse: ReturnType<typeof useReportRefusal>
  asking: ReturnType<typeof useActionConfirm>
  perform: Perform
  run: RunAction
  reload(): void
  onClose(): void
}

/** The dialog or drawer that an action opened. */
export function ActionDialogs({ host, opened, offer, refuse, asking, perform, ...rest }: ActionDialogsProps) {
  const { run, reload, onClose } = rest
  /** Steps to the rows before and after that offer the same action. */
  const stepsFrom = (action: ActionPlan, record: RecordData | undefined): Steps | undefined => {
    if (!record || !host.rows) return undefined
    const [previous, next] = ([-1, 1] as const).map((step) => {
      const found = neighbourOf(host.rows!, record, step, (row) => offer.shown(action, [row]))
      return found && (() => run(action, [found]))
    })
    return previous || next ? { previous, next } : undefined
  }
  switch (opened.kind) {
    case 'call':
      return (
        <CallDialog
          host={host}
          action={opened.action}
          records={opened.records}
          initial={opened.initial}
          facts={asking.facts(opened.records)}
          question={asking.question(opened.action, opened.records)}
          onClose={onClose}
          withdraw={asking.withdraw}
          perform={(values) => perform(opened.action, opened.records, values, opened.seen)}
        />
      )
    case 'review':
      return (
        <ReviewDialog
          host={host}
          action={opened.action}
          record={opened.record}
          allowed={(action) => {
            if (!offer.granted(action)) refuse(action, [opened.record])
            return offer.granted(action)
          }}
          refusal={offer.refusal}
          confirm={asking.confirm}
          perform={perform}
          withdraw={asking.withdraw}
          onClose={onClose}
          shown={(action, record) => offer.shown(action, [record])}
          steps={stepsFrom(opened.action, opened.record)}
        />
      )
    case 'drawer':
      return (
        <ScreenDrawer
          screen={opened.screen}
          query={opened.query}
          frame={host.frame}
          steps={stepsFrom(opened.action, opened.record)}
          onChanged={reload}
          onClose={onClose}
        />
      )
  }
}
