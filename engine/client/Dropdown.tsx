import type { DropdownProps } from 'antd'
import { cloneElement, useLayoutEffect, useRef, useState } from 'react'
import type { MouseEvent, ReactElement, SyntheticEvent } from 'react'
import { loadWithRetry } from './loadWithRetry.ts'
import { arrivedOf } from './lazy.ts'
import { loadOverlays } from './loadOverlays.ts'
import { presses } from './presses.ts'

/** Where the trigger was before the menu was loaded. */
interface Waiting {
  parent: Element
  place: number
  hadFocus: boolean
}

/** antd's dropdown, loaded when its trigger is pointed at, focused or pressed. What was pressed meanwhile opens it then. */
export function Dropdown({ children, ...props }: DropdownProps & { children: ReactElement<Record<string, unknown>> }) {
  const [View, setView] = useState(() => arrivedOf(loadOverlays)?.Dropdown)
  const waiting = useRef<Waiting>()
  const pressed = useRef<MouseEventInit & { type: string }>()
  useLayoutEffect(() => {
    const { parent, place, hadFocus } = waiting.current ?? {}
    const event = pressed.current
    waiting.current = pressed.current = undefined
    const trigger = View && place !== undefined ? parent?.children[place] : undefined
    if (hadFocus) (trigger as HTMLElement | undefined)?.focus()
    if (event) trigger?.dispatchEvent(new window.MouseEvent(event.type, { ...event, bubbles: true }))
  }, [View])
  if (View) return <View {...props}>{children}</View>

  const prepare = ({ currentTarget }: SyntheticEvent) => {
    presses.watch()
    void loadWithRetry(loadOverlays).then(async (found) => {
      await presses.released()
      const parent = currentTarget.parentElement
      if (!parent) return
      const hadFocus = document.activeElement === currentTarget
      waiting.current = { parent, place: [...parent.children].indexOf(currentTarget), hadFocus }
      setView(() => found.Dropdown)
    })
  }
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
