import { useConfirm } from './useConfirm.ts'
import { useWords } from './words.ts'

/** Leaves a dialog, drawer or form: at once, or with unsaved input once the user agrees to lose it. */
export function useConfirmLeaving(): (dirty: boolean, go: () => void) => Promise<void> {
  const words = useWords()
  const confirm = useConfirm()
  return async (dirty, go) => {
    const leaves = { title: words('leaveConfirm'), okText: words('ok'), cancelText: words('cancel') }
    if (!dirty || (await confirm(leaves))) go()
  }
}
