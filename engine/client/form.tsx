/**
 * Only this file and those named after it know Formily, which keeps the state of a form (values, messages, visibility,
 * locks) and renders a field as its widget's Edit or, if read-only, its Display. `engine/expression/verdict.ts` decides
 * what is valid, required or visible; nothing here compiles text into code.
 */
import { useNotices } from './notices.tsx'
import { Submit } from '@formily/antd-v5'
import { FieldContext, FormContext } from '@formily/react'
import { autorun, untracked } from '@formily/reactive'
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import type { ComponentProps, ComponentType, ReactNode } from 'react'
import { holds, inputs } from '../expression/conditions.ts'
import { pathOf } from '../model/model.ts'
import type { PrepareResult, RecordData, SuggestRequest, QueryOf } from '../model/model.ts'
import { busySign } from './busySign.tsx'
import { Chunks } from './formChunks.tsx'
import { FormItem } from './formItem.tsx'
import type { FormItemProps } from './formItem.tsx'
import { FormModel as Model } from './formModel.ts'
import type { FormSource } from './formPlan.ts'
import { useClient } from './frame.ts'
import { reportError } from './reportResult.tsx'
import { useInspectedForm } from './inspected.ts'
import { useStable } from './useStable.ts'
import { useEngine } from './view.ts'
import { useWords } from './words.ts'
import { FormilyNodes } from './formilyNodes.ts'
import { ModelReact, FrameReact } from './formControl.tsx'
import './form.css'

export type FormModel = Model<FormilyNodes>

/**
 * The model of a form, one per source; unsaved input carries over to the next (a new version of the schema, a reread
 * record).
 * @param begun the model to continue when the form is rendered again after it was not
 */
export function useFormModel(
  source: FormSource,
  parameters: Readonly<Record<string, string>> = {},
  begun?: FormModel,
): FormModel {
  const engine = useEngine()
  const { user, request } = useClient()
  const app = useNotices()
  const words = useWords()
  const last = useRef(begun)
  const report = useStable((error: unknown) => reportError(app, words, error))
  // The engine and the user stay the same for the life of a screen; only the language changes, and the model does not
  // depend on it.
  const create = useStable((source: FormSource) => {
    const { entity } = source
    const { endpoint } = entity
    const id = source.old?.id
    return new Model(
      source,
      {
        engine,
        user,
        suggest:
          entity.suggests &&
          (async (values, typed) => {
            try {
              const sent: SuggestRequest = {
                ...(source.old && { id: source.old.id }),
                values,
                typed: [...typed],
                parameters,
              }
              return (await request.post<PrepareResult>(pathOf(endpoint, 'suggest'), sent)).values
            } catch (error) {
              report(error)
              return undefined
            }
          }),
        lookUp: (field, id) =>
          request.get<RecordData>(pathOf(endpoint, 'lookup'), { field: field.name, id } satisfies QueryOf<'lookup'>),
        isFree: async (field, value) =>
          (
            await request.get<{ unique: boolean }>(pathOf(endpoint, 'unique'), {
              field: field.name,
              value,
              id,
            } satisfies QueryOf<'unique'>)
          ).unique,
      },
      (values, listener) => new FormilyNodes(values, listener),
      last.current,
    )
  })
  return useMemo(() => (last.current = create(source)), [create, source])
}

export function useDirty(model: FormModel): boolean {
  return useSyncExternalStore(model.onDirty, () => model.isDirty)
}

const says = (model: FormModel, condition: string) =>
  holds(condition, true, model.entity, model.values(), model.context)

/** Whether a condition holds on the form's values; renders again only when the result changes. */
export function useHolds(model: FormModel, condition: string): boolean {
  const [result, setResult] = useState(() => says(model, condition))
  useEffect(
    () =>
      autorun(() => {
        inputs(condition, model.entity).forEach((name) => model.nodes.values[name])
        setResult(untracked(() => says(model, condition)))
      }),
    [model, condition],
  )
  return result
}

interface FormRootProps {
  model: FormModel
  /** Replaces the default label, control and messages of a field. */
  item?: ComponentType<FormItemProps>
  /** The field to focus on first render. */
  focused?: string
  children: ReactNode
}

/** Wraps everything that renders fields of the model. */
export function FormRoot({ model, item = FormItem, focused, children }: FormRootProps) {
  useInspectedForm(model)
  const frame = useMemo(() => ({ item, focused }), [item, focused])
  return (
    <ModelReact.Provider value={model}>
      <FrameReact.Provider value={frame}>
        <FormContext.Provider value={model.nodes.form}>
          {/* A form inside a field of another form is not part of it. */}
          <FieldContext.Provider value={undefined as never}>
            <Chunks store={model.drawn}>{children}</Chunks>
          </FieldContext.Provider>
        </FormContext.Provider>
      </FrameReact.Provider>
    </ModelReact.Provider>
  )
}

/** The fields with problems, in form order. */
export function useWrongFields(model: FormModel): string[] {
  const [names, setNames] = useState<string[]>([])
  useEffect(
    () =>
      autorun(() => {
        const wrong = [...model.laid.keys()].filter((name) => model.nodes.problems(name).length > 0)
        untracked(() => setNames((old) => (old.join() === wrong.join() ? old : wrong)))
      }),
    [model],
  )
  return names
}

/**
 * The save button. Ctrl S presses it. While busy it is marked as such but not disabled, so that it keeps the focus if
 * the save fails.
 */
export const FormSubmit = ({ busy, ...props }: ComponentProps<typeof Submit> & { busy: boolean }) => (
  <Submit
    htmlType="button"
    aria-keyshortcuts="Control+S"
    loading={busySign(busy)}
    aria-disabled={busy || undefined}
    {...props}
  />
)
