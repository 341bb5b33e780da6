import { useMemo, useSyncExternalStore } from 'react'
import type { ReactNode } from 'react'
import { verdictContext } from '../../client/formPlan.ts'
import { useClient } from '../../client/frame.ts'
import { useButtonPermission } from '../../client/permission.ts'
import { useEngine } from '../../client/view.ts'
import { holds } from '../../expression/conditions.ts'
import { isReadOnly, isVisible } from '../../expression/verdict.ts'
import type { VerdictContext } from '../../expression/VerdictContext.ts'
import type { EntityPlan, RecordData } from '../../model/model.ts'
import { CellEditor } from './CellEditor.tsx'
import { useCellWords } from './useCellWords.ts'
import type { ArrangedColumn } from './columnChoices.ts'
import { keyOf, useCellSessions } from './useCellSessions.ts'
import type { CanEdit, CellsHost } from './useCellSessions.ts'
import './cells.css'

interface CellProps {
  host: { readonly current: CellsHost }
  column: ArrangedColumn
  record: RecordData
  /** The cell when it is not being edited. */
  children: ReactNode
}

/** An editable cell: a button that starts editing if that is allowed, and the field's control while editing. */
export function EditableCell(props: CellProps) {
  const {
    host,
    column: { field, label },
    record,
    children,
  } = props
  const sessions = useCellSessions(host)
  const key = keyOf(record, field)
  const session = useSyncExternalStore(sessions.subscribe, () => sessions.sessionOf(key))
  const canEdit = useCanEdit(host)
  const engine = useEngine()
  const words = useCellWords()
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
      aria-label={words(value ? 'named' : 'edit', { label: engine.text(label), value })}
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

/** Whether a field of a record may be changed now, by the same rules as the server, which checks again. */
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
