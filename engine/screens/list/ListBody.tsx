import { Suspense } from 'react'
import { OutdatedAlert, ScreenFailure, ScreenSkeleton } from '../../client/ScreenState.tsx'
import { useWords } from '../../client/words.ts'
import type { Card } from './card.ts'
import { Grid } from './Grid.tsx'
import type { GridProps } from './Grid.tsx'
import { Cards } from './useCardsLoaded.ts'

interface ListBodyProps extends GridProps {
  /** Renders the records as cards instead of rows. */
  card: Card | undefined
  /** Records and columns are loaded. */
  drawn: boolean
  /** Why they could not be loaded; previous records stay. */
  error: Error | null
  hasData: boolean
  onRetry(): void
}

/** The records of a list as a table or as cards; until loaded, a placeholder or the failure. */
export function ListBody({ card, drawn, error, hasData, onRetry, ...grid }: ListBodyProps) {
  const words = useWords()
  return (
    <>
      {error && hasData && <OutdatedAlert error={error} retry={onRetry} />}
      {drawn && card ? (
        <Suspense fallback={<ScreenSkeleton />}>
          <Cards {...grid} card={card} />
        </Suspense>
      ) : drawn ? (
        <Grid {...grid} />
      ) : error ? (
        <ScreenFailure title={words('listFailed')} error={error} retry={onRetry} />
      ) : (
        <ScreenSkeleton />
      )}
    </>
  )
}
