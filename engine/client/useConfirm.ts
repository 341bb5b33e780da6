import { useNotices } from './notices.tsx'
import type { ModalFuncProps } from 'antd'
import { useEffect, useRef, type ReactNode } from 'react'
import { useShown } from './frame.ts'
import { useStable } from './useStable.ts'

interface Question extends Omit<ModalFuncProps, 'content'> {
  /** A function is given a way to answer with no from within the content. */
  content?: ReactNode | ((refuse: () => void) => ReactNode)
}

/** Asks a question of a screen. Once the screen is hidden it counts as answered with no. */
export function useConfirm(): (question: Question) => Promise<boolean> {
  const { modal } = useNotices()
  const shown = useShown()
  const open = useRef(new Set<() => void>())
  useEffect(() => {
    if (!shown) for (const refuse of open.current) refuse()
  }, [shown])
  return useStable(
    ({ content, ...question }: Question) =>
      new Promise<boolean>((resolve) => {
        const drawn = typeof content === 'function' ? content(() => refuse()) : content
        const dialog = modal.confirm({ ...question, content: drawn })
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
