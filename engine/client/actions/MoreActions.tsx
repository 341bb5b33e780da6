import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { createPortal } from 'react-dom'
import type { ActionPlan } from '../../model/model.ts'
import { refused } from '../refused.ts'
import { namedAfter } from './namedAfter.ts'
import { useEngine } from '../view.ts'
import { useWords } from '../words.ts'

interface MoreActionsProps {
  plans: ActionPlan[]
  /** Explains who may take an action that the user may not. */
  refusal(plan: ActionPlan): string | undefined
  /** The id of the element that names the record. */
  ownerId?: string
  onChoose(plan: ActionPlan): void
}

/** No action can have this name. */
const menuName = '#more'

/** 更多: the actions that do not fit. The menu is built only when opened, because a list has one for every row. */
export function MoreActions({ plans, refusal, ownerId, onChoose }: MoreActionsProps) {
  const words = useWords()
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)
  const close = (backToButton: boolean) => {
    setOpen(false)
    if (backToButton) button.current?.focus()
  }
  return (
    <>
      <button
        ref={button}
        type="button"
        className="action-link"
        aria-haspopup="menu"
        {...namedAfter(ownerId, menuName)}
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown') {
            event.preventDefault()
            setOpen(true)
          }
        }}
      >
        {words('more')}
      </button>
      {open && button.current && (
        <Menu
          id={id}
          label={words('more')}
          plans={plans}
          refusal={refusal}
          anchor={button.current}
          onClose={close}
          onChoose={(plan) => {
            // Whatever opens next then returns the focus to this button, not to the menu that is gone.
            close(true)
            onChoose(plan)
          }}
        />
      )}
    </>
  )
}

interface MenuProps extends MoreActionsProps {
  id: string
  label: string
  anchor: HTMLElement
  onClose(backToButton: boolean): void
}

function Menu({ id, label, plans, refusal, anchor, onChoose, onClose }: MenuProps) {
  const { text } = useEngine()
  const menu = useRef<HTMLDivElement>(null)
  const opened = useRef<DOMRect>(undefined)
  const [place, setPlace] = useState<{ top: number; left: number }>()

  useLayoutEffect(() => {
    const { width, height } = menu.current!.getBoundingClientRect()
    const at = (opened.current = anchor.getBoundingClientRect())
    setPlace({
      top: at.bottom + height + 4 > window.innerHeight ? Math.max(4, at.top - height - 4) : at.bottom + 4,
      left: Math.max(4, Math.min(at.left, window.innerWidth - width - 4)),
    })
  }, [anchor])
  useEffect(() => {
    if (place) menu.current!.querySelector<HTMLElement>('[role=menuitem]')?.focus()
  }, [place])
  useEffect(() => {
    const leave = ({ target }: Event) => {
      if (!menu.current?.contains(target as Node) && !anchor.contains(target as Node)) onClose(false)
    }
    // Other parts of the page also scroll while they load.
    const leaveBehind = () => {
      const now = anchor.getBoundingClientRect()
      if (now.top !== opened.current?.top || now.left !== opened.current.left) onClose(false)
    }
    window.addEventListener('pointerdown', leave, true)
    window.addEventListener('scroll', leaveBehind, true)
    window.addEventListener('resize', leaveBehind)
    return () => {
      window.removeEventListener('pointerdown', leave, true)
      window.removeEventListener('scroll', leaveBehind, true)
      window.removeEventListener('resize', leaveBehind)
    }
  })

  const steer = (event: KeyboardEvent) => {
    const items = [...menu.current!.querySelectorAll<HTMLElement>('[role=menuitem]')]
    const index = items.indexOf(document.activeElement as HTMLElement)
    const to = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: -1 }[event.key]
    if (to !== undefined) items.at(to % items.length)?.focus()
    else if (event.key === 'Escape' || event.key === 'Tab') onClose(true)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return createPortal(
    <div
      ref={menu}
      id={id}
      role="menu"
      aria-label={label}
      className="action-menu"
      style={place ?? { visibility: 'hidden' }}
      onKeyDown={steer}
    >
      {plans.map((plan) => (
        <button
          key={plan.name}
          {...refused(refusal(plan))}
          type="button"
          role="menuitem"
          tabIndex={-1}
          data-action={plan.name}
          data-danger={plan.danger || undefined}
          onClick={() => onChoose(plan)}
        >
          {text(plan.label)}
        </button>
      ))}
    </div>,
    document.body,
  )
}
