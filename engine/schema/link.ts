import { counted } from './checking/mistyped.ts'
import { checkForeign } from './linking/foreignFields.ts'
import { checkFilter } from './linking/filters.ts'
import { below } from '../model/pointer.ts'
import type { Report } from './issues/report.ts'
import { checkDistinct } from './linking/distinct.ts'
import { nameRoles } from './linking/nameRoles.ts'
import { checkBraces, checkPlaceholders, checkWordForms } from './linking/placeholders.ts'
import { checkHoles } from './linking/messages.ts'
import { scopeOf } from './linking/scope.ts'
import { isObject, placesOf } from './walk.ts'
import type { Run } from './linking/checkUses.ts'
import type { ExpandedFile, Names } from './named.ts'
import type { Link, LostLink } from './named.ts'

/**
 * Resolves every name of one file among all files.
 * @returns the places where it names procedures and unknown routes
 */
export function link(file: ExpandedFile, names: Names, report: Report): { runs: Run[]; lost: LostLink[] } {
  const runs: Run[] = []
  const lost: LostLink[] = []
  const places = placesOf(file.value, file.shape)
  if (checkForeign(file, places, names, report)) return { runs, lost }
  checkChoices(file, report)
  for (const place of places) {
    const { shape, value, pointer } = place
    if (shape.names === 'procedure') runs.push({ procedure: String(value), pointer })
    if (shape.names && typeof value === 'string') {
      const say: Link['say'] = (code, parameters, part) => report(file.source, pointer, code, parameters, part)
      nameRoles[shape.names]?.({
        names,
        file,
        place,
        name: value,
        entity: scopeOf(place, file, names),
        say,
        report,
        lost,
      })
    }
    if (shape.keys && isObject(value)) {
      const entity = scopeOf(place, file, names)
      for (const name of Object.keys(value)) {
        // Records have many thousand rows, and nearly all of their fields are known.
        if (shape.keys === 'field' && names.field(entity, name)) continue
        // A value under `fields` that is not a field is reported as such.
        if (file.source.kind === 'entity' && pointer === '/fields') continue
        const say: Link['say'] = (code, parameters) =>
          report(file.source, below(pointer, name), code, parameters, { key: true })
        nameRoles[shape.keys]?.({ names, file, place, name, entity, say, report, lost })
      }
    }
    if (Array.isArray(value)) checkDistinct(file.source, place, report)
    if ((shape.fills || shape.holes) && isObject(value)) {
      checkWordForms(file, place, report)
      checkBraces(file, place, report)
    }
    if (shape.fills && isObject(value)) checkPlaceholders(file, place, names, report)
    if (shape.holes && isObject(value)) checkHoles(file, place, scopeOf(place, file, names), names, report)
    if (shape.names === 'filter' && isObject(value))
      checkFilter(file.source, place, scopeOf(place, file, names), names, report)
  }
  return { runs, lost }
}

/** A dictionary without values is only useful if administrators may add some. */
function checkChoices({ source, value: { choices, mayGrow } }: ExpandedFile, report: Report): void {
  if (source.kind === 'dictionary' && mayGrow !== true && Array.isArray(choices) && choices.length === 0)
    report(source, '/choices', 'too-short', { limit: counted('minItems', 1) })
}
