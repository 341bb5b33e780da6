import type { DrawerProps, ModalProps } from 'antd'
import { useEffect, useState } from 'react'
import type { ComponentType } from 'react'
import { arriveLate } from './late.ts'
import { arrivedOf } from './lazy.ts'
import { loadLater } from './loadLater.ts'

/** antd's dialog, loaded when it first opens. */
export const Modal = opened<ModalProps>('Modal')
/** antd's drawer, loaded when it first opens. */
export const Drawer = opened<DrawerProps>('Drawer')

function opened<P extends { open?: boolean }>(name: 'Modal' | 'Drawer') {
  return function Opened(props: P) {
    const [, setArrived] = useState(false)
    const { open } = props
    const View = arrivedOf(loadLater)?.[name] as ComponentType<P> | undefined
    useEffect(() => {
      if (open && !View) void arriveLate(loadLater).then(() => setArrived(true))
    }, [open, View])
    return View ? <View {...props} /> : null
  }
}
