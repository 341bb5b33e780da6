import type { ActionPlan } from '../../model/model.ts'

export interface RowOffer {
  /** Actions shown in the row. */
  seen: ActionPlan[]
  /** Actions in its menu, in schema order. */
  more: ActionPlan[]
}

interface Offering {
  granted(plan: ActionPlan): boolean
  opens?(plan: ActionPlan): boolean
  /** There is only room for one action or the menu. */
  tight?: boolean
}

/**
 * A row has room for one action and a menu, or for two actions. The one shown is the screen's primary action, else the
 * first permitted action that does something other than a click on the row.
 */
export function rowOffer(shown: ActionPlan[], { granted, opens = () => false, tight = false }: Offering): RowOffer {
  if (shown.length <= (tight ? 1 : 2)) return { seen: shown, more: [] }
  if (tight) return { seen: [], more: shown }
  const others = shown.filter((plan) => !opens(plan))
  const next = shown.find((plan) => plan.primary && granted(plan)) ?? others.find(granted) ?? others[0] ?? shown[0]
  return { seen: [next], more: shown.filter((plan) => plan !== next) }
}
