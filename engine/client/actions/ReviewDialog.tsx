import { App, Button, Checkbox, Modal } from 'antd'
import { useState } from 'react'
import { pathOf } from '../../model/model.ts'
import type { ActionPlan, EntityPlan, RecordData, Value } from '../../model/model.ts'
import { busySign } from '../busySign.tsx'
import type { CallAction } from './CallDialog.tsx'
import { FieldDisplay } from '../FieldDisplay.tsx'
import type { ActionHost } from '../frame.ts'
import { questionOf } from '../questionOf.ts'
import { usePreference, useRecord } from '../records.ts'
import { refused } from '../refused.ts'
import { reportError } from '../reportResult.tsx'
import { RequestError } from '../request.ts'
import { StepButtons } from '../StepButtons.tsx'
import type { Steps } from '../StepButtons.tsx'
import { useCallForm } from './useCallForm.tsx'
import { useViews } from '../useViews.ts'
import { useEngine } from '../view.ts'
import { useWords } from '../words.ts'

interface ReviewDialogProps {
  host: ActionHost
  action: ActionPlan & { do: { kind: 'review' } }
  record: RecordData
  shown(action: ActionPlan, record: RecordData): boolean
  /** May the user? Says so where not. */
  allowed(action: ActionPlan): boolean
  refusal(action: ActionPlan): string | undefined
  /** Asks the call's question, if it has one. */
  confirm(action: ActionPlan, records: RecordData[]): Promise<boolean>
  perform(action: CallAction, records: RecordData[], values: Record<string, Value>): Promise<boolean>
  /** To the records before and after that wait for the same. */
  steps?: Steps
  onClose(): void
}

/** Shows a record and offers what may be decided about it. A call that asks for fields asks in the same dialog. */
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
  // What is kept of an earlier look may be older than the list.
  const record = data && (data.revision ?? 0) >= (listed.revision ?? 0) ? { ...listed, ...data } : listed
  const [asked, setAsked] = useState<CallAction>()
  const [open, setOpen] = useState(true)
  const [saving, setSaving] = useState(false)
  const goesOn = usePreference<boolean>('review:goesOn')
  const calls = action.do.calls.filter((call): call is CallAction => call.do.kind === 'call' && shown(call, record))

  async function run(
    call: CallAction,
    values: Record<string, Value>,
    refuse?: ReturnType<typeof useCallForm>['refuse'],
  ) {
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
    <>
      {steps && (
        <div className="review-steps">
          <StepButtons steps={steps} go={step} />
          <Checkbox
            checked={goesOn.value ?? false}
            onChange={({ target }) =>
              void goesOn.save(target.checked).catch((error: unknown) => reportError(app, words, error))
            }
          >
            {words('goOn')}
          </Checkbox>
        </div>
      )}
      <Button onClick={close}>{words('close')}</Button>
      {calls.map((call) => (
        <Button
          key={call.name}
          {...refused(refusal(call))}
          danger={call.danger && refusal(call) === undefined}
          type={call.danger || refusal(call) !== undefined ? 'default' : 'primary'}
          loading={busySign(saving)}
          onClick={() => void choose(call)}
        >
          {text(call.label)}
        </Button>
      ))}
    </>
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
        <Fields entity={host.entity} names={action.do.show} record={record} />
        {asked && (
          <Question
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

function Question({
  host,
  call,
  record,
  saving,
  run,
  onBack,
}: {
  host: ActionHost
  call: CallAction
  record: RecordData
  saving: boolean
  onBack(): void
  run(call: CallAction, values: Record<string, Value>, refuse: ReturnType<typeof useCallForm>['refuse']): Promise<void>
}) {
  const engine = useEngine()
  const { text } = engine
  const words = useWords()
  const { form: asked, keepEmpty, transition } = call.do
  const form = useCallForm(host, { asked, records: [record], keepEmpty, transition })
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
      {call.confirm && <p>{questionOf(call.confirm, host.entity, [record], engine)}</p>}
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

function Fields({ entity, names, record }: { entity: EntityPlan; names: string[]; record: RecordData }) {
  const { text, widgets } = useEngine()
  const fields = names.map((name) => entity.fields[name]).filter((field) => field !== undefined)
  const views = useViews(fields.map(({ type }) => type))
  return (
    <dl>
      {fields.map((field) => {
        const value = record[field.name]
        // Where nothing was changed there is nothing to compare.
        if (
          widgets[field.type].changes?.(field.options) &&
          (value === null || (Array.isArray(value) && value.length === 0))
        )
          return null
        return (
          <div key={field.name} className={views[field.type]?.wide ? 'review-wide' : undefined}>
            <dt>{text(field.label)}</dt>
            <dd>
              <FieldDisplay value={value} field={field} />
            </dd>
          </div>
        )
      })}
    </dl>
  )
}
