import type { Widget } from '../../model/model.ts'
import { reference, referenceText } from '../reference/reference.ts'
import type { Reference, ReferenceOptions } from '../reference/reference.ts'

/** 江苏省 / 苏州市 / 吴中区; the name alone where the path did not travel along. */
export const pathText = (value: Reference): string =>
  Array.isArray(value.path) && value.path.length > 0 ? value.path.join(' / ') : referenceText(value)

/**
 * A reference into an entity that is a tree, shown as the path from its root. A filter takes a node with all below it.
 */
export const tree: Widget<ReferenceOptions, Reference> = {
  ...reference,
  type: 'tree',
  label: { cn: '树形引用', en: 'Tree reference' },
  text: pathText,
  width: () => 180,
  operators: ['under', 'equals', 'empty'],
  sheet: {
    write: pathText,
    // `江苏省/苏州市/吴中区`, a name or a code, which the import looks up.
    read: (cell) =>
      typeof cell === 'string'
        ? cell
            .split(/[/／]/)
            .map((part) => part.trim())
            .join(' / ')
        : cell,
  },
}
