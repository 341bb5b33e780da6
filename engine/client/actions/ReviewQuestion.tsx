import { Button } from 'antd'
import { useLayoutEffect } from 'react'
import type { RecordData, Value } from '../../model/model.ts'
import { busySign } from '../busySign.tsx'
import type { ActionHost } from '../frame.ts'
import { questionOf } from '../questionOf.ts'
import { useEngine } from '../view.ts'
import { useWords } from '../words.ts'
import type { CallAction } from './CallDialog.tsx'
import { useCallForm } from './useCallForm.tsx'
import type { CallForm } from './useCallForm.tsx'

interface ReviewQuestionProps {
  host: ActionHost
  call: CallAction
  record: RecordData
  saving: boolean
  /** The function is stable. */
  onTyped(typed: boolean): void
  onBack(): void
  run(call: CallAction, values: Record<string, Value>, refuse: CallForm['refuse']): Promise<void>
}

/** The fields that a decision prompts for, below the record that it decides. */
export function ReviewQuestion({ host, call, record, saving, run, onTyped, onBack }: ReviewQuestionProps) {
  const engine = useEngine()
  const { text } = engine
  const words = useWords()
  const { form: prompts, keepEmpty, transition } = call.do
  const form = useCallForm(host, { prompts, records: [record], keepEmpty, transition })
  const { typed } = form
  // At once: Escape may be the very next key.
  useLayoutEffect(() => {
    onTyped(typed)
    return () => onTyped(false)
  }, [typed, onTyped])
  const submit = () => {
    const values = form.collect()
    if (values && !saving) void run(call, values, form.refuse)
  }
  return (
    <form
      className="call-form"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      {call.confirm && call.do.foresee === undefined && (
        <p>{questionOf(call.confirm, host.entity, [record], engine)}</p>
      )}
      {form.element}
      <div className="call-form-buttons">
        <Button onClick={onBack}>{words('back')}</Button>
        <Button type="primary" htmlType="submit" danger={call.danger} loading={busySign(saving)}>
          {text(call.label)}
        </Button>
      </div>
    </form>
  )
}
