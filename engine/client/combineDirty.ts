import type { ScreenFrame } from './frame.ts'

/** Combines the unsaved-work flags of a screen's parts: the screen has unsaved work while any part has. */
export function combineDirty(report: (dirty: boolean) => void): ScreenFrame['setDirty'] {
  const parts = new Set<string>()
  return (dirty, part = '') => {
    if (dirty) parts.add(part)
    else parts.delete(part)
    report(parts.size > 0)
  }
}
