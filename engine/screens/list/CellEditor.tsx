import { ConfigProvider } from 'antd'
import { createContext, useContext, useMemo, useRef } from 'react'
import { FormField } from '../../client/formSections.tsx'
import { FormRoot } from '../../client/form.tsx'
import { problemId, Warnings } from '../../client/formItem.tsx'
import type { FormItemProps } from '../../client/formItem.tsx'
import { formWords } from '../../client/formWords.ts'
import { useEngine } from '../../client/view.ts'
import type { EngineContext } from '../../client/view.ts'
import type { EntityPlan, FieldProblem } from '../../model/model.ts'
import { ConflictDialog } from '../form/conflict.view.tsx'
import { useCellWords } from './useCellWords.ts'
import { useCellEditing } from './useCellEditing.ts'
import type { CellEditing } from './useCellEditing.ts'

/** Problems outside the field, and why it was not saved. */
const OuterProblemsReact = createContext<readonly string[]>([])

/** In a cell the column header labels the field visually, so the label is only for screen readers. */
function CellItem({ id, name, label, problems, warnings, children }: FormItemProps) {
  const messages = [...problems, ...useContext(OuterProblemsReact)]
  return (
    <div className="grid-editor-item" data-field={name}>
      <label className="visually-hidden" htmlFor={id}>
        {label}
      </label>
      {children}
      {messages.length + warnings.length > 0 && (
        <div
          className="grid-editor-messages"
          ref={(element) => element?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' })}
        >
          {messages.length > 0 && (
            <div id={problemId(id)} role="alert">
              {messages.map((text) => (
                <div key={text}>{text}</div>
              ))}
            </div>
          )}
          <Warnings warnings={warnings} />
        </div>
      )}
    </div>
  )
}

/**
 * A form of one field. Enter and Tab save it and move on, Escape cancels, and moving the focus elsewhere saves it too.
 */
export function CellEditor(given: CellEditing) {
  const { column, sessions, session } = given
  const engine = useEngine()
  const words = useCellWords()
  const within = useRef(true)
  const { root, entity, model, saving, leave, press } = useCellEditing(given)
  const problems = useMemo(
    () => [
      ...saving.elsewhere.map((problem) => namedAt(entity, problem, engine)),
      ...(saving.failure === undefined ? [] : [saving.failure]),
    ],
    [saving.elsewhere, saving.failure, entity, engine],
  )
  return (
    <>
      <div
        ref={root}
        className="grid-editor"
        role="group"
        aria-label={words('edit', { label: engine.text(column.label) })}
        aria-busy={saving.busy || undefined}
        onKeyDown={press}
        // A closed list opens with the arrow keys or the space bar; Enter accepts the current choice.
        onKeyDownCapture={(event) => {
          if (event.key === 'Enter' && (event.target as Element).matches('[role="combobox"][aria-expanded="false"]'))
            press(event)
        }}
        onFocus={() => {
          within.current = true
        }}
        onBlur={() => {
          within.current = false
          // The focus may be moving to a popup of the control, or the window may only have lost focus.
          setTimeout(() => {
            if (!within.current && document.hasFocus() && sessions.sessionOf(session.key)) void leave()
          })
        }}
      >
        <ConfigProvider componentSize="small">
          <OuterProblemsReact.Provider value={problems}>
            <FormRoot model={model} item={CellItem} focused={column.field}>
              <FormField name={column.field} />
            </FormRoot>
          </OuterProblemsReact.Provider>
        </ConfigProvider>
      </div>
      {saving.conflict && (
        <ConflictDialog
          model={model}
          conflict={saving.conflict}
          onSettle={(theirs) => void saving.settle(theirs)}
          onCancel={saving.dismiss}
        />
      )}
    </>
  )
}

/** `Effective month: …`, because the field with the problem is not here. */
function namedAt(entity: EntityPlan, { field, message }: FieldProblem, { text, language }: EngineContext): string {
  const label = entity.fields[field.split('.')[0]]?.label
  return label
    ? formWords.translate(language)('elsewhere', { label: text(label), message: text(message) })
    : text(message)
}
