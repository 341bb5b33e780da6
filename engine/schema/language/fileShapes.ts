/**
 * The shapes of all kinds of files. The screens' own shapes are declared by their kinds, the options of a field by its
 * widget.
 */
import type { ScreenKind, Widget } from '../../model/model.ts'
import { appShape } from './appShape.ts'
import { dictionaryShape, recordsShape } from './dataShapes.ts'
import { entityShape } from './entityShape.ts'
import { screenShape } from './screenShape.ts'
import { familyShape, templateShape } from './templateShape.ts'
import { withReasons } from './withReasons.ts'
import type { ObjectShape } from '../../model/shape.ts'

const known = new WeakMap<object, WeakMap<object, Record<string, ObjectShape>>>()

/** Kind of file → its shape, for these lists. The same lists give the same shapes, whose checks are compiled once. */
export function fileShapes(
  widgets: Readonly<Record<string, Widget>>,
  kinds: Readonly<Record<string, ScreenKind>>,
): Record<string, ObjectShape> {
  const byKinds = known.get(widgets) ?? new WeakMap<object, Record<string, ObjectShape>>()
  known.set(widgets, byKinds)
  let shapes = byKinds.get(kinds)
  if (!shapes) {
    shapes = {
      app: withReasons(appShape),
      entity: withReasons(entityShape(Object.values(widgets))),
      dictionary: withReasons(dictionaryShape),
      records: withReasons(recordsShape),
      template: templateShape,
      family: familyShape,
      ...Object.fromEntries(Object.values(kinds).map((kind) => [kind.kind, withReasons(screenShape(kind))])),
    } as Record<string, ObjectShape>
    byKinds.set(kinds, shapes)
  }
  return shapes
}
