import { assembleEntity } from './assembling/assembleEntity.ts'
import { defaultThemeColour } from './language/appShape.ts'
import { madeDictionaries } from './assembling/madeDictionaries.ts'
import type { IssueCode, Parameters } from './issues/issue.ts'
import { declaredPermissions } from '../model/model.ts'
import type {
  App,
  AssembleScope,
  Catalog,
  Dictionary,
  Entity,
  FilterValue,
  MenuEntry,
  Permission,
  Preset,
  ScreenKind,
  ScreenPlan,
} from '../model/model.ts'
import { lastMade } from './memory/lastResults.ts'
import type { Memory } from './memory/memory.ts'
import { combined, filterValues } from '../model/filter.ts'
import { permissionOf, pathsOf } from './linking/permissions.ts'
import { below, segments } from '../model/pointer.ts'
import type { Report, Reporter } from './issues/report.ts'
import type { JsonObject } from './walk.ts'
import { lookedUpFields } from './assembling/lookedUpFields.ts'
import { filteredFields, initialSorts, tableOf } from './assembling/tables.ts'
import type { ExpandedFile, NamedScreen, Names } from './named.ts'

/** Linked files → the catalog. Every name is resolved; a kind may still report what only it can detect. */
export function assemble(
  files: readonly ExpandedFile[],
  names: Names,
  presets: Preset[],
  reporter: Reporter,
  memory: Memory,
): Omit<Catalog, 'hash' | 'families'> {
  const app = assembleApp(names.app!)
  const dictionaries = Object.fromEntries(
    files
      .filter(({ source }) => source.kind === 'dictionary')
      .map(({ source, value }) => [
        source.name,
        memory.recall('made', source, [value], () => ({ name: source.name, ...value }) as unknown as Dictionary),
      ]),
  )
  const entities = Object.fromEntries(
    Object.values(names.entities).map((entity) => [
      entity.name,
      memory.recall('made', entity, [], (among) => assembleEntity(entity, among)),
    ]),
  )
  const catalog = { app, entities, dictionaries }
  const clean = Object.values(names.screens).filter(({ source }) => reporter.isClean((file) => file === source))
  const known = {
    app,
    dictionaries: memory.watching('made dictionaries', { ...dictionaries }),
    entities: memory.watching('made entities', entities),
  }
  const screens = Object.fromEntries(
    clean.map((screen) => [
      screen.name,
      memory.recall('made', screen, [names.app], (among, report) => assembleScreen(screen, among, known, report)),
    ]),
  )
  const routes = Object.fromEntries(Object.values(names.routes).map((screen) => [screen.route!, screen.name]))
  const { permissions, dictionary } = recallPermissions([names.permissions, app.areas, app.languages], () =>
    assemblePermissions(names, app),
  )
  dictionaries[declaredPermissions] = dictionary
  for (const each of madeDictionaries(app, Object.values(names.entities))) dictionaries[each.name] ??= each
  const filtered = filteredFields(Object.values(screens))
  const lookedUp = lookedUpFields(entities, Object.values(screens), names)
  const sorted = initialSorts(Object.values(screens))
  const tables = Object.fromEntries(
    Object.values(entities).map((entity) => {
      const indexed = { filtered: filtered(entity.name), lookedUp: lookedUp(entity.name), sorted: sorted(entity.name) }
      const given = [
        ...indexed.filtered,
        ...indexed.lookedUp.map((key) => `looked up: ${key.join()}`),
        ...indexed.sorted.map((sort) => `sorted: ${sort}`),
      ]
      return [entity.name, memory.recall('table', entity, given, (among) => tableOf(entity, indexed, among))]
    }),
  )
  return { ...catalog, screens, routes, permissions, tables, presets }
}

interface Permissions {
  permissions: Permission[]
  dictionary: Dictionary
}
const recallPermissions = lastMade<Permissions>()

function assemblePermissions(names: Names, app: App): Permissions {
  const permissions = Object.values(names.permissions).map(({ value, label, group, area, entity }): Permission => ({
    value,
    label: label ?? group,
    group,
    area,
    entity,
  }))
  const dictionary = {
    name: declaredPermissions,
    label: { cn: '权限', en: 'Permissions' },
    choices: pathsOf(permissions, app),
    mayGrow: false,
  }
  return { permissions, dictionary }
}

const assembleApp = ({ title, languages, theme, home, areas, policies }: App): App => ({
  title,
  languages,
  theme: theme ?? { colour: defaultThemeColour },
  home,
  areas,
  policies,
})

type Known = Pick<Catalog, 'app' | 'entities' | 'dictionaries'>

/** The screen, and again for each of its variants: the variant's keys override the file's. */
function assembleScreen(screen: NamedScreen, names: Names, catalog: Known, report: Report): ScreenPlan {
  const { variants: _, ...file } = screen.file
  const reportIssue: Issue = (code, pointer, parameters) => report(screen.source, pointer, code, parameters)
  const [parameter, values] = Object.entries(screen.variants ?? {})[0] ?? []
  // If a screen requires a variant, only variants are ever opened, and they report all of its issues.
  const isOpened =
    Object.keys(values ?? {}).length === 0 ||
    screen.file.parameters.some(({ name, required }) => name === parameter && !required)
  const own = plan(file as NamedScreen['file'], screen, names, catalog, isOpened ? reportIssue : () => undefined)
  if (parameter === undefined) return own
  const plans = Object.entries(values!).map(([value, keys]): [string, ScreenPlan] => {
    const at = below(below('/variants', parameter), value)
    const issue: Issue = (code, pointer, parameters) =>
      reportIssue(code, segments(pointer)[0] in keys ? `${at}${pointer}` : pointer, parameters)
    return [value, plan({ ...file, ...keys } as NamedScreen['file'], screen, names, catalog, issue)]
  })
  // Variants for other records have their own permissions: any of them opens the screen.
  const others = plans.flatMap(([, each]) => (each.entity === own.entity ? [] : (each.opens ?? [each.permission])))
  return {
    ...own,
    ...(others.length > 0 && { opens: [...new Set([...(own.opens ?? [own.permission]), ...others])] }),
    variants: { parameter, plans: Object.fromEntries(plans) },
  }
}

/** Warnings of a screen kind about a file, and about each of its variants. */
export function doubtScreen(screen: NamedScreen, names: Names, catalog: Known, reportIssue: Issue): void {
  const doubt = names.kinds[screen.kind].doubt
  const { variants: _, ...file } = screen.file
  const [parameter, values] = Object.entries(screen.variants ?? {})[0] ?? []
  const checkVariant = (keys: JsonObject, at: string) => {
    const whole = { ...file, ...keys } as NamedScreen['file']
    const issue: Issue = (code, pointer, parameters) =>
      reportIssue(code, segments(pointer)[0] in keys ? `${at}${pointer}` : pointer, parameters)
    doubt?.(whole, assembleScope(whole, names, catalog, issue))
  }
  if (parameter === undefined) return checkVariant({}, '')
  for (const [value, keys] of Object.entries(values!)) checkVariant(keys, below(below('/variants', parameter), value))
}

type Issue = (code: IssueCode, pointer: string, parameters: Parameters) => void

function plan(file: NamedScreen['file'], screen: NamedScreen, names: Names, catalog: Known, issue: Issue): ScreenPlan {
  const kind = names.kinds[screen.kind]
  const { route, title, parameters, noCache, parent, menu, entity } = file
  const body: unknown = kind.assemble(file, assembleScope(file, names, catalog, issue))
  const opens = kind.opens?.(body)
  const roles = rolesOf(file, names)
  return {
    name: screen.name,
    kind: screen.kind,
    area: screen.area,
    ...(route !== undefined && { route }),
    title,
    parameters,
    ...(entity !== undefined && { entity }),
    permission: opens?.[0] ?? permissionOfScreen(file, kind, names, catalog),
    ...(opens && { opens }),
    ...(roles.length > 0 && { roles }),
    noCache,
    ...(menu && { menu: assembleMenu(menu, { file, names, always: kind.always?.(body) }) }),
    ...(parent !== undefined && { parent }),
    body,
    file: screen.source.path,
    ...(screen.source.generated?.template !== undefined && { template: screen.source.generated.template }),
  }
}

/**
 * The screen's own list of roles, and those of its parent screens. A screen that is its own parent is reported
 * elsewhere.
 */
function rolesOf({ roles, parent }: NamedScreen['file'], names: Names, below: readonly string[] = []): string[][] {
  const above = parent === undefined || below.includes(parent) ? undefined : names.screens[parent]
  return [...(roles ? [roles] : []), ...(above ? rolesOf(above.file, names, [...below, above.name]) : [])]
}

function permissionOfScreen(file: NamedScreen['file'], kind: ScreenKind, names: Names, { entities }: Known): string {
  const entity = file.entity === undefined ? undefined : names.entities[file.entity]
  if (file.permission !== undefined)
    return entity ? permissionOf(file.permission, entity, names.entities) : file.permission
  // A screen may refer to one whose entity does not exist, which is reported at its own file.
  return entities[file.entity!]?.permissions[kind.operation?.(file) ?? 'view'] ?? ''
}

interface MenuScope {
  file: NamedScreen['file']
  names: Names
  /** What all records of the screen match. */
  always?: Record<string, FilterValue>
}

function assembleMenu(menu: MenuEntry, { file: { entity }, names, always }: MenuScope): MenuEntry {
  const target = entity === undefined ? undefined : names.entities[entity]
  const { badge, ...rest } = menu
  const badges = [badge ?? []].flat().map(({ filter, permission: name }) => {
    const permission = name && target ? permissionOf(name, target, names.entities) : name
    return { filter: combined(always, filterValues(filter)), ...(permission && { permission }) }
  })
  return { ...rest, ...(badges.length > 0 && { badge: badges }) }
}

function assembleScope(file: NamedScreen['file'], names: Names, catalog: Known, issue: Issue): AssembleScope {
  const entity = (): Entity => {
    if (file.entity === undefined) throw new Error(`The screen "${JSON.stringify(file.title)}" has no entity`)
    return catalog.entities[file.entity]
  }
  return {
    catalog,
    widgets: names.widgets as Record<string, AssembleScope['widgets'][string]>,
    entity,
    screensOf: (entity, kind) => [...names.screensOf(entity, kind)],
    screen: (name) => names.screens[name],
    permission: (name, entity = file.entity) =>
      entity === undefined ? name : permissionOf(name, names.entities[entity], names.entities),
    permissionOfScreen: (name) =>
      permissionOfScreen(names.screens[name].file, names.kinds[names.screens[name].kind], names, catalog),
    isQueried: (entity, field) => names.isQueried(entity, field),
    issue,
  }
}
