import { Alert, Button, Skeleton } from 'antd'
import { useClient } from './frame.ts'
import { errorText, isSilent } from './RequestError.ts'
import { useWords } from './words.ts'
import './client.css'

/** While a screen is on its way. */
export function ScreenSkeleton() {
  const words = useWords()
  return (
    <div className="screen-skeleton" role="status" aria-label={words('loading')}>
      <Skeleton active title={false} paragraph={{ rows: 8 }} />
    </div>
  )
}

/** An unforeseen failure; it can be tried again. */
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

/** Above records that are shown still: they could not be read again. */
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
