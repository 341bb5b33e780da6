import { useEffect, useId, useState } from 'react'
import type { ScreenFrame } from './frame.ts'
import { useRecord } from './records.ts'

/**
 * The record that a form is about to change: always fetched fresh, never from a cache, and not refetched while the form
 * has unsaved input, which it reports through `onDirty`.
 */
export function useEditedRecord(
  { version: current, setBusy }: ScreenFrame,
  path: string,
  id: string | null | undefined,
  { enabled = true } = {},
) {
  const [dirty, onDirty] = useState(false)
  const [version, setVersion] = useState(current)
  if (!dirty && version !== current) setVersion(current)
  const { data, error, isFetchedAfterMount, refetch } = useRecord(path, id, { enabled, version })
  const [read, setRead] = useState(false)
  if (isFetchedAfterMount && !read) setRead(true)
  useEffect(() => {
    if (error) setBusy(false)
  }, [error, setBusy])
  return { data: read ? data : undefined, kept: data, error, refetch: () => void refetch(), onDirty }
}

/** Reports unsaved work to the frame and to readers of the record, and warns before the window closes. */
export function useUnsaved({ setDirty }: ScreenFrame, dirty: boolean, onDirty: (dirty: boolean) => void): void {
  useEffect(() => {
    setDirty(dirty)
    onDirty(dirty)
    if (!dirty) return
    window.addEventListener('beforeunload', guard)
    return () => window.removeEventListener('beforeunload', guard)
  }, [dirty, setDirty, onDirty])
}

/** The same for an overlay, such as a dialog, until it closes. */
export function useUnsavedPart({ setDirty }: Pick<ScreenFrame, 'setDirty'>, dirty: boolean): void {
  const part = useId()
  useEffect(() => {
    if (!dirty) return
    setDirty(true, part)
    window.addEventListener('beforeunload', guard)
    return () => {
      setDirty(false, part)
      window.removeEventListener('beforeunload', guard)
    }
  }, [dirty, setDirty, part])
}

const guard = (event: BeforeUnloadEvent) => event.preventDefault()
