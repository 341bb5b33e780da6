import { nearestName } from '../../expression/index.ts'
import { offer } from '../issues/issue.ts'
import { below } from '../../model/pointer.ts'
import type { Report } from '../issues/report.ts'
import { isObject, type JsonObject } from '../walk.ts'
import type { NamedScreen, Names } from '../named.ts'

/** The menu directories of an area; none if app.json cannot be read. */
export function directoriesOf(app: Names['app'], area: string): string[] {
  const areas: unknown = app?.areas
  const found = Array.isArray(areas)
    ? (areas.find((each) => isObject(each) && each.name === area) as JsonObject | undefined)
    : undefined
  return Array.isArray(found?.directories)
    ? found.directories.flatMap((each) => (isObject(each) ? [String(each.name)] : []))
    : []
}

/** Checks what every screen needs, whatever its kind. */
export function checkScreen(screen: NamedScreen, names: Names, report: Report): void {
  const { source, route, file, kind, variants } = screen
  const owner = route === undefined ? undefined : names.routes[route]
  if (owner && owner !== screen)
    report(source, '/route', 'duplicate-route', { found: route, other: owner.name, see: owner.source.path })
  if (file.menu && route === undefined) report(source, '/menu', 'missing-route', { what: 'in the menu' }, { key: true })
  const needed = file.menu ? file.parameters.find(({ required }) => required) : undefined
  if (needed) report(source, '/menu', 'missing-from-menu', { found: needed.name, screen: screen.name }, { key: true })
  if (file.roles && route === undefined)
    report(source, '/roles', 'missing-route', { what: 'with roles' }, { key: true })
  const { data, brings, opens } = names.kinds[kind]
  if (screen.entity === undefined && data !== 'none') {
    // Other keys say which entity a kind adds, and report if it is missing.
    if (!brings) report(source, '', 'missing-entity', { kind })
  } else if (screen.entity === undefined && file.permission === undefined && !opens)
    report(source, '', 'missing-key', { found: 'permission' })
  if (variants) checkVariants(screen, variants, report)
}

type Variants = NonNullable<NamedScreen['variants']>

/** The parameters that a variant declares of its own. */
const ownParameters = ({ parameters }: JsonObject): string[] =>
  Array.isArray(parameters)
    ? parameters.map((each: unknown) => (isObject(each) ? String(each.name) : String(each)))
    : []

function checkVariants({ source, file }: NamedScreen, variants: Variants, report: Report): void {
  const [parameter, ...more] = Object.keys(variants)
  if (more.length) {
    const what = `Variants go by one parameter, here by ${[parameter, ...more].join(' and ')}.`
    report(source, below('/variants', more[0]), 'variant-parameter', { what }, { key: true })
  }
  const parameters = file.parameters.map((declared) => declared.name)
  const plans = Object.entries(variants[parameter] ?? {}).filter(([, plan]) => Array.isArray(plan.parameters))
  if (parameter !== undefined && !parameters.includes(parameter)) {
    const near = offer(parameter, parameters)
    // If the variants' own parameters use this name, then `parameters` misspells or lacks it.
    const isRight = plans.some(([, plan]) => ownParameters(plan).includes(parameter))
    const at = isRight && near.suggestion ? below('/parameters', parameters.indexOf(near.suggestion)) : undefined
    const what = at
      ? `The variants are chosen by "${parameter}", which is not among the parameters.`
      : `The screen declares no parameter "${parameter}".`
    const meant = at ? { found: near.suggestion, suggestion: parameter } : near
    report(source, at ?? below('/variants', parameter), 'variant-parameter', { what, ...meant }, { key: !at })
    return
  }
  for (const [value, plan] of plans) {
    const taken = ownParameters(plan)
    if (taken.includes(parameter)) continue
    const what = `The variant "${value}" is chosen by "${parameter}", which is not among its parameters.`
    const at = below(below(below('/variants', parameter), value), 'parameters')
    const near = nearestName(parameter, taken)
    if (near === undefined) report(source, at, 'variant-parameter', { what }, { key: true })
    else
      report(source, below(at, taken.indexOf(near)), 'variant-parameter', { what, found: near, suggestion: parameter })
  }
}

/** Whether the variants depend on something that is not a parameter of the screen, which is reported there. */
export const isMischosen = ({ variants = {}, file }: NamedScreen): boolean =>
  Object.keys(variants).some((parameter) => !file.parameters.some(({ name }) => name === parameter))

/** Reports screens that are their own ancestors, each cycle once. */
export function checkParents({ screens }: Names, report: Report): void {
  const done = new Set<NamedScreen>()
  for (const start of Object.values(screens)) {
    const path: NamedScreen[] = []
    let screen: NamedScreen | undefined = start
    while (screen && !done.has(screen) && !path.includes(screen)) {
      path.push(screen)
      screen = screens[String(screen.file.parent)]
    }
    if (screen && path.includes(screen)) {
      const circle = [...path.slice(path.indexOf(screen)), screen].map(({ name }) => name)
      report(screen.source, '/parent', 'parent-cycle', { path: circle.join(' → ') })
    }
    for (const each of path) done.add(each)
  }
}

/** The home route must exist, and folders must be areas. */
export function checkApp(names: Names, files: { source: NamedScreen['source'] }[], report: Report): void {
  const app = files.find(({ source }) => source.kind === 'app')
  if (!app || !names.app || app.source.broken) return
  if (typeof names.app.home === 'string' && !names.routes[names.app.home] && names.knowsRoutes) {
    report(app.source, '/home', 'unknown-route', offer(names.app.home, Object.keys(names.routes)))
  }
  checkAreas(
    app.source,
    names,
    files.map(({ source }) => source),
    report,
  )
}

/** Each folder that is not an area is reported once: in app.json if that misspells it, else at its first file. */
function checkAreas(
  app: NamedScreen['source'],
  names: Names,
  sources: readonly NamedScreen['source'][],
  report: Report,
): void {
  const unused = names.areas.filter((area) => !names.folders.includes(area))
  for (const folder of names.folders) {
    const files = sources.filter(({ area, kind }) => area === folder && kind !== 'app')
    if (names.areas.includes(folder) || !files.length) continue
    // The files that a template makes are of the area that it names.
    const template = files[0].generated?.madeBy
    const { suggestion } = offer(folder, unused)
    if (suggestion !== undefined && !template && files.length > 1) {
      const what = `No file lies in the folder "${suggestion}" of this area`
      report(app, `/areas/${names.areas.indexOf(suggestion)}/name`, 'unknown-area', {
        found: suggestion,
        suggestion: folder,
        what,
      })
      continue
    }
    const written = new Set(files.map(({ path }) => path)).size - 1
    const others = template || !written ? '' : `, of this and ${written} other ${written > 1 ? 'files' : 'file'},`
    const what = `The folder "${folder}"${others} is no area of app.json`
    const [at, pointer] = template ? [template, '/area'] : [files[0], '']
    report(at, pointer, 'unknown-area', { ...offer(folder, names.areas), see: app.path, what })
  }
}
