import type { Field as Node } from '@formily/core'
import { connect, mapProps, mapReadPretty, useField } from '@formily/react'
import { observer } from '@formily/reactive-react'
import { createContext, memo, useContext } from 'react'
import type { ComponentType, ReactNode } from 'react'
import type { FieldProblem, RecordData, Value } from '../model/model.ts'
import { FormItem, hintId, problemId } from './formItem.tsx'
import type { FormItemProps } from './formItem.tsx'
import { FormModel as Model } from './formModel.ts'
import type { Judgement, SaidWarning } from './formNodes.ts'
import { rowsProps } from './formRows.ts'
import { WidgetDisplay, WidgetEdit } from './formWidget.tsx'
import { useClient } from './frame.ts'
import { isLeftUntouched } from './useFirstFocus.ts'
import { useEngine } from './view.ts'

export const nameOf = (node: Node) => String(node.props.name)
/** Formily's messages are texts or whatever a validator returns: here, all problems found. */
export const problemsOf = (node: Node) => (node.selfErrors as unknown as Judgement[]).flat()
export const warningsOf = (node: Node) => node.selfWarnings as unknown as SaidWarning[]

export const ModelReact = createContext<Model | null>(null)
export const useModel = () => useContext(ModelReact)!
/** The frame of a control, and the field to focus on first render. */
export const FrameReact = createContext<{ item: ComponentType<FormItemProps>; focused?: string }>({ item: FormItem })

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
export const Control = connect(
  Edited,
  mapProps(((_: object, node: Node) => ({
    name: nameOf(node),
    invalid: node.selfErrors.length > 0,
    problems: problemsOf(node),
    required: node.decoratorProps.required === true,
  })) as never),
  mapReadPretty(Read),
)

export const Item = observer(function Item({
  children,
  required = false,
}: {
  children?: ReactNode
  required?: boolean
}) {
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
