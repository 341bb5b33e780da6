import { dependencies } from '../expression/index.ts'
import type { ActionFile } from './action.ts'
import { standard } from './standardAction.ts'
import type { AssembleScope } from '../model/model.ts'

/**
 * Warns about conditions on a record where there is none. In a list below a record, what a new record would refer to, and
 * look up through it, is known.
 */
export function doubtActions(actions: readonly ActionFile[], pointer: string, scope: AssembleScope): void {
  const { fields } = scope.entity()
  for (const [index, { action, on, shownWhen }] of actions.entries()) {
    const place = on ?? (Object.hasOwn(standard, action) ? standard[action].on : undefined)
    if (place !== 'toolbar' || shownWhen === undefined) continue
    const read = dependencies(shownWhen).find((name) => {
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined
      const isKnown = field?.computed?.kind === 'lookup' || (field && scope.widgets[field.type].target?.(field.options))
      return (field && !isKnown) || name === 'id'
    })
    const reason = `the toolbar is about no record, and ${read} has no value there`
    if (read !== undefined) scope.issue('idle-key', `${pointer}/${index}/shownWhen`, { found: 'shownWhen', reason })
  }
}
