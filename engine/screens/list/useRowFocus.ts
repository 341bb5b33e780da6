import { useEffect, useRef } from 'react'
import type { RefObject } from 'react'
import { focusRow } from './useRowKeys.ts'

interface Given {
  root: RefObject<HTMLElement | null>
  rows: readonly { record: { id?: number } }[]
}

/**
 * When the focused row leaves the list, as once it is corrected or approved, its action of the next row gets the focus,
 * so that keyboard users need not walk the page again for each.
 */
export function useRowFocus({ root, rows }: Given): void {
  const last = useRef<{ id: number; index: number; action: string | undefined }>()
  const shown = useRef(rows)
  shown.current = rows

  useEffect(() => {
    const remember = ({ target }: FocusEvent) => {
      const element = target as Element
      // The dialogs of an action are outside the list.
      if (element.closest('[role=dialog]')) return
      const row = root.current?.contains(element) ? element.closest<HTMLElement>('[data-record]') : null
      const id = Number(row?.dataset.record)
      last.current = row
        ? {
            id,
            index: shown.current.findIndex(({ record }) => record.id === id),
            action: element.closest<HTMLElement>('[data-action]')?.dataset.action,
          }
        : undefined
    }
    document.addEventListener('focusin', remember)
    return () => document.removeEventListener('focusin', remember)
  }, [root])

  // At each render, because the row may leave before its dialog has closed or after.
  useEffect(() => {
    const left = last.current
    if (!left || left.index < 0 || document.activeElement !== document.body) return
    if (rows.some(({ record }) => record.id === left.id)) return
    const next = rows[Math.min(left.index, rows.length - 1)]?.record.id
    const row = root.current?.querySelector<HTMLElement>(`[data-record="${next}"]`)
    const action = row?.querySelector<HTMLElement>(`[data-action="${left.action}"]`)
    if (action) action.focus()
    else if (row) focusRow(row)
    else root.current?.querySelector<HTMLElement>('[role=tab][aria-selected=true]')?.focus()
  })
}
