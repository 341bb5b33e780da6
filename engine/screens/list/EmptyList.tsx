import { Button } from 'antd'
import { useWords } from '../../client/words.ts'

interface EmptyListProps {
  /** A search or filter is active: without it there may be records. */
  filtered: boolean
  /** The user may add some. */
  creates: boolean
  onReset(): void
}

/** Shown instead of rows: why there are none, and what to do about it. */
export function EmptyList({ filtered, creates, onReset }: EmptyListProps) {
  const words = useWords()
  return (
    <>
      <p>
        <strong>{words(filtered ? 'noMatches' : 'noRecords')}</strong>
      </p>
      {filtered ? (
        <p>
          {words('noMatchesHint')}{' '}
          <Button type="link" onClick={onReset}>
            {words('reset')}
          </Button>
        </p>
      ) : (
        creates && <p>{words('noRecordsHint')}</p>
      )}
    </>
  )
}
