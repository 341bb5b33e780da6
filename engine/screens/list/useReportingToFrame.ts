import { useEffect } from 'react'
import type { ScreenFrame } from '../../client/frame.ts'

interface Reported {
  drawn: boolean
  /** Drawn, or failed. */
  settled: boolean
  /** Pixels, for a drawer. */
  width: number
  /** Undefined until known. */
  isEmpty: boolean | undefined
}

/** Reports to the frame around a list when it is ready, its width, and whether it is empty without any filter. */
export function useReportingToFrame(frame: ScreenFrame, { drawn, settled, width, isEmpty }: Reported) {
  const { setBusy, setWidth, setEmpty } = frame
  useEffect(() => {
    if (drawn) setWidth?.(width)
  }, [drawn, setWidth, width])
  useEffect(() => {
    if (settled) setBusy(false)
  }, [settled, setBusy])
  const isNarrowed = Object.keys(frame.state).length > 0
  const empty = isNarrowed ? undefined : isEmpty
  useEffect(() => {
    if (empty !== undefined) setEmpty?.(empty)
  }, [empty, setEmpty])
}
