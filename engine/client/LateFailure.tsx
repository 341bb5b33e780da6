import { Button } from 'antd'
import { useSyncExternalStore } from 'react'
import { failedLoads } from './late.ts'
import { useWords } from './words.ts'

/** Tells that a part could not be loaded; what was pressed meanwhile is done once it is there. */
export function LateFailure() {
  const words = useWords()
  const isFailed = useSyncExternalStore(failedLoads.subscribe, failedLoads.any)
  return isFailed ? (
    <div className="late-failure" role="alert">
      {words('partFailed')} <Button onClick={failedLoads.retry}>{words('retry')}</Button>
    </div>
  ) : null
}
