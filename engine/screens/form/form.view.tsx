import { Button } from 'antd'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { useConditions } from '../../client/conditions.ts'
import { useEditedRecord, useUnsaved } from '../../client/editing.ts'
import { FormAnchors, FormSection, hasAnchors } from '../../client/formSections.tsx'
import { FormRoot, FormSubmit, useDirty, useFormModel, useWrongFields } from '../../client/form.tsx'
import type { FormModel } from '../../client/form.tsx'
import { useFirstFocus } from '../../client/useFirstFocus.ts'
import { useUndoKeys } from '../../client/useUndoKeys.ts'
import { LockedNotice, Notices } from '../../client/formNotices.tsx'
import { initialOf } from '../../client/formPlan.ts'
import type { Saving } from '../../client/formSaving.ts'
import { useFormWords } from '../../client/formWords.ts'
import { refused } from '../../client/refused.ts'
import {
  ActionButton,
  RequestError,
  ScreenFailure,
  ScreenProblem,
  ScreenSkeleton,
  useEngine,
  useShownRecord,
  useWords,
} from '../../client/index.ts'
import type { ScreenViewProps } from '../../client/index.ts'
import type { RecordData } from '../../model/model.ts'
import { ConflictDialog } from './conflict.view.tsx'
import type { FormPlan, FormSection as SectionPlan } from './form.ts'
import { useFooter } from './useFooter.ts'

type Props = ScreenViewProps<FormPlan>

/** A form to create, edit or read a record. */
export function FormView(props: Props) {
  const { plan, query, frame } = props
  const { mode, paths } = plan.body
  const words = useWords()
  const { data, kept, error, refetch, onDirty } = useEditedRecord(frame, paths.detail, query.id, {
    enabled: mode !== 'create',
  })

  if (mode === 'create') return <FormBody {...props} old={null} onDirty={onDirty} />
  if (!query.id) return <ScreenProblem plan={plan} frame={frame} message={words('parameterMissing')} />
  if (error instanceof RequestError && error.code === 404)
    return <ScreenProblem plan={plan} frame={frame} message={words('recordMissing')} />
  if (error && !kept) return <ScreenFailure title={words('screenFailed')} error={error} retry={refetch} />
  if (!data) return <ScreenSkeleton />
  return <FormOfRecord {...props} old={data} onDirty={onDirty} />
}

type OfRecord = Props & { old: RecordData; onDirty(dirty: boolean): void }

/** The form of a record as read: one that may not be edited now is only read. */
function FormOfRecord(props: OfRecord) {
  const { plan, bundle, old } = props
  const { editWhen } = plan.body
  const entity = bundle.entities[plan.entity!]
  const isLocked = !useConditions(entity)(editWhen, old)
  const read = useMemo(() => ({ ...plan, body: { ...plan.body, mode: 'read' as const } }), [plan])
  if (!isLocked) return <FormBody {...props} />
  return <FormBody {...props} plan={read} locked={<LockedNotice entity={entity} record={old} when={editWhen!} />} />
}

function FormBody({
  plan,
  bundle,
  query,
  frame,
  old,
  onDirty,
  locked,
}: Props & { old: RecordData | null; onDirty(dirty: boolean): void; locked?: ReactNode }) {
  const { body } = plan
  const { mode, sections, warnings } = body
  const { text, widgets } = useEngine()
  const words = useFormWords()
  const entity = bundle.entities[plan.entity!]
  useShownRecord(frame, entity, old)
  const [initial] = useState(() => ({ ...body.preset, ...initialOf(entity, sections, query, widgets) }))
  const opened = plan.parameters.some(
    ({ name }) => name !== bundle.plan.variants?.parameter && query[name] !== undefined,
  )
  const model = useFormModel(
    useMemo(
      () => ({ entity, sections, warnings, mode, old, initial, opened }),
      [entity, sections, warnings, mode, old, initial, opened],
    ),
    query,
  )
  const dirty = useDirty(model)
  const { setBusy } = frame
  useEffect(() => setBusy(false), [setBusy])
  useUnsaved(frame, dirty, onDirty)
  const form = useRef<HTMLFormElement>(null)
  useFirstFocus(form, frame.active && mode !== 'read')

  const isAnchored = frame.place === 'page' && hasAnchors(sections)
  return (
    <FormRoot model={model}>
      <form
        ref={form}
        className="form-view"
        aria-label={text(plan.title)}
        noValidate
        onSubmit={(event) => event.preventDefault()}
        {...useUndoKeys(model)}
      >
        {frame.place === 'page' && (
          <div className="form-title">
            <h1>{text(plan.title)}</h1>
          </div>
        )}
        {locked}
        <Notices model={model} notices={body.notices} />
        <div className="form-view-columns" data-anchors={isAnchored}>
          <div className="form-view-main">
            {sections.map((section, index) => (
              <Section key={index} model={model} section={section} index={index} />
            ))}
          </div>
          {isAnchored && <FormAnchors label={words('sections')} />}
        </div>
        <Footer plan={plan} bundle={bundle} query={query} frame={frame} model={model} dirty={dirty} />
      </form>
    </FormRoot>
  )
}

export function Section({
  model,
  section: { title, hint },
  index,
}: {
  model: FormModel
  section: SectionPlan
  index: number
}) {
  const { text } = useEngine()
  const id = model.sectionId(index)
  const frame = (fields: ReactNode) => (
    <section id={id} className="form-section" aria-labelledby={title && `${id}-title`}>
      {title && (
        <h2 id={`${id}-title`} className="form-section-title">
          {text(title)}
        </h2>
      )}
      {hint && <p className="form-section-hint">{text(hint)}</p>}
      {fields}
    </section>
  )
  return <FormSection index={index} frame={frame} />
}

function Footer(props: Props & { model: FormModel; dirty: boolean }) {
  const { plan, model } = props
  const { body } = plan
  const { text } = useEngine()
  const words = useWords()
  const { saving, actions, saveAnd, cancel } = useFooter(props)
  const records = model.source.old ? [model.source.old] : []
  return (
    <div className="form-footer">
      <Message model={model} saving={saving} />
      {body.actions
        .filter((action) => actions.shown(action, records))
        .map((action) => (
          <ActionButton key={action.name} actions={actions} action={action} records={records} />
        ))}
      <Button onClick={cancel}>{words(body.mode === 'read' ? 'back' : 'cancel')}</Button>
      {body.mode !== 'read' && (
        <FormSubmit busy={saving.busy} onClick={() => void saving.submit()}>
          {text(body.submit)}
        </FormSubmit>
      )}
      {body.mode !== 'read' &&
        body.saveAnd
          .filter((action) => actions.shown(action, records))
          .map((action) => (
            <Button
              key={action.name}
              {...refused(actions.refusal(action))}
              data-action={action.name}
              aria-disabled={saving.busy || undefined}
              onClick={() => saveAnd(action)}
            >
              {text(action.label)}
            </Button>
          ))}
      {actions.dialogs}
      {saving.conflict && (
        <ConflictDialog
          model={model}
          conflict={saving.conflict}
          onSettle={(theirs) => void saving.settle(theirs)}
          onCancel={saving.dismiss}
        />
      )}
    </div>
  )
}

/** How many fields have a problem, the problems of no visible field, and why the record was not saved. */
export function Message({ model, saving: { attempted, elsewhere, failure } }: { model: FormModel; saving: Saving }) {
  const { text } = useEngine()
  const words = useFormWords()
  const wrong = useWrongFields(model)
  const labelOf = (name: string) => model.entity.fields[name.split('.')[0]]?.label
  const number = wrong.length + elsewhere.length
  if (!failure && (!attempted || number === 0)) return null
  return (
    <div className="form-footer-message" role="alert">
      {failure}
      {attempted && number > 0 && (
        <Button type="link" disabled={wrong.length === 0} onClick={() => model.focus(wrong[0])}>
          {words('toCorrect', { n: number })}
        </Button>
      )}
      {elsewhere.length > 0 && (
        <ul>
          {elsewhere.map(({ field, message }) => {
            const label = labelOf(field)
            return (
              <li key={field + text(message)}>
                {label ? words('elsewhere', { label: text(label), message: text(message) }) : text(message)}
              </li>
            )
          })}
        </ul>
      )}
    </div>
  )
}
