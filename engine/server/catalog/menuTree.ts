import { sql } from 'kysely'
import { textIn } from '../../model/language.ts'
import type { Catalog, RecordData } from '../../model/model.ts'
import { enabled, menuEntity, menuFields } from '../identity/identity.ts'
import { administeredLabel, ownLanguage } from './administeredLabel.ts'
import { mirror } from './mirror.ts'
import { main } from '../records/reading/columnOf.ts'
import { readStored } from '../records/reading/read.ts'
import type { Context, Db, MenuNode } from '../runtime.ts'

/**
 * The menu as the files declare it: home by itself, any other screen below its area, one of its directories or another
 * screen.
 */
export function declaredMenu({ app, screens, routes }: Pick<Catalog, 'app' | 'screens' | 'routes'>): MenuNode[] {
  const home = routes[app.home]
  const shown = Object.values(screens).filter(({ menu }) => menu)
  const pages = shown.map(({ name, area, title, menu }): MenuNode => {
    const within = menu!.directory === undefined ? area : codeOf(area, menu!.directory)
    const above =
      menu!.parent !== undefined && shown.some((other) => other.name === menu!.parent) ? menu!.parent : within
    const [parent, order] = name === home ? [null, 0] : [above, menu!.order]
    return {
      code: name,
      parent,
      label: menu!.label ?? title,
      icon: menu!.icon ?? '',
      order,
      badge: true,
      enabled: true,
      hidden: false,
      noCache: screens[name].noCache,
      affix: menu!.affix ?? name === home,
    }
  })
  const directories = app.areas
    .flatMap(({ name: area, directories: found }) =>
      found.map(({ name, label, icon, order }): MenuNode => ({
        code: codeOf(area, name),
        parent: area,
        label,
        icon: icon ?? '',
        order,
        ...directory,
      })),
    )
    .filter(({ code }) => pages.some(({ parent }) => parent === code))
  const below = [...directories, ...pages]
  const areas = app.areas
    .filter(({ name }) => below.some(({ parent }) => parent === name))
    .map(({ name, label, icon }, index): MenuNode => ({
      code: name,
      parent: null,
      label,
      icon: icon ?? '',
      order: (index + 1) * 10,
      ...directory,
    }))
  return [...areas, ...below]
}

const directory = { badge: true, enabled: true, hidden: false, noCache: false, affix: false }

const codeOf = (area: string, directory: string): string => `${area}/${directory}`

/** The records of the files' menu entries, by their codes. */
export function declaredEntries(catalog: Catalog): RecordData[] {
  const own = ownLanguage(catalog.app)
  return declaredMenu(catalog).map(({ code, parent, label, icon, order, noCache, affix }) => {
    const screen = Object.hasOwn(catalog.screens, code) ? catalog.screens[code] : undefined
    return {
      [menuFields.code]: code,
      [menuFields.parent]: parent,
      [menuFields.kind]: screen ? 'page' : 'directory',
      [menuFields.name]: textIn(label, own),
      [menuFields.nameEn]: textIn(label, 'en'),
      [menuFields.icon]: icon || null,
      [menuFields.sort]: order,
      [menuFields.route]: screen?.route ?? null,
      [menuFields.permission]: screen?.permission ?? null,
      [menuFields.hasBadge]: screen?.menu?.badge !== undefined,
      [menuFields.noCache]: noCache,
      [menuFields.affix]: affix,
    }
  })
}

/** Stores the files' menu entries as records. Does nothing if the product has no such entity. */
export async function mirrorMenu(context: Context, db: Db): Promise<void> {
  const { catalog } = context.derived
  const entity = catalog.entities[menuEntity]
  if (!entity) return
  await mirror(context, db, {
    entity,
    declared: declaredEntries(catalog),
    keyOf: (record) => (isOwn(record) ? null : String(record[menuFields.code])),
    within: menuFields.parent,
  })
}

/** The code of an entry that no file declares. */
const ownCode = (id: number): string => `#${id}`
const isOwn = (record: RecordData): boolean => (record[menuFields.code] ?? null) === null

/**
 * The files' menu with the administrators' changes: order, place, names, icons, badges, tabs, enabled entries; and the
 * directories and pages that they have added.
 */
export async function overlaidMenu(context: Context, db: Db): Promise<MenuNode[]> {
  const { catalog } = context.derived
  const declared = declaredMenu(catalog)
  const entity = catalog.entities[menuEntity]
  if (!entity) return declared
  const records = await readStored(context, db, entity, [sql<boolean>`${sql.ref(`${main}.deletedAt`)} is null`])
  const codes = new Map(
    records.map((record) => [record.id, isOwn(record) ? ownCode(record.id!) : String(record[menuFields.code])]),
  )
  const byCode = new Map(records.map((record) => [codes.get(record.id)!, record]))
  const known = new Set([...declared.map(({ code }) => code), ...records.filter(isOwn).map(({ id }) => ownCode(id!))])
  const parentOf = (record: RecordData): string | null =>
    codes.get(record[menuFields.parent] as number | undefined) ?? null
  const administered = (record: RecordData) => ({
    label: administeredLabel(catalog.app, record[menuFields.name], record[menuFields.nameEn]),
    icon: String(record[menuFields.icon] ?? ''),
    enabled: record[menuFields.status] === enabled,
    hidden: record[menuFields.hidden] === true,
    noCache: record[menuFields.noCache] === true,
    affix: record[menuFields.affix] === true,
  })
  const overlaid = declared.map((node): MenuNode => {
    const record = byCode.get(node.code)
    if (!record) return node
    const parent = parentOf(record)
    const own = administered(record)
    return {
      ...node,
      ...own,
      label: { ...node.label, ...own.label },
      parent: parent === null || known.has(parent) ? parent : node.parent,
      order: Number(record[menuFields.sort] ?? node.order),
      badge: record[menuFields.showBadge] !== false,
    }
  })
  const added = records.filter(isOwn).map((record): MenuNode => {
    const parent = parentOf(record)
    const address = record[menuFields.route]
    return {
      ...administered(record),
      code: ownCode(record.id!),
      parent: parent !== null && known.has(parent) ? parent : null,
      order: Number(record[menuFields.sort] ?? last),
      badge: false,
      ...(typeof address === 'string' && { address }),
    }
  })
  return [...overlaid, ...added]
}

/** The order of an entry that nobody has placed. */
const last = 9999
