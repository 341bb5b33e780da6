import { offer } from './issue.ts'
import type { NamedScreen, Names } from './names.ts'
import { below } from './pointer.ts'
import type { Report } from './report.ts'
import { isObject } from './walk.ts'

/** What every screen needs whatever its kind. */
export function checkScreen(screen: NamedScreen, names: Names, report: Report): void {
  const { name, source, route, file, kind, variants } = screen
  const owner = route === undefined ? undefined : names.routes[route]
  if (owner && owner !== screen) report(source, '/route', 'duplicate-route', { found: route, other: owner.name, see: owner.source.path })
  if (file.menu && route === undefined) report(source, '/menu', 'missing-route', {}, { key: true })
  if (screen.entity === undefined && names.kinds[kind].data !== 'none') report(source, '', 'missing-entity', { kind })
  else if (screen.entity === undefined && file.permission === undefined) report(source, '', 'missing-key', { found: 'permission' })
  if (file.parent === name) report(source, '/parent', 'unknown-screen', { found: 'itself' })
  if (!variants) return
  const [parameter, ...more] = Object.keys(variants)
  if (more.length) {
    const what = `Variants go by one parameter, here by ${[parameter, ...more].join(' and ')}.`
    report(source, below('/variants', more[0]), 'variant-parameter', { what }, { key: true })
  }
  const parameters = file.parameters.map((declared) => declared.name)
  if (parameter !== undefined && !parameters.includes(parameter)) {
    const what = `The screen declares no parameter "${parameter}".`
    report(source, below('/variants', parameter), 'variant-parameter', { what, ...offer(parameter, parameters) }, { key: true })
  }
}

/** The home route leads somewhere, and the folders are areas. */
export function checkApp(names: Names, files: { source: NamedScreen['source'] }[], report: Report): void {
  const app = files.find(({ source }) => source.kind === 'app')
  if (!app || !names.app || app.source.broken) return
  if (typeof names.app.home === 'string' && !names.routes[names.app.home] && names.knowsRoutes) {
    report(app.source, '/home', 'unknown-route', offer(names.app.home, Object.keys(names.routes)))
  }
  const areas = Array.isArray(names.app.areas) ? names.app.areas.flatMap((area) => isObject(area) ? [String(area.name)] : []) : []
  for (const { source } of files) {
    if (source.kind === 'app' || areas.includes(source.area)) continue
    report(source, '', 'unknown-area', { ...offer(source.area, areas), see: app.source.path })
  }
}
