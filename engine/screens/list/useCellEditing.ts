import { useEffect, useMemo, useRef } from 'react'
import type { KeyboardEvent } from 'react'
import { useDirty, useFormModel } from '../../client/form.tsx'
import { useSaving } from '../../client/formSaving.ts'
import type { EntityPlan, RecordData } from '../../model/model.ts'
import type { ArrangedColumn } from './columnChoices.ts'
import type { CanEdit, CellSession, CellSessions, CellsHost, Way } from './useCellSessions.ts'

export interface CellEditing {
  host: { readonly current: CellsHost }
  column: ArrangedColumn
  record: RecordData
  sessions: CellSessions
  session: CellSession
  canEdit: CanEdit
}

/** The form of one field in a cell: its value, saving, and leaving it. */
export function useCellEditing(given: CellEditing) {
  const { host, column, record, sessions, session } = given
  const { screen, bundle } = host.current
  const root = useRef<HTMLDivElement>(null)
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
    // Input made meanwhile is saved next.
    done: () =>
      void host.current.reload().finally(() => {
        if (!model.isDirty) sessions.end(session)
      }),
  })
  useEffect(() => {
    if (!session.takesFocus()) return
    const element = controlIn(root.current)
    element?.focus()
    if (element instanceof HTMLInputElement) element.select()
  }, [session])

  const leave = useLeaving(given, { root, model, submit: saving.submit })
  return {
    root,
    entity,
    model,
    saving,
    leave,
    press(event: KeyboardEvent) {
      const answer = answerTo(event)
      if (answer === undefined) return
      event.preventDefault()
      event.stopPropagation()
      if (answer !== 'give up') return void leave(answer)
      session.setReturns(true)
      sessions.end(session)
    },
  }
}

interface Left {
  root: { readonly current: HTMLElement | null }
  model: ReturnType<typeof useFormModel>
  submit: ReturnType<typeof useSaving>['submit']
}

/** Saves the input, if any, and moves to another cell; if it is invalid, shows the problem and stays. */
function useLeaving({ host, sessions, session, canEdit }: CellEditing, { root, model, submit }: Left) {
  const leaving = useRef(false)
  async function left(way?: Way) {
    // A control passes on pending input when it loses the focus.
    if (way && root.current?.contains(document.activeElement)) {
      ;(document.activeElement as HTMLElement).blur()
      await new Promise((resolve) => {
        setTimeout(resolve)
      })
    }
    if (model.isDirty && (await model.check()).some(model.shows)) return way && controlIn(root.current)?.focus()
    const next = way && sessions.next(session, way, canEdit)
    session.setReturns(way !== undefined && next === undefined)
    if (next) {
      reveal(
        root.current,
        host.current.rows.findIndex((row) => row.record.id === next.record.id),
      )
      sessions.begin(next.record, next.field)
    }
    if (model.isDirty) await submit()
    else sessions.end(session)
  }
  return async (way?: Way) => {
    if (leaving.current) return
    leaving.current = true
    try {
      await left(way)
    } finally {
      leaving.current = false
    }
  }
}

/** Where a key leads from a cell; undefined for keys that the control handles itself. */
function answerTo(event: KeyboardEvent): Way | 'give up' | undefined {
  const { key, shiftKey, ctrlKey, metaKey, nativeEvent, defaultPrevented } = event
  const target = event.target as Element
  // The control itself handles Enter during composition, and keys of an open list or calendar.
  if (nativeEvent.isComposing || defaultPrevented || target.closest('[aria-expanded="true"]')) return undefined
  const isLine = !ctrlKey && !metaKey && target.closest('textarea, button, a, [contenteditable="true"]')
  if (key === 'Enter' && isLine) return undefined
  if (key === 'Escape') return 'give up'
  const ways: Record<string, Way> = shiftKey ? { Enter: 'up', Tab: 'left' } : { Enter: 'down', Tab: 'right' }
  return ways[key]
}

const controlIn = (root: HTMLElement | null) =>
  root?.querySelector<HTMLElement>('input:not([type="hidden"]), textarea, button, [contenteditable="true"], [tabindex]')

/** A distant row is only drawn once it is scrolled into view. */
function reveal(from: HTMLElement | null, index: number) {
  const scroller = from?.closest('.grid')
  const table = scroller?.querySelector('table')
  if (!scroller || !table || scroller.querySelector(`tbody tr[aria-rowindex="${index + 2}"]`)) return
  scroller.scrollTop = index * parseFloat(table.style.getPropertyValue('--row-height')) - scroller.clientHeight / 2
}
