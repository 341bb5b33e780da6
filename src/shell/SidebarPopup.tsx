import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import type { KeyboardEvent, MouseEvent, ReactNode } from 'react'

interface SidebarPopupProps {
  name: string
  /** The open route: another one closes the popup. */
  current: string
  within: boolean
  /** How the sidebar shows the directory. */
  content: ReactNode
  /** Its entries. */
  children: ReactNode
}

/** Pixels between the popup and the edge of the window. */
const margin = 8

/** A directory of the collapsed sidebar: hovering, a click or the right arrow opens its entries beside it. */
export function SidebarPopup({ name, current, within, content, children }: SidebarPopupProps) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const popup = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState(false)
  const [byKeyboard, setByKeyboard] = useState(false)
  useEffect(() => setOpen(false), [current])
  useLayoutEffect(() => {
    if (!open) return
    const { style, offsetHeight } = popup.current!
    const { top, right } = button.current!.getBoundingClientRect()
    style.left = `${right}px`
    style.top = `${Math.max(margin, Math.min(top, window.innerHeight - offsetHeight - margin))}px`
    if (byKeyboard) popup.current!.querySelector<HTMLElement>('.sidebar-entry')?.focus()
  }, [open, byKeyboard])

  const show = (withKeyboard: boolean) => {
    setByKeyboard(withKeyboard)
    setOpen(true)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowRight' && event.target === button.current) show(true)
    if (event.key !== 'Escape' || !open) return
    setOpen(false)
    button.current!.focus()
  }
  return (
    <li
      data-within={within}
      onMouseEnter={() => show(false)}
      onMouseLeave={() => setOpen(false)}
      onKeyDown={onKeyDown}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (relatedTarget && !currentTarget.contains(relatedTarget)) setOpen(false)
      }}
    >
      <button
        ref={button}
        type="button"
        className="sidebar-entry"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        // A keyboard click has a count of 0.
        onClick={(event) => show(event.detail === 0)}
      >
        {content}
      </button>
      {open && (
        <div
          ref={popup}
          id={id}
          className="sidebar-popup"
          onClick={(event: MouseEvent) => {
            if ((event.target as Element).closest('a')) setOpen(false)
          }}
        >
          <p aria-hidden="true">{name}</p>
          {children}
        </div>
      )}
    </li>
  )
}
