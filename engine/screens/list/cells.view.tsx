import { ConfigProvider } from 'antd'
import { createContext, useContext, useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import type { KeyboardEvent, ReactNode } from 'react'
import { FormField, FormRoot, useDirty, useFormModel } from '../../client/form.tsx'
import { problemId, Warnings } from '../../client/formItem.tsx'
import type { FormItemProps } from '../../client/formItem.tsx'
import { verdictContext } from '../../client/formPlan.ts'
import { useSaving } from '../../client/formSaving.ts'
import { formWords } from '../../client/formWords.ts'
import { useClient } from '../../client/frame.ts'
import { useButtonPermission } from '../../client/permission.ts'
import { useEngine } from '../../client/view.ts'
import type { EngineContext } from '../../client/view.ts'
import { defineWords } from '../../client/words.ts'
import { holds, isReadOnly, isVisible } from '../../expression/verdict.ts'
import type { VerdictContext } from '../../expression/verdict.ts'
import type { EntityPlan, FieldProblem, RecordData } from '../../model/model.ts'
import { ConflictDialog } from '../form/conflict.view.tsx'
import type { ArrangedColumn } from './columnChoices.ts'
import { keyOf, useCellSessions } from './useCellSessions.ts'
import type { CanEdit, CellSession, CellSessions, CellsHost, Way } from './useCellSessions.ts'
import './cells.css'

const useCellWords = defineWords({
  edit: { cn: '编辑{label}', en: 'Edit {label}' },
  named: { cn: '编辑{label}：{value}', en: 'Edit {label}: {value}' },
}).use

interface CellProps {
  host: { readonly current: CellsHost }
  column: ArrangedColumn
  record: RecordData
  /** The cell as it is read. */
  children: ReactNode
}

/**
 * A cell that is edited in place: as long as it may be, a button that begins it; while it is, the control of its field.
 */
export function EditableCell(props: CellProps) {
  const {
    host,
    column: { field, label },
    record,
    children,
  } = props
  const sessions = useCellSessions(host)
  const key = keyOf(record, field)
  const session = useSyncExternalStore(sessions.subscribe, () => sessions.of(key))
  const canEdit = useCanEdit(host)
  const engine = useEngine()
  const told = useCellWords()
  if (session) return <CellEditor {...props} sessions={sessions} session={session} canEdit={canEdit} />
  if (!canEdit(field, record)) return children
  const { type, options, label: own } = host.current.bundle.entities[host.current.screen.entity!].fields[field]
  const held = record[field] ?? null
  const value =
    held === null ? '' : engine.widgets[type].text(held, options, { ...engine, label: own }, engine.language)
  return (
    <button
      type="button"
      className="grid-edit"
      onClick={() => sessions.begin(record, field)}
      aria-label={told(value ? 'named' : 'edit', { label: engine.text(label), value })}
      aria-keyshortcuts="F2"
      onKeyDown={(event) => {
        if (event.key === 'F2') sessions.begin(record, field)
      }}
      ref={(button) => {
        if (button && sessions.takesFocus(key)) button.focus()
      }}
    >
      {children}
    </button>
  )
}

/** Whether a field of a record may be changed now: as the server decides, which asks again. */
export function isEditable(entity: EntityPlan, name: string, record: RecordData, context: VerdictContext): boolean {
  const {
    allow: { update },
  } = entity
  const field = entity.fields[name]
  const seen = { ...context, old: record }
  return (
    (typeof update === 'boolean' ? update : holds(update, true, entity, record, context)) &&
    !isReadOnly(entity, field, record, seen) &&
    isVisible(entity, field, record, seen)
  )
}

function useCanEdit(host: CellProps['host']): CanEdit {
  const { screen, bundle } = host.current
  const engine = useEngine()
  const { user } = useClient()
  const permission = useButtonPermission(bundle.granted)
  const entity = bundle.entities[screen.entity!]
  const context = useMemo(() => verdictContext(engine, entity, user, null), [engine, entity, user])
  return (field, record) => permission.has(entity.permissions.update) && isEditable(entity, field, record, context)
}

/** What is wrong elsewhere than in the field, and why it was not saved. */
const ToldReact = createContext<readonly string[]>([])

/** Of a field in a cell the column says what it is: its label is there for those who do not see that. */
function CellItem({ id, name, label, problems, warnings, children }: FormItemProps) {
  const told = [...problems, ...useContext(ToldReact)]
  return (
    <div className="grid-editor-item" data-field={name}>
      <label className="visually-hidden" htmlFor={id}>
        {label}
      </label>
      {children}
      {told.length + warnings.length > 0 && (
        <div
          className="grid-editor-told"
          ref={(element) => element?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' })}
        >
          {told.length > 0 && (
            <div id={problemId(id)} role="alert">
              {told.map((text) => (
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

type EditorProps = CellProps & { sessions: CellSessions; session: CellSession; canEdit: CanEdit }

/**
 * A form of one field. Enter and Tab save it and go on, Escape gives it up, and whoever goes elsewhere saves it too.
 */
function CellEditor({ host, column, record, sessions, session, canEdit }: EditorProps) {
  const { screen, bundle } = host.current
  const engine = useEngine()
  const told = useCellWords()
  const root = useRef<HTMLDivElement>(null)
  const within = useRef(true)
  const leaving = useRef(false)
  const entity = bundle.entities[screen.entity!]
  // Nothing is suggested for fields that are not here.
  const alone = useMemo<EntityPlan>(() => ({ ...entity, suggests: undefined }), [entity])
  const old = session.read(record)
  const source = useMemo(
    () => ({
      entity: alone,
      mode: 'edit' as const,
      old,
      sections: [{ fields: [{ field: column.field, label: column.label }] }],
    }),
    [alone, old, column],
  )
  const model = useFormModel(source, {}, session.model)
  useEffect(() => session.keep(model), [session, model])
  const dirty = useDirty(model)
  useEffect(() => sessions.mark(session, dirty), [sessions, session, dirty])

  const saving = useSaving(model, {
    path: screen.body.paths.update!,
    granted: bundle.granted[entity.permissions.update] !== false,
    cell: true,
    // What is typed on meanwhile is the next to be saved.
    done: () =>
      void host.current.reload().finally(() => {
        if (!model.isDirty) sessions.end(session)
      }),
  })
  const control = () =>
    root.current?.querySelector<HTMLElement>(
      'input:not([type="hidden"]), textarea, button, [contenteditable="true"], [tabindex]',
    )
  useEffect(() => {
    if (!session.takesFocus()) return
    const element = control()
    element?.focus()
    if (element instanceof HTMLInputElement) element.select()
  }, [session])

  /**
   * Saves what was typed, if anything was, and goes on to another cell; where it is wrong, that is said and one stays.
   */
  async function leave(way?: Way) {
    if (leaving.current) return
    leaving.current = true
    try {
      await left(way)
    } finally {
      leaving.current = false
    }
  }
  async function left(way?: Way) {
    // What the control still holds back it hands on when it is left.
    if (way && root.current?.contains(document.activeElement)) {
      ;(document.activeElement as HTMLElement).blur()
      await new Promise((resolve) => {
        setTimeout(resolve)
      })
    }
    if (model.isDirty && (await model.check()).some(model.shows)) return way && control()?.focus()
    const next = way && sessions.next(session, way, canEdit)
    session.setReturns(way !== undefined && next === undefined)
    if (next) {
      reveal(
        root.current,
        host.current.rows.findIndex((row) => row.record.id === next.record.id),
      )
      sessions.begin(next.record, next.field)
    }
    if (model.isDirty) await saving.submit()
    else sessions.end(session)
  }

  function giveUp() {
    session.setReturns(true)
    sessions.end(session)
  }

  function press(event: KeyboardEvent) {
    const { key, shiftKey, ctrlKey, metaKey, nativeEvent, target } = event
    // Enter that ends a composition, and what an open list or calendar answers to, are the control's own.
    if (nativeEvent.isComposing || event.defaultPrevented || (target as Element).closest('[aria-expanded="true"]'))
      return
    const isOwn =
      key === 'Enter' &&
      !ctrlKey &&
      !metaKey &&
      (target as Element).closest('textarea, button, a, [contenteditable="true"]')
    const ways: Record<string, Way> = shiftKey ? { Enter: 'up', Tab: 'left' } : { Enter: 'down', Tab: 'right' }
    if (isOwn || (key !== 'Escape' && !(key in ways))) return
    event.preventDefault()
    event.stopPropagation()
    if (key === 'Escape') giveUp()
    else void leave(ways[key])
  }

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
        aria-label={told('edit', { label: engine.text(column.label) })}
        aria-busy={saving.busy || undefined}
        onKeyDown={press}
        // A closed list opens by the arrows and the space bar: Enter is for what is chosen.
        onKeyDownCapture={(event) => {
          if (event.key === 'Enter' && (event.target as Element).matches('[role="combobox"][aria-expanded="false"]'))
            press(event)
        }}
        onFocus={() => {
          within.current = true
        }}
        onBlur={() => {
          within.current = false
          // The focus may be on its way to what belongs to the control; and the window may only be behind another.
          setTimeout(() => {
            if (!within.current && document.hasFocus() && sessions.of(session.key)) void leave()
          })
        }}
      >
        <ConfigProvider componentSize="small">
          <ToldReact.Provider value={problems}>
            <FormRoot model={model} item={CellItem} focused={column.field}>
              <FormField name={column.field} />
            </FormRoot>
          </ToldReact.Provider>
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

/** `Effective month: …`, as the problem is of a field that is not here. */
function namedAt(entity: EntityPlan, { field, message }: FieldProblem, { text, language }: EngineContext): string {
  const label = entity.fields[field.split('.')[0]]?.label
  return label
    ? formWords.translate(language)('elsewhere', { label: text(label), message: text(message) })
    : text(message)
}

/** A row far away is not drawn until it is scrolled to. */
function reveal(from: HTMLElement | null, index: number) {
  const scroller = from?.closest('.grid')
  const table = scroller?.querySelector('table')
  if (!scroller || !table || scroller.querySelector(`tbody tr[aria-rowindex="${index + 2}"]`)) return
  scroller.scrollTop = index * parseFloat(table.style.getPropertyValue('--row-height')) - scroller.clientHeight / 2
}
