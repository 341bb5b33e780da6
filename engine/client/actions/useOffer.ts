import type { ActionPlan, RecordData } from '../../model/model.ts'
import { useConditions } from '../conditions.ts'
import type { ActionHost } from '../frame.ts'
import { useButtonPermission } from '../permission.ts'
import { useWords } from '../words.ts'
import { useListFormat } from './useListFormat.ts'

/** Decides which actions of a screen are offered, and explains who may use the others. */
export function useOffer({ entity, bundle }: ActionHost) {
  const words = useWords()
  const listing = useListFormat()
  const holds = useConditions(entity)
  const permission = useButtonPermission(bundle.granted)
  const granted = (action: ActionPlan) => permission.has(action.permission)
  return {
    /**
     * Hidden if its condition fails on any record. Without the permission an action stays visible and explains itself
     * when used.
     */
    shown: (action: ActionPlan, records: RecordData[]): boolean =>
      records.every((record) => holds(action.shownWhen, record)),
    granted,
    /** Explains who may use an action that is not granted. */
    refusal(action: ActionPlan): string | undefined {
      if (granted(action)) return undefined
      const roles = bundle.holders?.[action.permission] ?? []
      return roles.length > 0 ? words('onlyFor', { roles: listing(roles) }) : words('notForYou')
    },
  }
}
