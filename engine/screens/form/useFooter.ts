import { useNotices } from '../../client/notices.tsx'
import { callAndFollow } from '../../client/callAndFollow.ts'
import type { FormModel } from '../../client/form.tsx'
import { useSaving } from '../../client/formSaving.ts'
import { useActions, useConfirmLeaving, useClient, useEngine, useWords } from '../../client/index.ts'
import type { ScreenViewProps } from '../../client/index.ts'
import { useButtonPermission } from '../../client/permission.ts'
import type { ActionPlan } from '../../model/model.ts'
import type { FormPlan } from './form.ts'

interface Footer extends Pick<ScreenViewProps<FormPlan>, 'plan' | 'bundle' | 'frame'> {
  model: FormModel
  dirty: boolean
}

/** The buttons below a form: save, save and act, act, and leave. */
export function useFooter({ plan, bundle, frame, model, dirty }: Footer) {
  const { body } = plan
  const { text, language } = useEngine()
  const words = useWords()
  const app = useNotices()
  const { message } = app
  const leave = useConfirmLeaving()
  const { request } = useClient()
  const permission = useButtonPermission(bundle.granted)
  const close = (changed: boolean) => {
    frame.setDirty(false)
    frame.close({ changed, to: body.back })
  }
  const saving = useSaving(model, {
    path: body.mode === 'edit' ? body.paths.update : body.paths.create,
    granted: bundle.granted[body.permission] !== false,
    label: text(body.submit),
    saved: body.saved && text(body.saved),
    done: close,
  })
  const actions = useActions({
    entity: bundle.entities[plan.entity!],
    bundle,
    frame,
    reload: () => close(true),
    // The input stays, and the next save reports the conflict.
    refused: () => undefined,
  })
  return {
    saving,
    actions,
    saveAnd(action: ActionPlan) {
      const { do: what } = action
      if (what.kind === 'call' && permission.check(action.permission))
        void saving.submit(async (id, revision) => {
          if (await actions.agreed(action, [{ ...model.values(), id, revision }]))
            await callAndFollow({ app, language, request }, what.path, { id, revision })
          else void message.info(words('notAgreed', { label: text(action.label) }))
        })
    },
    cancel: () => void leave(dirty, () => close(false)),
  }
}
