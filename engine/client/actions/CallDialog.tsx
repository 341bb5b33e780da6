import { App, Modal } from 'antd'
import { useState } from 'react'
import { busySign } from '../busySign.tsx'
import type { ActionHost } from '../frame.ts'
import { RecordFacts, type Fact } from '../RecordFacts.tsx'
import { reportError } from '../reportResult.tsx'
import { RequestError } from '../RequestError.ts'
import type { ActionPlan, RecordData, Value } from '../../model/model.ts'
import { useCallForm } from './useCallForm.tsx'
import { useEngine } from '../view.ts'
import { useWords } from '../words.ts'

export type CallAction = ActionPlan & { do: { kind: 'call' } }

interface CallDialogProps {
  host: ActionHost
  action: CallAction
  records: RecordData[]
  /** What was prepared for it. */
  initial?: Record<string, Value>
  /** What it is about. */
  facts: readonly Fact[]
  /** The action's question, filled. */
  question: string | undefined
  /** @returns false where the user did not agree to what it would come to. */
  perform(values: Record<string, Value>): Promise<boolean>
  onClose(): void
}

/** More fields than these stand side by side. */
const mostBelow = 8

/** Asks for the fields that an action takes. Stays open with what was typed until the server has accepted it. */
export function CallDialog({ host, action, records, initial, facts, question, perform, onClose }: CallDialogProps) {
  const { text, widgets } = useEngine()
  const words = useWords()
  const app = App.useApp()
  const { form: asked, keepEmpty, transition } = action.do
  const form = useCallForm(host, { asked, records, keepEmpty, transition, initial })
  const [open, setOpen] = useState(true)
  const [saving, setSaving] = useState(false)

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
  const many = action.do.form.length > mostBelow
  const hasRows = action.do.form.some(({ field }) => {
    const asked = host.entity.fields[field]
    return asked && widgets[asked.type].target?.(asked.options)?.rows
  })
  return (
    <Modal
      open={open}
      width={hasRows ? 1080 : many ? 880 : undefined}
      title={text(action.label)}
      okText={words('ok')}
      cancelText={words('cancel')}
      maskClosable={false}
      okButtonProps={{ danger: action.danger, loading: busySign(saving) }}
      onOk={() => void submit()}
      onCancel={() => setOpen(false)}
      afterClose={onClose}
      // While it comes in, nothing in it can have the focus.
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
