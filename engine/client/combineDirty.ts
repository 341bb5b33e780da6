import type { ScreenFrame } from './frame.ts'

/** Unsaved work that several parts of a screen report, told as one: there is some while any of them has some. */
export function combineDirty(tell: (dirty: boolean) => void): ScreenFrame['setDirty'] {
  const parts = new Set<string>()
  return (dirty, part = '') => {
    if (dirty) parts.add(part)
    else parts.delete(part)
    tell(parts.size > 0)
  }
}
