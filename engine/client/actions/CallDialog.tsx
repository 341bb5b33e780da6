import { useNotices } from '../notices.tsx'
import { Modal } from '../overlays.tsx'
import { useState } from 'react'
import { busySign } from '../busySign.tsx'
import { useShown } from '../frame.ts'
import type { ActionHost } from '../frame.ts'
import type { Fact } from '../factsOf.ts'
import { RecordFacts } from '../RecordFacts.tsx'
import { reportError } from '../reportResult.tsx'
import { RequestError } from '../RequestError.ts'
import type { ActionPlan, RecordData, Value } from '../../model/model.ts'
import { useConfirmLeaving } from '../useConfirmLeaving.ts'
import { answersOf } from './answersOf.ts'
import { useCallForm } from './useCallForm.tsx'
import { useEngine } from '../view.ts'
import { useWords } from '../words.ts'

export type CallAction = ActionPlan & { do: { kind: 'call' } }

interface CallDialogProps {
  host: ActionHost
  action: CallAction
  records: RecordData[]
  /** Values that the server prepared. */
  initial?: Record<string, Value>
  /** The facts of the records that it is about. */
  facts: readonly Fact[]
  /** The action's question with its parameters filled in. */
  question: string | undefined
  /** @returns false if the user did not accept the outlook. */
  perform(values: Record<string, Value>): Promise<boolean>
  /** The outlook that is being loaded is no longer wanted. */
  withdraw(): void
  onClose(): void
}

/** With more fields than this, they are laid out side by side. */
const mostBelow = 8

/** Prompts for the fields of an action. Stays open with its input until the server accepts it. */
export function CallDialog({ host, action, records, initial, facts, question, ...rest }: CallDialogProps) {
  const { perform, withdraw, onClose } = rest
  const { text, widgets } = useEngine()
  const words = useWords()
  const app = useNotices()
  const { form: prompts, keepEmpty, transition } = action.do
  const form = useCallForm(host, { prompts, records, keepEmpty, transition, initial })
  const [open, setOpen] = useState(true)
  const shown = useShown()
  const [saving, setSaving] = useState(false)
  const leave = useConfirmLeaving()

  async function submit() {
    const values = form.collect()
    if (!values || saving) return
    setSaving(true)
    try {
      if (await perform(values)) setOpen(false)
    } catch (error) {
      if (!(error instanceof RequestError && form.refuse(error.errors))) reportError(app, words, error)
    } finally {
      setSaving(false)
    }
  }
  function close() {
    withdraw()
    setOpen(false)
  }
  const many = action.do.form.length > mostBelow
  const hasRows = action.do.form.some(({ field }) => {
    const entityField = host.entity.fields[field]
    return entityField && widgets[entityField.type].target?.(entityField.options)?.rows
  })
  return (
    <Modal
      open={open && shown}
      width={hasRows ? 1080 : many ? 880 : undefined}
      title={text(action.label)}
      {...answersOf(text(action.label), words)}
      maskClosable={false}
      okButtonProps={{ danger: action.danger, loading: busySign(saving) }}
      onOk={() => void submit()}
      onCancel={() => void leave(form.typed, close)}
      afterClose={() => {
        if (!open) onClose()
      }}
      // Nothing inside can be focused while the dialog animates in.
      afterOpenChange={(shown) => {
        if (shown) form.focus()
      }}
    >
      <form
        className="call-form"
        data-many={many || undefined}
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <RecordFacts facts={facts} />
        {question && <p>{question}</p>}
        {form.element}
        <button type="submit" hidden />
      </form>
    </Modal>
  )
}
