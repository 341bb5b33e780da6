import { lazy, Suspense } from 'react'
import { PendingControl } from './PendingControl.tsx'
import { loadWithRetry } from './loadWithRetry.ts'
import { filterProblem } from './filterProblem.ts'
import type { ControlProps } from './filterControls.tsx'
import { useEngine } from './view.ts'

const Control = lazy(async () => ({
  default: await loadWithRetry(async () => (await import('./filterControls.tsx')).Control),
}))

interface FilterControlProps extends ControlProps {
  /** Controls are loaded only now, so that they do not delay what matters first. */
  loads?: boolean
}

/**
 * The widget's own filter, or the engine's default for the operator if the widget has none or the list overrides it.
 */
export function FilterControl({ loads = true, ...props }: FilterControlProps) {
  const { id, field, operator, value } = props
  const engine = useEngine()
  const problem = filterProblem(field, operator, value, engine)
  const invalidProps = problem && { invalid: true, describedBy: `${id}-problem` }
  return (
    <>
      {loads ? (
        <Suspense fallback={<PendingControl />}>
          <Control {...props} {...invalidProps} />
        </Suspense>
      ) : (
        <PendingControl />
      )}
      {problem && (
        <div id={`${id}-problem`} className="filter-problem" role="alert">
          {engine.text(problem)}
        </div>
      )}
    </>
  )
}
