import { useEffect, useState } from 'react'
import { constants } from './constants.ts'
import { useIsAsking } from './requests.ts'
import { useShellWords } from './words.ts'

/**
 * A thin bar while a screen opens or a call is pending: starts at a fifth, creeps on, and ends when everything has
 * arrived.
 */
export function ProgressBar({ opening }: { opening: boolean }) {
  const t = useShellWords()
  const requesting = useIsAsking()
  const busy = opening || requesting
  const [part, setPart] = useState(0)
  useEffect(() => {
    if (!busy) {
      setPart((before) => (before > 0 ? 1 : 0))
      const done = setTimeout(() => setPart(0), constants.progressSpeed)
      return () => clearTimeout(done)
    }
    setPart(constants.progressMinimum)
    const creep = setInterval(() => setPart((before) => before + (0.95 - before) * 0.3), constants.progressSpeed)
    return () => clearInterval(creep)
  }, [busy])
  return (
    <div
      className="progress-bar"
      role="progressbar"
      aria-label={t('loading')}
      aria-valuenow={Math.round(part * 100)}
      aria-hidden={part === 0}
      style={{ transform: `scaleX(${part})` }}
    />
  )
}
