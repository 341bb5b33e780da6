import { useMemo, useRef, useState } from 'react'
import { combineDirty } from './combineDirty.ts'
import { useUnsavedPart } from './editing.ts'
import { useClient } from './frame.ts'
import type { ClientContext, ScreenFrame } from './frame.ts'
import { useStable } from './useStable.ts'

/** Pixels, for a screen that does not set its width. */
const defaultWidth = 1040

export interface DrawerFrame {
  frame: ScreenFrame
  /** Watches which changes the inner screen announces. */
  client: ClientContext
  open: boolean
  dirty: boolean
  busy: boolean
  width: number
  setDirty(dirty: boolean): void
  shut(): void
}

/** The frame that a drawer provides for its screen, and what the screen reports through it. */
export function useDrawerFrame(
  { active, version, navigate, setDirty: report }: ScreenFrame,
  onChanged: (() => void) | undefined,
): DrawerFrame {
  const outer = useClient()
  const [open, setOpen] = useState(true)
  const [dirty, setDirty] = useState(false)
  const [setPartDirty] = useState(() => combineDirty(setDirty))
  const isDirty = useRef(dirty)
  isDirty.current = dirty
  useUnsavedPart({ setDirty: report }, dirty && open)
  const [busy, setBusy] = useState(true)
  const [width, setWidth] = useState(defaultWidth)
  const [state, setState] = useState<Readonly<Record<string, string>>>({})
  const changed = useRef(false)
  const isShut = useRef(false)
  // The opener reloads while the drawer slides out, so it is current once it is usable.
  const shut = useStable(() => {
    setOpen(false)
    isShut.current = true
    if (changed.current) onChanged?.()
    changed.current = false
  })
  const noteChange = useStable(() => {
    if (isShut.current) onChanged?.()
    else changed.current = true
  })

  const frame = useMemo<ScreenFrame>(
    () => ({
      place: 'drawer',
      active,
      version,
      state,
      setState,
      setDirty: setPartDirty,
      setBusy,
      setWidth,
      navigate(to) {
        // With unsaved work it is only hidden with its screen.
        if (!isDirty.current) shut()
        navigate(to)
      },
      close(outcome) {
        setDirty(false)
        if (outcome?.changed) noteChange()
        shut()
      },
    }),
    [active, version, state, navigate, setPartDirty, shut, noteChange],
  )

  const client = useMemo(
    () => ({
      ...outer,
      announce: (entity: string) => {
        noteChange()
        outer.announce(entity)
      },
    }),
    [outer, noteChange],
  )

  return { frame, client, open, dirty, busy, width, setDirty, shut }
}
