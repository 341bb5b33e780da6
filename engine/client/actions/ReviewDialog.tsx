import { App, Modal } from 'antd'
import { useState } from 'react'
import { pathOf } from '../../model/model.ts'
import type { ActionPlan, RecordData, Value } from '../../model/model.ts'
import type { CallAction } from './CallDialog.tsx'
import type { ActionHost } from '../frame.ts'
import { usePreference, useRecord } from '../records.ts'
import { reportError } from '../reportResult.tsx'
import { RequestError } from '../RequestError.ts'
import type { Steps } from '../StepButtons.tsx'
import { ReviewFields } from './ReviewFields.tsx'
import { ReviewFooter } from './ReviewFooter.tsx'
import { ReviewQuestion } from './ReviewQuestion.tsx'
import type { CallForm } from './useCallForm.tsx'
import { useEngine } from '../view.ts'
import { useWords } from '../words.ts'

interface ReviewDialogProps {
  host: ActionHost
  action: ActionPlan & { do: { kind: 'review' } }
  record: RecordData
  shown(action: ActionPlan, record: RecordData): boolean
  /** Whether the user has the permission; if not, tells the user so. */
  allowed(action: ActionPlan): boolean
  refusal(action: ActionPlan): string | undefined
  /** Puts the call's question to the user, if it has one. */
  confirm(action: ActionPlan, records: RecordData[]): Promise<boolean>
  perform(action: CallAction, records: RecordData[], values: Record<string, Value>): Promise<boolean>
  /** To the neighbouring records that wait for the same decision. */
  steps?: Steps
  onClose(): void
}

/** Shows a record and offers the decisions about it; a decision that prompts for fields does so in the same dialog. */
export function ReviewDialog({
  host,
  action,
  record: listed,
  shown,
  allowed,
  refusal,
  confirm,
  perform,
  steps,
  onClose,
}: ReviewDialogProps) {
  const { text } = useEngine()
  const words = useWords()
  const app = App.useApp()
  const { data } = useRecord(pathOf(host.entity.endpoint, 'detail'), listed.id)
  // A cached detail may be older than the list.
  const record = data && (data.revision ?? 0) >= (listed.revision ?? 0) ? { ...listed, ...data } : listed
  const [asked, setAsked] = useState<CallAction>()
  const [open, setOpen] = useState(true)
  const [saving, setSaving] = useState(false)
  const goesOn = usePreference<boolean>('review:goesOn')
  const calls = action.do.calls.filter((call): call is CallAction => call.do.kind === 'call' && shown(call, record))

  async function run(call: CallAction, values: Record<string, Value>, refuse?: CallForm['refuse']) {
    setSaving(true)
    try {
      if (!(await perform(call, [record], values))) return
      if (goesOn.value && steps?.next) step(steps.next)
      else setOpen(false)
    } catch (error) {
      if (!(error instanceof RequestError && refuse?.(error.errors))) reportError(app, words, error)
    } finally {
      setSaving(false)
    }
  }
  async function choose(call: CallAction) {
    if (!allowed(call)) return
    if (call.do.form.length > 0) setAsked(call)
    else if (call.do.foresee !== undefined || (await confirm(call, [record]))) await run(call, {})
  }
  const close = () => setOpen(false)
  const step = (go: () => void) => {
    setAsked(undefined)
    go()
  }
  const footer = asked ? null : (
    <ReviewFooter
      calls={calls}
      refusal={refusal}
      saving={saving}
      goesOn={goesOn}
      steps={steps}
      step={step}
      choose={choose}
      close={close}
    />
  )
  return (
    <Modal
      open={open}
      title={text(action.label)}
      width={760}
      maskClosable={false}
      footer={footer}
      onCancel={close}
      afterClose={onClose}
    >
      <div className="review">
        <ReviewFields entity={host.entity} names={action.do.show} record={record} />
        {asked && (
          <ReviewQuestion
            key={asked.name}
            host={host}
            call={asked}
            record={record}
            saving={saving}
            run={run}
            onBack={() => setAsked(undefined)}
          />
        )}
      </div>
    </Modal>
  )
}
