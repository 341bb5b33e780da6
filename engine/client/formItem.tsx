import { Button } from 'antd'
import type { CSSProperties, ReactNode } from 'react'
import { RequiredMark } from './RequiredMark.tsx'

export interface FormItemProps {
  /** The id of the control, for the label. */
  id: string
  name: string
  /** The id of its form. */
  form?: string
  label: string
  span: number
  /** A read-only value, not a control. */
  reading: boolean
  required: boolean
  hint?: string
  /** Problems; more than one only for rows. */
  problems: string[]
  /** Some link to another screen. */
  warnings: { text: string; href?: string }[]
  copy?: { label: string; run(): void }
  children: ReactNode
}

export const problemId = (id: string) => `${id}-problem`
export const hintId = (id: string) => `${id}-hint`

/** Warnings at a field, which do not block saving; some of them link to another screen. */
export function Warnings({ warnings, className }: Pick<FormItemProps, 'warnings'> & { className?: string }) {
  if (warnings.length === 0) return null
  return (
    <div role="status" className={className}>
      {warnings.map(({ text, href }) => (
        <div key={text}>{href === undefined ? text : <a href={href}>{text}</a>}</div>
      ))}
    </div>
  )
}

/** Label, control, hint and message. Plain elements, because three hundred are drawn at once. */
export function FormItem({
  id,
  name,
  form,
  label,
  span,
  reading,
  required,
  hint,
  problems,
  warnings,
  copy,
  children,
}: FormItemProps) {
  // In the two columns of a narrow form, a field of up to half the width takes one.
  const style = { '--span': span, '--span-narrow': span > 12 ? 24 : 12 } as CSSProperties
  return (
    <div
      className={reading ? 'form-item form-item-reading' : 'form-item'}
      data-field={name}
      data-form={form}
      style={style}
    >
      <div className="form-item-label">
        {reading ? <span>{label}</span> : <label htmlFor={id}>{label}</label>}
        {required && !reading && <RequiredMark />}
        {copy && !reading && (
          <Button type="link" size="small" onClick={copy.run}>
            {copy.label}
          </Button>
        )}
      </div>
      <div className="form-item-control">{children}</div>
      {problems.length > 0 && (
        <div id={problemId(id)} role="alert" className="form-item-problem">
          {problems.map((text) => (
            <div key={text}>{text}</div>
          ))}
        </div>
      )}
      <Warnings warnings={warnings} className="form-item-warning" />
      {hint !== undefined && !reading && (
        <div id={hintId(id)} className="form-item-hint">
          {hint}
        </div>
      )}
    </div>
  )
}
