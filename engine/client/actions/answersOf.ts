import type { useWords } from '../words.ts'

/** The buttons of a dialog: what it does, and the way back, which must not read like the action itself. */
export function answersOf(label: string, words: ReturnType<typeof useWords>): { okText: string; cancelText: string } {
  const cancel = words('cancel')
  const isAlike = label.toLowerCase().includes(cancel.toLowerCase())
  return { okText: label, cancelText: isAlike ? words('back') : cancel }
}
