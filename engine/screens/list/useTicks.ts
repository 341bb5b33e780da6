import { useMemo, useState } from 'react'
import type { ActionPlan, RecordData } from '../../model/model.ts'

/**
 * The ticked records: kept from page to page, until the query (`scope`) changes. Reloaded records replace the ticked
 * ones.
 */
export function useTicks(scope: string, page: RecordData[] | undefined) {
  const [ticked, setTicked] = useState<{ scope: string; records: ReadonlyMap<number, RecordData> }>({
    scope,
    records: new Map(),
  })
  const held = ticked.scope === scope ? ticked.records : none
  return useMemo(() => {
    const current = new Map(page?.map((record) => [record.id!, record]))
    return {
      records: [...held].map(([id, record]) => current.get(id) ?? record),
      has: (id: number) => held.has(id),
      set(records: RecordData[], on: boolean) {
        const next = new Map(held)
        for (const record of records) {
          if (on) next.set(record.id!, record)
          else next.delete(record.id!)
        }
        setTicked({ scope, records: next })
      },
      clear: () => setTicked({ scope, records: none }),
    }
  }, [held, page, scope])
}

/** Whether it applies to the ticked records; an export covers the whole list if none is ticked. */
export const takesTicked = ({ on, do: what }: ActionPlan): boolean =>
  on === 'batch' || (on === 'toolbar' && what.kind === 'export')

const none: ReadonlyMap<number, RecordData> = new Map()
