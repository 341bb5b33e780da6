import { useIsFetching, useIsMutating } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { constants } from './constants.ts'

/** A thin bar while something is being fetched or saved: starts at a fifth, creeps on, and ends when all is there. */
export function ProgressBar() {
  const busy = useIsFetching() + useIsMutating() > 0
  const [part, setPart] = useState(0)
  useEffect(() => {
    if (!busy) {
      setPart((before) => before > 0 ? 1 : 0)
      const done = setTimeout(() => setPart(0), constants.progressSpeed)
      return () => clearTimeout(done)
    }
    setPart(constants.progressMinimum)
    const creep = setInterval(() => setPart((before) => before + (0.95 - before) * 0.3), constants.progressSpeed)
    return () => clearInterval(creep)
  }, [busy])
  return <div className="progress-bar" aria-hidden="true" data-busy={part > 0} style={{ transform: `scaleX(${part})` }} />
}
