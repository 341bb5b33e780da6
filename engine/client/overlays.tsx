import type { DrawerProps, ModalProps } from 'antd'
import { useEffect, useState } from 'react'
import type { ComponentType } from 'react'
import { loadWithRetry } from './loadWithRetry.ts'
import { arrivedOf } from './lazy.ts'
import { loadOverlays } from './loadOverlays.ts'

/** antd's dialog, loaded when it first opens. */
export const Modal = opened<ModalProps>('Modal')
/** antd's drawer, loaded when it first opens. */
export const Drawer = opened<DrawerProps>('Drawer')

function opened<P extends { open?: boolean }>(name: 'Modal' | 'Drawer') {
  return function Opened(props: P) {
    const [, setArrived] = useState(false)
    const { open } = props
    const View = arrivedOf(loadOverlays)?.[name] as ComponentType<P> | undefined
    useEffect(() => {
      if (open && !View) void loadWithRetry(loadOverlays).then(() => setArrived(true))
    }, [open, View])
    return View ? <View {...props} /> : null
  }
}
