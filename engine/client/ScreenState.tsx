import { Alert, Button, Skeleton } from 'antd'
import { useClient } from './frame.ts'
import { errorText, isSilent } from './RequestError.ts'
import { useWords } from './words.ts'
import './client.css'

/** Placeholder while a screen loads. */
export function ScreenSkeleton() {
  const words = useWords()
  return (
    <div className="screen-skeleton" role="status" aria-label={words('loading')}>
      <Skeleton active title={false} paragraph={{ rows: 8 }} />
    </div>
  )
}

/** An unexpected failure, with a retry button. */
export function ScreenFailure({ title, error, retry }: { title: string; error: Error; retry(): void }) {
  const words = useWords()
  const { language } = useClient()
  if (isSilent(error)) return null
  return (
    <div className="screen-problem" role="alert">
      <p>
        <strong>{title}</strong>
      </p>
      <p>{errorText(error, language)}</p>
      <Button onClick={retry}>{words('retry')}</Button>
    </div>
  )
}

/** Shown above stale records that could not be reloaded. */
export function OutdatedAlert({ error, retry }: { error: Error; retry(): void }) {
  const words = useWords()
  if (isSilent(error)) return null
  return (
    <Alert
      type="error"
      showIcon
      message={words('listFailed')}
      description={error.message}
      action={
        <Button size="small" onClick={retry}>
          {words('retry')}
        </Button>
      }
    />
  )
}
