import type { ActionPlan, RecordData } from '../../model/model.ts'
import { useConditions } from '../conditions.ts'
import type { ActionHost } from '../frame.ts'
import { useButtonPermission } from '../permission.ts'
import { useWords } from '../words.ts'
import { useListing } from './useListing.ts'

/** Which actions of a screen are offered, and for whom the others are. */
export function useOffer({ entity, bundle }: ActionHost) {
  const words = useWords()
  const listing = useListing()
  const holds = useConditions(entity)
  const permission = useButtonPermission(bundle.granted)
  const granted = (action: ActionPlan) => permission.has(action.permission)
  return {
    /**
     * Hidden where its condition fails on one of the records. Without the permission an action is shown, and says so
     * when it is used.
     */
    shown: (action: ActionPlan, records: RecordData[]): boolean =>
      records.every((record) => holds(action.shownWhen, record)),
    granted,
    /** May the user? Says so where not. */
    allowed: (action: ActionPlan): boolean => permission.check(action.permission),
    /** Of an action that is not granted: for whom it is. */
    refusal(action: ActionPlan): string | undefined {
      if (granted(action)) return undefined
      const roles = bundle.holders?.[action.permission] ?? []
      return roles.length > 0 ? words('onlyFor', { roles: listing(roles) }) : words('notForYou')
    },
  }
}
