import { Skeleton } from 'antd'
import { lazy, Suspense } from 'react'
import { useWords } from '../words.ts'
import type { ChartProps } from './Chart.tsx'

const Chart = lazy(() => import('./Chart.tsx'))

/** A chart whose code is downloaded when the first one renders. */
export function LazyChart(props: ChartProps) {
  const words = useWords()
  return (
    <Suspense fallback={<Skeleton active paragraph={{ rows: 5 }} title={false} aria-label={words('loading')} />}>
      <Chart {...props} />
    </Suspense>
  )
}
