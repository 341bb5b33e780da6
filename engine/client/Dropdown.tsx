import type { DropdownProps } from 'antd'
import { cloneElement, forwardRef, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react'
import type { DOMAttributes, MouseEvent, ReactElement, SyntheticEvent } from 'react'
import { loadWithRetry } from './loadWithRetry.ts'
import { loadOverlays } from './loadOverlays.ts'

type Press = 'onClick' | 'onContextMenu'
type Handlers = Partial<Record<Press, (event: MouseEvent<HTMLElement>) => void>>

/**
 * antd's dropdown, loaded when its trigger is pointed at, focused or pressed. A press before it has loaded opens it
 * afterwards. The trigger stays the same element, so that it keeps the focus and loses no click.
 */
export function Dropdown({
  children,
  ...props
}: DropdownProps & { children: ReactElement<DOMAttributes<HTMLElement>> }) {
  const [View, setView] = useState<(typeof import('./antdOverlays.ts'))['Dropdown']>()
  const trigger = useRef<HTMLElement>(null!)
  const handlers = useRef<Handlers>()
  const pressed = useRef<() => void>()
  function prepare({ currentTarget }: SyntheticEvent) {
    trigger.current = currentTarget as HTMLElement
    if (!View) void loadWithRetry(loadOverlays).then((found) => setView(() => found.Dropdown))
  }
  function prepareAnd<E extends SyntheticEvent>(own?: (event: E) => void) {
    return (event: E) => {
      prepare(event)
      own?.(event)
    }
  }
  const press = (kind: Press, opens: boolean | undefined) => (event: MouseEvent<HTMLElement>) => {
    prepare(event)
    if (handlers.current) handlers.current[kind]?.(event)
    else if (opens) {
      if (kind === 'onContextMenu') event.preventDefault()
      pressed.current = () => handlers.current?.[kind]?.(event)
    }
    children.props[kind]?.(event)
  }
  function receive(received: Handlers) {
    handlers.current = received
    pressed.current?.()
    pressed.current = undefined
  }
  return (
    <>
      {cloneElement(children, {
        onPointerEnter: prepareAnd(children.props.onPointerEnter),
        onFocus: prepareAnd(children.props.onFocus),
        onClick: press('onClick', props.trigger?.includes('click')),
        onContextMenu: press('onContextMenu', props.trigger?.includes('contextMenu')),
      })}
      {View && (
        <View {...props}>
          <TriggerProxy element={() => trigger.current} receive={receive} />
        </View>
      )}
    </>
  )
}

interface TriggerProxyProps extends Handlers {
  element(): HTMLElement
  receive(handlers: Handlers): void
}

/** Gives antd an element that is drawn elsewhere, and the element antd's handlers. */
const TriggerProxy = forwardRef<HTMLElement, TriggerProxyProps>(function TriggerProxy(props, ref) {
  const { element, receive, onClick, onContextMenu } = props
  useImperativeHandle(ref, element)
  useLayoutEffect(() => receive({ onClick, onContextMenu }))
  return null
})
