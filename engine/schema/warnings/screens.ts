import { twins } from './texts.ts'
import { below } from '../../model/pointer.ts'
import { scopeOf } from '../linking/scope.ts'
import { isObject, placesOf, type JsonObject } from '../walk.ts'
import type { Part } from '../reading/place.ts'
import { isBrought, type CheckContext, type Whole } from './checkContext.ts'
import type { ExpandedFile, NamedScreen } from '../named.ts'

/** Warns about links and drawers that open a record's screen with another entity's id. */
export function checkIds(file: ExpandedFile, context: CheckContext): void {
  const { names } = context
  for (const place of placesOf(file.value, file.shape)) {
    const { shape, value, pointer } = place
    if (typeof value !== 'string') continue
    if (shape.names === 'link' && !shape.ofGroups) {
      const [path, query = ''] = value.split('?')
      const screen = names.routes[path]
      let start = path.length + 1
      for (const pair of query.split('&')) {
        const [key, given = ''] = pair.split('=')
        const part = { part: { start, end: start + pair.length } }
        if (key === 'id' && !names.contested.includes(path))
          checkId(file, { screen, given, entity: scopeOf(place, file, names), pointer, part }, context)
        start += pair.length + 1
      }
    } else if (shape.names === 'screen') {
      const beside = place.parent?.value
      const query = isObject(beside) && isObject(beside.query) ? beside.query : {}
      const at = below(`${place.parent?.pointer ?? ''}/query`, 'id')
      const entity = place.parent && scopeOf(place.parent, file, names)
      if (typeof query.id === 'string')
        checkId(file, { screen: names.screens[value], given: query.id, entity, pointer: at }, context)
    }
  }
}

interface Opened {
  screen: NamedScreen | undefined
  given: string
  /** The entity whose record fills the placeholders. */
  entity: string | undefined
  pointer: string
  part?: Part
}

function checkId(
  file: ExpandedFile,
  { screen, given, entity, pointer, part }: Opened,
  { names, warn }: CheckContext,
): void {
  const field = /^\{(\w+)\}$/.exec(given)?.[1]
  if (!screen || names.kinds[screen.kind]?.data !== 'one' || field === undefined || entity === undefined) return
  const other = field === 'id' ? entity : names.target(names.field(entity, field))?.entity
  const shown = entitiesOf(screen)
  if (other === undefined || !names.entities[other] || shown.length === 0 || shown.includes(other)) return
  warn(
    file.source,
    pointer,
    'foreign-id',
    { screen: screen.name, entity: shown.join(' or '), found: given, other },
    part,
  )
}

/** The entities that a screen shows: its own, and those of its variants. */
function entitiesOf({ entity, variants = {} }: NamedScreen): string[] {
  const own = Object.values(variants)
    .flatMap((plans) => Object.values(plans))
    .flatMap((keys) => (typeof keys.entity === 'string' ? [keys.entity] : []))
  return [...new Set([...(entity === undefined ? [] : [entity]), ...own])]
}

/** Warns about sibling menu entries with the same order or label. */
export function checkMenu({ names: { screens }, warn }: Whole): void {
  const seen = new Map<string, NamedScreen>()
  const called = new Map<string, ReturnType<typeof twins>>()
  for (const screen of Object.values(screens)) {
    const menu = screen.file.menu as unknown as JsonObject | undefined
    const written = isObject(screen.source.data) ? screen.source.data.menu : undefined
    if (menu) {
      const place = JSON.stringify([screen.area, menu.directory])
      const otherOf = called.get(place) ?? twins()
      called.set(place, otherOf)
      const twin = otherOf(screen.name, menu.label ?? screen.file.title)
      const at = menu.label === undefined ? '/title' : '/menu/label'
      if (twin !== undefined) warn(screen.source, at, 'same-menu-title', { see: screens[twin].source.path })
    }
    if (!menu || !isObject(written) || written.order === undefined) continue
    const key = JSON.stringify([screen.area, menu.directory, menu.parent, menu.order])
    const other = seen.get(key)
    if (other) warn(screen.source, '/menu/order', 'same-menu-order', { found: menu.order, see: other.source.path })
    else seen.set(key, screen)
  }
}

/** Warnings of a screen kind about its own files. */
export function checkKinds({ files, names, doubtOf }: Whole): void {
  for (const { source } of files) {
    const screen = names.screens[`${source.name}.${source.kind}`]
    if (screen?.source === source && !isBrought(source) && names.kinds[screen.kind].doubt) doubtOf(screen)
  }
}
