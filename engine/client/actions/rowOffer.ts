import type { ActionPlan } from '../../model/model.ts'

export interface RowOffer {
  /** What stands in the row. */
  seen: ActionPlan[]
  /** What its menu holds, in the order of the schema. */
  more: ActionPlan[]
}

interface Offering {
  granted(plan: ActionPlan): boolean
  opens?(plan: ActionPlan): boolean
  /** There is room for one action or the menu. */
  tight?: boolean
}

/**
 * A row has room for its next action and a menu; two actions need none. Next is the one that the screen calls primary,
 * else the first that the user may take and that opens something else than the row itself does.
 */
export function rowOffer(shown: ActionPlan[], { granted, opens = () => false, tight = false }: Offering): RowOffer {
  if (shown.length <= (tight ? 1 : 2)) return { seen: shown, more: [] }
  if (tight) return { seen: [], more: shown }
  const others = shown.filter((plan) => !opens(plan))
  const next = shown.find((plan) => plan.primary && granted(plan)) ?? others.find(granted) ?? others[0] ?? shown[0]
  return { seen: [next], more: shown.filter((plan) => plan !== next) }
}
