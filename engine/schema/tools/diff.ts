import { differenceGroups, differs, fieldWords, paired, renamesOf, words, type Difference } from './difference.ts'
import { diffScreens } from './diffScreens.ts'
import { diffTables } from './diffTables.ts'
import { diffValidators } from './diffValidators.ts'
import { grants, type Catalog, type Value, type Widget } from '../../model/model.ts'
import { endpointsOf } from '../../model/operationsOf.ts'
import { roleCode, roleEntity } from '../../model/identityNames.ts'

/**
 * How the product differs between two catalogs, in business terms.
 * @param loses whether values may be lost when a column changes from one type to the other
 */
export function diffCatalogs(
  before: Catalog,
  after: Catalog,
  widgets: Readonly<Record<string, Widget>>,
  loses: (from: string, to: string) => boolean,
): Difference[] {
  const renames = renamesOf(before, after)
  const all = [
    ...diffAreas(before, after),
    ...diffScreens(before, after, renames),
    ...diffDictionaries(before, after),
    ...diffValidators(before, after, renames),
    ...diffEndpoints(before, after),
    ...diffPermissions(before, after, widgets),
    ...diffTables(before, after, renames, loses),
  ]
  return all.sort((a, b) => differenceGroups.indexOf(a.group) - differenceGroups.indexOf(b.group))
}

function diffAreas(before: Catalog, after: Catalog): Difference[] {
  const byName = ({ app }: Catalog) => Object.fromEntries(app.areas.map((area) => [area.name, area]))
  const [former, now] = [byName(before), byName(after)]
  const { added, removed, both } = paired(former, now)
  const difference = (change: Difference['change'], subject: string, text: string): Difference => ({
    group: 'screens',
    change,
    of: subject,
    text,
  })
  return [
    ...added.map((name) => difference('added', name, `the area ${words(now[name].label)}`)),
    ...removed.map((name) => difference('removed', name, `the area ${words(former[name].label)}`)),
    ...both
      .filter((name) => differs(former[name].label, now[name].label))
      .map((name) =>
        difference(
          'changed',
          name,
          `the area is called ${words(now[name].label)}, and was ${words(former[name].label)}`,
        ),
      ),
  ]
}

function diffDictionaries(before: Catalog, after: Catalog): Difference[] {
  const { added, removed } = paired(before.dictionaries, after.dictionaries)
  const difference =
    (change: 'added' | 'removed', { dictionaries }: Catalog) =>
    (subject: string): Difference => ({
      group: 'dictionaries',
      change,
      of: subject,
      text:
        dictionaries[subject].choices.map(({ value, label }) => `${value} (${words(label)})`).join(', ') ||
        'no values yet',
    })
  return [...added.map(difference('added', after)), ...removed.map(difference('removed', before))]
}

function diffEndpoints(before: Catalog, after: Catalog): Difference[] {
  const served = ({ entities }: Catalog) =>
    Object.fromEntries(
      Object.values(entities).flatMap((entity) =>
        endpointsOf(entity).map(({ method, path, permission }) => [
          `${method} ${path}`,
          { entity: entity.name, permission },
        ]),
      ),
    )
  const [former, now] = [served(before), served(after)]
  const { added, removed, both } = paired(former, now)
  const difference = (change: Difference['change'], subject: string, text: string): Difference => ({
    group: 'endpoints',
    change,
    of: subject,
    text,
  })
  return [
    ...added.map((path) => difference('added', now[path].entity, `${path}, takes ${now[path].permission}`)),
    ...removed.map((path) => difference('removed', former[path].entity, path)),
    ...both
      .filter((path) => former[path].permission !== now[path].permission)
      .map((path) =>
        difference(
          'changed',
          now[path].entity,
          `${path} takes ${now[path].permission}, and took ${former[path].permission}`,
        ),
      ),
  ]
}

function diffPermissions(before: Catalog, after: Catalog, widgets: Readonly<Record<string, Widget>>): Difference[] {
  const byName = ({ permissions }: Catalog) =>
    Object.fromEntries(permissions.map((permission) => [permission.value, permission]))
  const [former, now] = [byName(before), byName(after)]
  const { added, removed } = paired(former, now)
  const [could, can] = [rolesOf(before, widgets), rolesOf(after, widgets)]
  const roles = paired(could, can)
  const difference = (change: Difference['change'], subject: string, text: string): Difference => ({
    group: 'permissions',
    change,
    of: subject,
    text,
  })
  const list = (patterns: string[], { permissions }: Catalog) =>
    permissions.map(({ value }) => value).filter((value) => patterns.some((pattern) => grants(pattern, value)))
  return [
    ...added.map((value) =>
      difference('added', now[value].entity, `${value} (${words(now[value].group)}: ${words(now[value].label)})`),
    ),
    ...removed.map((value) =>
      difference(
        'removed',
        former[value].entity,
        `${value} (${words(former[value].group)}: ${words(former[value].label)})`,
      ),
    ),
    ...roles.added.map((role) => {
      const has = list(can[role], after)
      return difference('added', role, `a role that comes with the files, and may ${has.join(', ') || 'nothing'}`)
    }),
    ...roles.removed.map((role) =>
      difference('removed', role, 'a role that came with the files; it stays in the database'),
    ),
    ...roles.both.flatMap((role) => {
      // What a role may do takes long to list: it can only differ by its patterns or by the permissions that there are.
      const isAlike = added.length + removed.length === 0 && !differs(could[role], can[role])
      const [had, has] = isAlike ? [[], []] : [list(could[role], before), list(can[role], after)]
      const gained = has.filter((value) => !had.includes(value))
      const lost = had.filter((value) => !has.includes(value))
      return [
        ...(gained.length ? [difference('looser', role, `may now ${gained.join(', ')}`)] : []),
        ...(lost.length ? [difference('stricter', role, `may no longer ${lost.join(', ')}`)] : []),
        ...otherChanges(roleRows(before)[role], roleRows(after)[role], after, widgets).map((text) =>
          difference('changed', role, text),
        ),
      ]
    }),
  ]
}

type Row = Catalog['presets'][number]['rows'][number]

/** Code → the role's row in the files. */
const roleRows = ({ presets }: Catalog): Record<string, Row> =>
  Object.fromEntries(
    presets
      .filter(({ entity }) => entity === roleEntity)
      .flatMap(({ rows }) => rows.map((row) => [String(row[roleCode]), row])),
  )

/** What the files declare about a role besides its permissions, such as its data scope and messages. */
function otherChanges(former: Row, now: Row, after: Catalog, widgets: Readonly<Record<string, Widget>>): string[] {
  return Object.values(after.entities[roleEntity].fields)
    .filter(({ name, type, options }) => !widgets[type].permissions?.(options) && differs(former[name], now[name]))
    .map(({ name }) => {
      const [had, has] = [former[name], now[name]].map((value) =>
        [value ?? []].flat().map((each) => JSON.stringify(each)),
      )
      const [gained, lost] = [has.filter((each) => !had.includes(each)), had.filter((each) => !has.includes(each))]
      const parts = [
        ...(gained.length ? [`now ${gained.join(', ')}`] : []),
        ...(lost.length ? [`no longer ${lost.join(', ')}`] : []),
      ]
      return `${fieldWords(after.entities[roleEntity], name)}: ${parts.join('; ') || 'in another order'}`
    })
}

/** Code → what the role grants in the files. */
function rolesOf(catalog: Catalog, widgets: Readonly<Record<string, Widget>>): Record<string, string[]> {
  const fields = Object.values(catalog.entities[roleEntity]?.fields ?? {}).filter(({ type, options }) =>
    widgets[type].permissions?.(options),
  )
  return Object.fromEntries(
    Object.entries(roleRows(catalog)).map(([code, row]) => [
      code,
      fields.flatMap(({ name }) => ([row[name]] as Value[]).flat().map(String)),
    ]),
  )
}
