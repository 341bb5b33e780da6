import { Modal } from '../overlays.tsx'
import { useState } from 'react'
import { pathOf } from '../../model/model.ts'
import type { ActionPlan, RecordData } from '../../model/model.ts'
import type { CallAction } from './CallDialog.tsx'
import { useShown } from '../frame.ts'
import type { ActionHost } from '../frame.ts'
import { usePreference, useRecord } from '../records.ts'
import type { Steps } from '../StepButtons.tsx'
import { useConfirmLeaving } from '../useConfirmLeaving.ts'
import { ReviewFields } from './ReviewFields.tsx'
import { ReviewFooter } from './ReviewFooter.tsx'
import { ReviewQuestion } from './ReviewQuestion.tsx'
import { useDecide } from './useDecide.ts'
import type { Decisions } from './useDecide.ts'
import { useEngine } from '../view.ts'

interface ReviewDialogProps extends Decisions {
  host: ActionHost
  action: ActionPlan & { do: { kind: 'review' } }
  record: RecordData
  shown(action: ActionPlan, record: RecordData): boolean
  refusal(action: ActionPlan): string | undefined
  /** Steps to the neighbouring records that wait for the same decision. */
  steps?: Steps
  onClose(): void
}

/** Shows a record with its available decisions; a decision that prompts for fields does so in the same dialog. */
export function ReviewDialog({
  host,
  action,
  record: listed,
  shown,
  allowed,
  refusal,
  confirm,
  perform,
  withdraw,
  steps,
  onClose,
}: ReviewDialogProps) {
  const { text } = useEngine()
  const isShown = useShown()
  const { data } = useRecord(pathOf(host.entity.endpoint, 'detail'), listed.id)
  // A cached detail may be older than the list.
  const record = data && (data.revision ?? 0) >= (listed.revision ?? 0) ? { ...listed, ...data } : listed
  const goesOn = usePreference<boolean>('review:goesOn')
  const next = goesOn.value ? steps?.next : undefined
  const deciding = useDecide({ record, allowed, confirm, perform, withdraw, next })
  const { open, decision, saving, run, choose, step, back, close } = deciding
  const [typed, setTyped] = useState(false)
  const leave = useConfirmLeaving()
  const calls = action.do.calls.filter((call): call is CallAction => call.do.kind === 'call' && shown(call, record))

  const footer = decision ? null : (
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
      open={open && isShown}
      title={text(action.label)}
      width={760}
      maskClosable={false}
      footer={footer}
      onCancel={() => void leave(typed, close)}
      afterClose={() => {
        if (!open) onClose()
      }}
    >
      <div className="review">
        <ReviewFields entity={host.entity} names={action.do.show} record={record} />
        {decision && (
          <ReviewQuestion
            key={decision.name}
            host={host}
            call={decision}
            record={record}
            saving={saving}
            run={run}
            onTyped={setTyped}
            onBack={() => void leave(typed, back)}
          />
        )}
      </div>
    </Modal>
  )
}
