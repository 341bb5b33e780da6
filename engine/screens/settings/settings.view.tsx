import { Button } from 'antd'
import { answersOf } from '../../client/actions/answersOf.ts'
import { Drawer } from '../../client/overlays.tsx'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useEditedRecord, useUnsaved } from '../../client/editing.ts'
import { FormAnchors, hasAnchors } from '../../client/formSections.tsx'
import { FormRoot, FormSubmit, useDirty, useFormModel } from '../../client/form.tsx'
import type { FormModel } from '../../client/form.tsx'
import { useSaving } from '../../client/formSaving.ts'
import { useFormWords } from '../../client/formWords.ts'
import { useUndoKeys } from '../../client/useUndoKeys.ts'
import { ScreenFailure, ScreenSkeleton, useConfirm, useEngine, useShown, useWords } from '../../client/index.ts'
import type { ScreenViewProps } from '../../client/index.ts'
import type { RecordData } from '../../model/model.ts'
import { History } from '../detail/history.view.tsx'
import '../detail/detail.css'
import { ConflictDialog } from '../form/conflict.view.tsx'
import { Message, Section } from '../form/form.view.tsx'
import type { SettingsPlan } from './settings.ts'

type Props = ScreenViewProps<SettingsPlan>

/** Settings for administrators: a single record that always exists. The form stays open after saving. */
export function SettingsView(props: Props) {
  const { frame, plan } = props
  const words = useWords()
  const { data, kept, error, refetch, onDirty } = useEditedRecord(frame, plan.body.paths.detail, null)
  if (error && !kept) return <ScreenFailure title={words('screenFailed')} error={error} retry={refetch} />
  if (!data) return <ScreenSkeleton />
  return <SettingsForm {...props} old={data} onDirty={onDirty} reload={refetch} />
}

function SettingsForm({
  plan,
  bundle,
  frame,
  old,
  onDirty,
  reload,
}: Props & { old: RecordData; onDirty(dirty: boolean): void; reload(): void }) {
  const { body, title } = plan
  const { text } = useEngine()
  const words = useFormWords()
  const entity = bundle.entities[plan.entity!]
  const model = useFormModel(
    useMemo(() => ({ entity, sections: body.sections, mode: 'edit' as const, old }), [entity, body, old]),
  )
  const dirty = useDirty(model)
  const { setBusy } = frame
  useEffect(() => setBusy(false), [setBusy])
  useUnsaved(frame, dirty, onDirty)
  const isAnchored = hasAnchors(body.sections)
  return (
    <FormRoot model={model}>
      <form
        className="form-view"
        aria-label={text(title)}
        noValidate
        onSubmit={(event) => event.preventDefault()}
        {...useUndoKeys(model)}
      >
        {frame.place === 'page' && (
          <div className="form-title">
            <h1>{text(title)}</h1>
          </div>
        )}
        <div className="form-view-columns" data-anchors={isAnchored}>
          <div className="form-view-main">
            {body.sections.map((section, index) => (
              <Section key={index} model={model} section={section} index={index} />
            ))}
          </div>
          {isAnchored && <FormAnchors label={words('sections')} />}
        </div>
        <Footer plan={plan} bundle={bundle} model={model} reload={reload} version={frame.version} />
      </form>
    </FormRoot>
  )
}

type FooterProps = Pick<Props, 'plan' | 'bundle'> & { model: FormModel; reload(): void; version: number }

function Footer({ plan: { body }, bundle, model, reload, version }: FooterProps) {
  const { text } = useEngine()
  const words = useWords()
  const own = useFormWords()
  const confirm = useConfirm()
  const shown = useShown()
  const [history, setHistory] = useState(false)
  const saving = useSaving(model, {
    path: body.paths.update,
    granted: bundle.granted[body.permission] !== false,
    done: (changed) => {
      if (changed) reload()
    },
  })
  // While the question is open the record may be reloaded, which creates another model.
  const current = useRef(model)
  current.current = model
  const restore = async () => {
    if (await confirm({ title: own('restoreConfirm'), ...answersOf(own('restore'), words) }))
      current.current.restore(body.defaults)
  }
  return (
    <div className="form-footer">
      <Message model={model} saving={saving} />
      <Button onClick={() => setHistory(true)}>{own('history')}</Button>
      {body.defaults.length > 0 && <Button onClick={() => void restore()}>{own('restore')}</Button>}
      <FormSubmit busy={saving.busy} onClick={() => void saving.submit()}>
        {text(body.submit)}
      </FormSubmit>
      <Drawer
        open={history && shown}
        onClose={() => setHistory(false)}
        title={own('history')}
        width={720}
        destroyOnHidden
        closable={{ 'aria-label': words('close') }}
      >
        <History path={body.paths.history} id={model.source.old!.id!} version={version} />
      </Drawer>
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
