import { below } from '../../model/pointer.ts'
import { scopeOf } from '../linking/scope.ts'
import { isObject, placesOf } from '../walk.ts'
import { isBrought, type Whole } from './checkContext.ts'

/**
 * Warns about actions in a toolbar whose procedures change records that nobody has chosen, without first saying how
 * many.
 */
export function checkUnforeseen({ files, names, warn }: Whole): void {
  const inToolbars = new Set(
    files.flatMap((file) =>
      placesOf(file.value, file.shape)
        .filter(
          ({ shape, parent }) => shape.names === 'action' && isObject(parent?.value) && parent.value.on === 'toolbar',
        )
        .map((place) => `${scopeOf(place, file, names)}.${String(place.value)}`),
    ),
  )
  for (const { name, source, value } of Object.values(names.entities)) {
    if (!isObject(value.actions) || isBrought(source)) continue
    for (const [action, written] of Object.entries(value.actions)) {
      if (!isObject(written) || written.run === undefined || written.foresee) continue
      if (!inToolbars.has(`${name}.${action}`)) continue
      warn(source, below('/actions', action), 'unforeseen-action', { found: action, entity: name }, { key: true })
    }
  }
}
