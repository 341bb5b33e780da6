import type { AppBundle } from '../../engine/model/model.ts'

export type ScreenSummary = AppBundle['screens'][number]

/** A parsed address: the screen's own parameters identify a tab, the rest is the screen's state. */
export interface Address {
  route: string
  parameters: Record<string, string>
  state: Record<string, string>
}

/** `location` is the part of the hash after `#`: `/customer?type=add&page=2`. */
export function parseAddress(
  location: string,
  screen: Pick<ScreenSummary, 'parameters' | 'variants'> | undefined,
): Address {
  const [route, search = ''] = location.split('?', 2)
  const own = new Set([
    ...(screen?.parameters.map(({ name }) => name) ?? []),
    ...(screen?.variants ? [screen.variants.parameter] : []),
  ])
  const address: Address = { route, parameters: {}, state: {} }
  for (const [key, value] of new URLSearchParams(search))
    (own.has(key) ? address.parameters : address.state)[key] = value
  return address
}

export function formatAddress({ route, parameters, state }: Address): string {
  const search = new URLSearchParams({ ...sorted(parameters), ...state }).toString()
  return search ? `${route}?${search}` : route
}

/** Two addresses with the same key are the same tab. */
export const tabKey = ({ route, parameters }: Pick<Address, 'route' | 'parameters'>): string =>
  formatAddress({ route, parameters, state: {} })

const sorted = (values: Record<string, string>) =>
  Object.fromEntries(Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1)))
