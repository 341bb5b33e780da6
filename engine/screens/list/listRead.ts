import type { Scope } from '../../expression/index.ts'
import { combined } from '../../model/model.ts'
import type { FilterValue, ScreenPlan } from '../../model/model.ts'
import type { ListPlan } from './list.ts'
import { listQuery, readState, withDefaults } from './listState.ts'

type Fixed = Record<string, FilterValue> | undefined

/** The fixed filters of the address and of the list's place, combined. */
export function narrowed(
  { narrowedBy = {} }: ListPlan,
  parameters: Readonly<Record<string, string>>,
  fixed: Fixed,
): Fixed {
  const given = Object.entries(narrowedBy).filter(([parameter]) => parameters[parameter])
  const equal = given.map(([parameter, field]) => ({ [field]: { equals: parameters[parameter] } }))
  return given.length === 0 ? fixed : combined(...equal, fixed)
}

/**
 * The list with the defaults of its filters evaluated. A list within one record shows all of that record's rows, so
 * default filters do not apply.
 */
export function evaluated(body: ListPlan, isFixed: boolean, scope: Omit<Scope, 'record'>): ListPlan {
  const filters = withDefaults(body.filters, scope)
  return { ...body, filters: isFixed ? filters.map(({ default: _default, ...filter }) => filter) : filters }
}

/** The request for the rows that the list shows first, and the user's columns. */
export function firstListReads(
  plan: ScreenPlan,
  address: Readonly<Record<string, string>>,
  scope: Omit<Scope, 'record'>,
): { requests: { path: string; query: object }[]; preferences: string[] } {
  const screen = plan as ScreenPlan<ListPlan>
  const fixed = narrowed(screen.body, address, undefined)
  const body = evaluated(screen.body, fixed !== undefined, scope)
  return {
    requests: [{ path: body.paths.list, query: listQuery(readState(address, body), body, fixed, screen.name) }],
    preferences: [preferenceOf(screen.name)],
  }
}

/** The key of the user's columns, widths and density. */
export const preferenceOf = (screen: string): string => `list:${screen}`
