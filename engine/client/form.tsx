/**
 * The only file that knows Formily, which keeps the state of a form (values, messages, visibility, locks) and renders a
 * field as its widget's Edit or, if read-only, its Display. `engine/expression/verdict.ts` decides what is valid,
 * required or visible; nothing here compiles text into code.
 */
import { Submit } from '@formily/antd-v5'
import { createForm, onFieldInputValueChange, onFieldValueChange } from '@formily/core'
import type { Field as Node, Form } from '@formily/core'
import { connect, Field as Place, FieldContext, FormContext, mapProps, mapReadPretty, useField } from '@formily/react'
import { autorun, observable, raw, untracked } from '@formily/reactive'
import { observer } from '@formily/reactive-react'
import { App } from 'antd'
import { createContext, memo, useContext, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import type { ComponentProps, ComponentType, ReactNode } from 'react'
import { holds, inputs } from '../expression/verdict.ts'
import { pathOf } from '../model/model.ts'
import type { FieldProblem, PrepareResult, RecordData, SuggestRequest, Value, QueryOf } from '../model/model.ts'
import { busySign } from './busySign.tsx'
import { Chunk, Chunks } from './formChunks.tsx'
import { FormItem, hintId, problemId } from './formItem.tsx'
import type { FormItemProps } from './formItem.tsx'
import { FormModel as Model } from './formModel.ts'
import type { FormNodes, Judgement, NodeListener, NodeStart, SaidWarning } from './formNodes.ts'
import type { FormSource } from './formPlan.ts'
import { rowsProps } from './formRows.ts'
import { WidgetDisplay, WidgetEdit } from './formWidget.tsx'
import { useClient } from './frame.ts'
import { reportError } from './reportResult.tsx'
import { useInspectedForm } from './inspected.ts'
import { isLeftUntouched } from './useFirstFocus.ts'
import { useStable } from './useStable.ts'
import { useEngine } from './view.ts'
import { useWords } from './words.ts'
import './form.css'

export type FormModel = Model<Nodes>

/** A Formily form. Its values are replaced, never mutated: nothing below them is observed. */
export class Nodes implements FormNodes {
  readonly form: Form
  readonly values: RecordData
  readonly plain: RecordData

  constructor(values: RecordData, listener: NodeListener) {
    this.values = observable.shallow(values)
    this.plain = raw(this.values)
    this.form = createForm({
      values: this.values,
      effects: () => {
        onFieldValueChange('*', (node) => listener.changed(nameOf(node as Node)))
        onFieldInputValueChange('*', (node) => listener.typed(nameOf(node as Node)))
      },
    })
    // Formily subscribes to every form from a list that it never leaves, for events that nothing here uses.
    this.form.disposers.splice(0).forEach((dispose) => dispose())
  }

  create(name: string, { visible, required, locked, judge, reactions }: NodeStart) {
    const validate = async () => {
      const message = await judge!.run()
      return message.length > 0 ? { type: 'error', message } : ''
    }
    this.form.createField({
      name,
      display: visible ? 'visible' : 'hidden',
      pattern: locked ? 'readPretty' : 'editable',
      validator: judge && [{ triggerType: judge.on === 'leave' ? 'onBlur' : 'onInput', validator: validate as never }],
      reactions: reactions.map(({ inputs: names, run }) => () => {
        names.forEach((input) => this.values[input])
        untracked(run)
      }),
      component: [Control],
      decorator: [Item, { required }],
    })
  }

  node = (name: string) => this.form.fields[name] as Node

  setVisible(name: string, visible: boolean) {
    this.node(name).setDisplay(visible ? 'visible' : 'hidden')
  }
  setRequired(name: string, required: boolean) {
    this.node(name).setDecoratorProps({ required })
  }
  setLocked(name: string, locked: boolean) {
    this.node(name).setPattern(locked ? 'readPretty' : 'editable')
  }
  isVisible(name: string) {
    return this.node(name).display === 'visible'
  }
  isLocked(name: string) {
    return this.node(name).pattern !== 'editable'
  }
  problems(name: string) {
    return problemsOf(this.node(name))
  }
  setGiven(name: string, problems: readonly FieldProblem[]) {
    this.node(name).setSelfErrors(problems.length > 0 ? ([problems] as never) : [])
  }
  warnings(name: string) {
    return warningsOf(this.node(name))
  }
  setWarnings(name: string, warnings: readonly SaidWarning[]) {
    this.node(name).setSelfWarnings(warnings as never)
  }
  input(name: string, value: Value) {
    void this.node(name).onInput(value)
  }
  // The problem is shown at the field; Formily also throws it.
  judge(name: string) {
    void this.node(name)
      .validate()
      .catch(() => undefined)
  }
  async judgeAll() {
    await this.form.validate().catch(() => undefined)
  }
}

const nameOf = (node: Node) => String(node.props.name)
/** Formily's messages are texts or whatever a validator returns: here, all problems found. */
const problemsOf = (node: Node) => (node.selfErrors as unknown as Judgement[]).flat()
const warningsOf = (node: Node) => node.selfWarnings as unknown as SaidWarning[]

// ─── Drawing ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

const ModelReact = createContext<FormModel | null>(null)
const useModel = () => useContext(ModelReact)!
/** The frame of a control, and the field to focus on first render. */
const FrameReact = createContext<{ item: ComponentType<FormItemProps>; focused?: string }>({ item: FormItem })

interface ControlProps {
  value: Value | undefined
  onChange(value: Value): void
  onBlur(): void
  disabled?: boolean
  name: string
  invalid: boolean
  required: boolean
  problems: FieldProblem[]
}

const Edited = memo(function Edited({
  value,
  onChange,
  onBlur,
  disabled,
  name,
  invalid,
  required,
  problems,
}: ControlProps) {
  const model = useModel()
  const { focused } = useContext(FrameReact)
  const { text } = useEngine()
  const field = model.entity.fields[name]
  const id = model.controlId(name)
  const rows = model.context.widgets[field.type].target?.(field.options)?.rows
  const described = [problems.length > 0 ? problemId(id) : '', field.hint ? hintId(id) : ''].filter(Boolean).join(' ')
  return (
    <WidgetEdit
      id={id}
      value={value ?? null}
      onChange={(next) => {
        model.enter(name)
        onChange(next)
      }}
      onBlur={() => {
        if (!isLeftUntouched(id, value)) onBlur()
        model.leave(name)
      }}
      field={field}
      label={text(field.label)}
      disabled={disabled}
      invalid={invalid}
      required={required}
      describedBy={described || undefined}
      autoFocus={focused === name || undefined}
      {...(rows && rowsProps(model, field, value as RecordData[] | null, problems, text))}
    />
  )
})

function Read({ value }: ControlProps) {
  const name = nameOf(useField<Node>())
  return <WidgetDisplay value={value} field={useModel().entity.fields[name]} />
}

/** One component for every widget: its Edit or, if the field is read-only, its Display. */
const Control = connect(
  Edited,
  mapProps(((_: object, node: Node) => ({
    name: nameOf(node),
    invalid: node.selfErrors.length > 0,
    problems: problemsOf(node),
    required: node.decoratorProps.required === true,
  })) as never),
  mapReadPretty(Read),
)

const Item = observer(function Item({ children, required = false }: { children?: ReactNode; required?: boolean }) {
  const model = useModel()
  const { item: Around } = useContext(FrameReact)
  const { text } = useEngine()
  const { href } = useClient()
  const node = useField<Node>()
  const name = nameOf(node)
  const field = model.entity.fields[name]
  const laid = model.laid.get(name)!
  // Cells of rows show their own problems.
  const problems = problemsOf(node).filter((problem) => problem.field === name)
  return (
    <Around
      id={model.controlId(name)}
      name={name}
      form={model.id}
      label={text(field.label)}
      span={laid.span}
      reading={node.pattern === 'readPretty'}
      required={required}
      hint={field.hint && text(field.hint)}
      problems={problems.map(({ message }) => text(message))}
      warnings={warningsOf(node).map(({ message, to }) => ({ text: text(message), ...(to && { href: href(to) }) }))}
      copy={laid.copy && { label: text(laid.copy.label), run: () => model.copy(name) }}
    >
      {children}
    </Around>
  )
})

/** A single field below a `FormRoot`. */
export const FormField = memo(function FormField({ name }: { name: string }) {
  return <Place name={name} />
})

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
  const app = App.useApp()
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
      (values, listener) => new Nodes(values, listener),
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

/** A section, with `frame` around its fields. Renders nothing if none of its fields is visible. */
export const FormSection = observer(function FormSection({
  index,
  frame,
}: {
  index: number
  frame?(fields: ReactNode): ReactNode
}) {
  const model = useModel()
  const chunks = model.chunks.filter(({ section }) => section === index)
  const isVisible = chunks.some(({ fields }) => fields.some(({ field }) => model.nodes.isVisible(field)))
  if (!isVisible) return null
  const fields = (
    <div className="form-grid">
      {chunks.map((chunk) => (
        <Chunk key={chunk.index} index={chunk.index} height={chunk.height}>
          {() => chunk.fields.map(({ field }) => <FormField key={field} name={field} />)}
        </Chunk>
      ))}
    </div>
  )
  return <>{frame ? frame(fields) : fields}</>
})

/** Links to the visible sections that have a title. */
export const FormAnchors = observer(function FormAnchors({ label }: { label: string }) {
  const model = useModel()
  const { text } = useEngine()
  const shown = model.source.sections
    .map((section, index) => ({ title: section.title, index }))
    .filter(
      ({ title, index }) =>
        title &&
        model.chunks.some(
          (chunk) => chunk.section === index && chunk.fields.some(({ field }) => model.nodes.isVisible(field)),
        ),
    )
  return (
    <nav className="form-anchors" aria-label={label}>
      {shown.map(({ title, index }) => (
        <button
          key={index}
          type="button"
          onClick={() => document.getElementById(model.sectionId(index))?.scrollIntoView({ block: 'start' })}
        >
          {text(title!)}
        </button>
      ))}
    </nav>
  )
})

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
 * The save button. Ctrl S presses it. While busy it only says so: disabled, it would lose the focus, and keyboard users
 * with it their place, if the save fails.
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
