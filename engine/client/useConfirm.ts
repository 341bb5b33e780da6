import { useNotices } from './notices.tsx'
import type { ModalFuncProps } from 'antd'
import { useEffect, useRef } from 'react'
import { useShown } from './frame.ts'
import { useStable } from './useStable.ts'

/** Asks a question of a screen. Once the screen is hidden it counts as answered with no. */
export function useConfirm(): (question: ModalFuncProps) => Promise<boolean> {
  const { modal } = useNotices()
  const shown = useShown()
  const open = useRef(new Set<() => void>())
  useEffect(() => {
    if (!shown) for (const refuse of open.current) refuse()
  }, [shown])
  return useStable(
    (question: ModalFuncProps) =>
      new Promise<boolean>((resolve) => {
        const dialog = modal.confirm(question)
        const answer = (is: boolean) => {
          open.current.delete(refuse)
          resolve(is)
        }
        const refuse = () => {
          dialog.destroy()
          answer(false)
        }
        open.current.add(refuse)
        void dialog.then(answer, () => undefined)
      }),
  )
}
