import type { DropdownProps } from 'antd'
import { cloneElement, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { MouseEvent, ReactElement, RefObject, SyntheticEvent } from 'react'
import { arriveLate } from './late.ts'
import { arrivedOf } from './lazy.ts'
import { loadLater } from './loadLater.ts'

/** Where the trigger was before the menu was loaded. */
interface Waiting {
  parent: Element
  place: number
  hadFocus: boolean
}

/** antd's dropdown, loaded when its trigger is pointed at, focused or pressed. What was pressed meanwhile opens it then. */
export function Dropdown({ children, ...props }: DropdownProps & { children: ReactElement<Record<string, unknown>> }) {
  const [View, setView] = useState(() => arrivedOf(loadLater)?.Dropdown)
  const waiting = useRef<Waiting>()
  const pressed = useRef<MouseEventInit & { type: string }>()
  const released = useReleased(View === undefined)
  useLayoutEffect(() => {
    const { parent, place, hadFocus } = waiting.current ?? {}
    const event = pressed.current
    waiting.current = pressed.current = undefined
    const trigger = View && place !== undefined ? parent?.children[place] : undefined
    if (hadFocus) (trigger as HTMLElement | undefined)?.focus()
    if (event) trigger?.dispatchEvent(new window.MouseEvent(event.type, { ...event, bubbles: true }))
  }, [View])
  if (View) return <View {...props}>{children}</View>

  const prepare = ({ currentTarget }: SyntheticEvent) =>
    void arriveLate(loadLater).then(async (found) => {
      for (let held; held !== released.current; await held) held = released.current
      const parent = currentTarget.parentElement
      if (!parent) return
      const hadFocus = document.activeElement === currentTarget
      waiting.current = { parent, place: [...parent.children].indexOf(currentTarget), hadFocus }
      setView(() => found.Dropdown)
    })
  const press = (event: MouseEvent) => {
    const { type, clientX, clientY } = event
    pressed.current = { type, clientX, clientY }
    prepare(event)
  }
  return cloneElement(children, {
    onPointerEnter: prepare,
    onFocus: prepare,
    ...(props.trigger?.includes('click') && { onClick: press }),
    ...(props.trigger?.includes('contextMenu') && {
      onContextMenu: (event: MouseEvent) => {
        event.preventDefault()
        press(event)
      },
    }),
  })
}

const holds = { pointerdown: ['pointerup', 'pointercancel'], keydown: ['keyup', 'blur'] } as const

/**
 * Resolves once no pointer or key is held down, and the click has come of it. The loaded menu has a trigger of its own:
 * replaced between press and release, it would not be clicked.
 */
function useReleased(enabled: boolean): RefObject<Promise<void>> {
  const released = useRef(Promise.resolve())
  useEffect(() => {
    if (!enabled) return
    const hold = ({ type }: Event) => {
      const ends = holds[type as keyof typeof holds]
      released.current = new Promise((resolve) => {
        const release = () => {
          for (const end of ends) window.removeEventListener(end, release)
          setTimeout(resolve)
        }
        for (const end of ends) window.addEventListener(end, release)
      })
    }
    const begins = Object.keys(holds)
    for (const begin of begins) window.addEventListener(begin, hold, true)
    return () => {
      for (const begin of begins) window.removeEventListener(begin, hold, true)
    }
  }, [enabled])
  return released
}
