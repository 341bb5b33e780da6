import type { ScreenPlan } from '../model/model.ts'

export type SelectedPlan = { plan: ScreenPlan } | { problem: 'parameterMissing' | 'parameterUnknown'; value?: string }

/**
 * The plan that the query parameters select, or what is wrong with them; if an optional parameter is missing, the
 * screen as its file describes it.
 */
export function selectPlan(plan: ScreenPlan, query: Readonly<Record<string, string>>): SelectedPlan {
  const { variants } = plan
  if (variants) {
    const value = query[variants.parameter] ?? ''
    const variant = Object.hasOwn(variants.plans, value) ? variants.plans[value] : undefined
    if (variant) return selectPlan({ ...variant, variants: undefined }, query)
    if (value !== '') return { problem: 'parameterUnknown', value }
    const mayBeLeftOut = plan.parameters.some(({ name, required }) => name === variants.parameter && !required)
    return mayBeLeftOut ? selectPlan({ ...plan, variants: undefined }, query) : { problem: 'parameterMissing' }
  }
  return plan.parameters.some(({ name, required }) => required && !query[name])
    ? { problem: 'parameterMissing' }
    : { plan }
}
