import { useMemo } from 'react'
import { fieldText } from '../../client/fieldText.ts'
import { useEngine } from '../../client/view.ts'
import type { EntityPlan } from '../../model/model.ts'

/** The sums of all matching records, formatted for their columns: field → text; undefined if there are none. */
export function useSums(
  sums: Readonly<Record<string, string>> | undefined,
  { fields }: EntityPlan,
): Record<string, string> | undefined {
  const engine = useEngine()
  return useMemo(() => {
    const known = Object.entries(sums ?? {}).filter(([field]) => fields[field])
    return known.length > 0
      ? Object.fromEntries(known.map(([field, sum]) => [field, fieldText(sum, fields[field], engine)]))
      : undefined
  }, [sums, fields, engine])
}
