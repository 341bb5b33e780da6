import type { Widget } from '../../model/model.ts'
import { reference, referenceText } from '../reference/reference.ts'
import type { Reference, ReferenceOptions } from '../reference/reference.ts'

/** 江苏省 / 苏州市 / 吴中区; only the name if the path was not sent. */
export const pathText = (value: Reference): string =>
  Array.isArray(value.path) && value.path.length > 0 ? value.path.join(' / ') : referenceText(value)

/**
 * A reference into a tree entity, shown as the path from its root. A filter matches a node with all its descendants.
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
