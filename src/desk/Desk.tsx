import { lazy, Suspense } from 'react'
import { inspectPermission, useInspecting, useInspectKey } from './inspecting.ts'
import { SchemaIssues } from './SchemaIssues.tsx'

const Inspector = lazy(() => import('./Inspector.tsx'))

/** Overlays for maintainers of the schema files. `may`: the user's permissions. */
export function Desk({ may }: { may: ReadonlySet<string> | undefined }) {
  const isAllowed = may?.has(inspectPermission) ?? false
  useInspectKey(isAllowed)
  const { on } = useInspecting()
  return (
    <>
      <SchemaIssues />
      {isAllowed && on && (
        <Suspense fallback={null}>
          <Inspector />
        </Suspense>
      )}
    </>
  )
}
