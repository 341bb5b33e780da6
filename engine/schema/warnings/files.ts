import { messageEntity } from '../linking/messages.ts'
import { departmentEntity, roleEntity, userEntity } from '../../model/identityNames.ts'
import { scopeOf } from '../linking/scope.ts'
import { placesOf } from '../walk.ts'
import type { Whole } from './checkContext.ts'
import type { NamedEntity, NamedScreen } from '../named.ts'

/** Entities that the engine itself uses. */
const ofEngine: readonly string[] = [messageEntity, departmentEntity, roleEntity, userEntity]

/** Warns about entities, dictionaries and screens without a route that no file uses, which were copied or left over. */
export function checkUnused({ files, names, warn }: Whole): void {
  const [entities, dictionaries] = [new Set(ofEngine), new Set<string>()]
  const [opened, offered] = [new Set<string>(), new Set<string>()]
  for (const file of files)
    for (const place of placesOf(file.value, file.shape)) {
      const { value: name, shape: under, key } = place
      if (typeof name !== 'string') continue
      if (under.names === 'screen' && key !== 'parent' && key !== 'of') opened.add(name)
      if (under.names === 'action') offered.add(`${scopeOf(place, file, names)}.${name}`)
      if (under.names === 'dictionary') dictionaries.add(name)
      if (['entity', 'entityField', 'setting'].includes(under.names ?? '')) entities.add(name.split('.')[0])
    }
  for (const uses of Object.values(names.uses ?? {})) for (const name of Object.keys(uses)) entities.add(name)
  for (const { name, source, value } of Object.values(names.entities))
    if (!entities.has(name) && !source.generated && value.engine === undefined)
      warn(source, '/label', 'unused-file', { what: 'entity', found: name })
  for (const { name, source } of Object.values(names.dictionaries))
    if (source.kind === 'dictionary' && !dictionaries.has(name) && !source.generated)
      warn(source, '/label', 'unused-file', { what: 'dictionary', found: name })
  for (const { name, kind, route, entity, about, source } of Object.values(names.screens)) {
    const { openedBy = [] } = names.kinds[kind]
    const isOpened = openedBy.some((action) => [entity, about].some((target) => offered.has(`${target}.${action}`)))
    const why = `${openedBy.length > 0 ? ', no action opens it' : ''}, and it has no route`
    if (route === undefined && !isOpened && !opened.has(name) && !source.generated)
      warn(source, '/title', 'unused-file', { what: kind, found: name, why })
  }
}

/** Warns about files in another area's folder than the files that they belong to. */
export function checkFolders({ names, warn }: Whole): void {
  const screens = Object.values(names.screens)
  for (const { area, route, source } of screens) {
    const [, first] = route?.split('/') ?? []
    if (first === undefined || first === area || !names.areas.includes(first) || source.generated) continue
    warn(source, '/route', 'misplaced-file', { folder: area, reason: `its route begins with "/${first}"` })
  }
  for (const entity of Object.values(names.entities)) {
    const elsewhere = areaOfScreens(entity, screens)
    if (elsewhere === undefined || entity.source.generated) continue
    const reason = `all screens of ${entity.name} lie in "${elsewhere}"`
    warn(entity.source, '/label', 'misplaced-file', { folder: entity.area, reason })
  }
}

/** The other area that has all screens of the entity, if any. */
function areaOfScreens({ name, area }: NamedEntity, screens: readonly NamedScreen[]): string | undefined {
  const own = screens.filter(({ entity, about }) => entity === name || about === name)
  const [first, ...more] = new Set(own.map((screen) => screen.area))
  return more.length || first === area ? undefined : first
}
