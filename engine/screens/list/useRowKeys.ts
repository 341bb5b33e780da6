import { useEffect, useRef } from 'react'
import type { RefObject } from 'react'
import { useStable } from '../../client/useStable.ts'
import type { RecordData } from '../../model/model.ts'
import { rowKeyOf, stepRow } from './rowKeys.ts'

interface Given {
  root: RefObject<HTMLElement | null>
  /** The list is on the visible screen. */
  enabled: boolean
  rows: readonly { record: RecordData }[]
  rowHeight: number
  /** Absent if the row offers none. */
  edit(record: RecordData): (() => void) | undefined
  tick(record: RecordData): void
}

const isTypedInto = (target: Element) =>
  target.matches('input:not([type=checkbox]), textarea, select, [contenteditable=true], [role=combobox], [role=tab]')
const isCovered = () =>
  [...document.querySelectorAll('[aria-modal=true], [role=menu]')].some((element) => element.checkVisibility())

/**
 * J and K, or the arrows, move between rows, Enter opens the row, E edits it, the space bar ticks it. Returning to the
 * list focuses the last row.
 */
export function useRowKeys({ root, enabled, rows, rowHeight, edit, tick }: Given): void {
  const last = useRef<number>(undefined)
  const rowOf = (id: number | undefined) => root.current?.querySelector<HTMLElement>(`[data-record="${id}"]`)

  const focus = (index: number) => {
    const id = rows[index]?.record.id
    const scroller = root.current?.querySelector('.grid')
    // Synchronously, because the next key may come before the next frame.
    if (rowOf(id) || !scroller) return focusRow(rowOf(id))
    // A distant row is drawn once it is scrolled into view.
    scroller.scrollTop = index * rowHeight - scroller.clientHeight / 2
    requestAnimationFrame(() => focusRow(rowOf(id)))
  }

  const press = useStable((event: KeyboardEvent) => {
    const target = event.target as HTMLElement
    // An element that contains the list, such as the whole page, does not count as outside.
    const isOutside = !target.contains(root.current) && !root.current?.contains(target)
    if (event.defaultPrevented || event.isComposing || isOutside || isTypedInto(target) || isCovered()) return
    const row = target.closest<HTMLElement>('[data-record]')
    const id = row ? Number(row.dataset.record) : last.current
    const at = rows.findIndex(({ record }) => record.id === id)
    const key = rowKeyOf({
      key: event.key,
      isModified: event.ctrlKey || event.metaKey || event.altKey,
      isOnRow: row === target,
    })
    if (key === undefined) return
    if (key === 'next' || key === 'previous') {
      const to = stepRow(rows.length, at, key)
      if (to === undefined) return
      event.preventDefault()
      return focus(to)
    }
    const found = rows[at]?.record
    if (!found) return
    const run = {
      open: () => rowOf(found.id)?.querySelector<HTMLElement>('a[href], .grid-opener')?.click(),
      edit: edit(found),
      tick: () => tick(found),
    }[key]
    if (!run) return
    event.preventDefault()
    run()
  })
  useEffect(() => {
    if (!enabled) return
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [enabled, press])

  useEffect(() => {
    const element = root.current
    const remember = ({ target }: Event) => {
      const row = (target as Element).closest<HTMLElement>('[data-record]')
      if (row) last.current = Number(row.dataset.record)
    }
    element?.addEventListener('focusin', remember)
    return () => element?.removeEventListener('focusin', remember)
  }, [root])

  const wasEnabled = useRef(enabled)
  const comeBack = useStable(() => {
    if (document.activeElement === document.body && last.current !== undefined) focusRow(rowOf(last.current))
  })
  useEffect(() => {
    if (enabled && !wasEnabled.current) comeBack()
    wasEnabled.current = enabled
  }, [enabled, comeBack])
}

export function focusRow(row: HTMLElement | null | undefined) {
  if (!row) return
  row.tabIndex = -1
  row.focus({ preventScroll: true })
  row.scrollIntoView({ block: 'nearest' })
}
