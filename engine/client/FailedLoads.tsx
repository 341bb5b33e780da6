import { Button } from 'antd'
import { useSyncExternalStore } from 'react'
import { failedLoads } from './loadWithRetry.ts'
import { useWords } from './words.ts'

/** Reports that a part could not be loaded. What was pressed meanwhile is done once it is there. */
export function FailedLoads() {
  const words = useWords()
  const isFailed = useSyncExternalStore(failedLoads.subscribe, failedLoads.any)
  return isFailed ? (
    <div className="failed-loads" role="alert">
      {words('partFailed')} <Button onClick={failedLoads.retry}>{words('retry')}</Button>
    </div>
  ) : null
}
