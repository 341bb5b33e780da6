import { scopeOf } from '../linking/scope.ts'
import { placesOf } from '../walk.ts'
import type { CheckContext } from './checkContext.ts'
import type { ExpandedFile } from '../named.ts'

/** Warns about sorts by sensitive fields, because the order reveals what the masks hide. */
export function checkSorts(file: ExpandedFile, { names, warn }: CheckContext): void {
  for (const place of placesOf(file.value, file.shape)) {
    const { shape, value, pointer } = place
    if (shape.names !== 'sort' || typeof value !== 'string') continue
    const entity = scopeOf(place, file, names)
    let start = 0
    for (const written of value.split(',')) {
      const found = written.replace(/^-/, '')
      if (names.field(entity, found)?.value.sensitive === true) {
        const part = { start: start + written.length - found.length, end: start + written.length }
        warn(file.source, pointer, 'sorted-secret', { entity, found }, { part })
      }
      start += written.length + 1
    }
  }
}
