import { Button } from 'antd'
import { useSyncExternalStore } from 'react'
import { failedLoads } from './loadWithRetry.ts'
import { useWords } from './words.ts'

/** Reports that a part could not be loaded. Presses made meanwhile take effect once it has loaded. */
export function FailedLoads() {
  const words = useWords()
  const isFailed = useSyncExternalStore(failedLoads.subscribe, failedLoads.any)
  return isFailed ? (
    <div className="failed-loads" role="alert">
      {words('partFailed')} <Button onClick={failedLoads.retry}>{words('retry')}</Button>
    </div>
  ) : null
}
