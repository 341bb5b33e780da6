import type { BoardPlan } from './board.ts'
import type { BoardNumbers } from './numbers.ts'

interface Viewer {
  may(this: void, permission: string): boolean
  roles: readonly string[]
}

/** The parts of a board that this user may see. */
export function visibleParts(board: BoardPlan, { may, roles: own }: Viewer) {
  const isOwn = ({ roles }: { roles: readonly string[] }) => roles.some((role) => own.includes(role))
  const ownFirst = <Part extends { roles: readonly string[] }>(parts: readonly Part[]) => [
    ...parts.filter(isOwn),
    ...parts.filter((part) => !isOwn(part)),
  ]
  const seen = board.cards.filter(({ permission }) => may(permission))
  const ofRole = seen.filter(isOwn)
  // Whoever has no work of their own here, such as an administrator, oversees all of it.
  const cards = ofRole.length > 0 ? ofRole : seen
  const blocks = board.blocks.filter(({ permission }) => may(permission))
  const steps = (board.calendar?.steps ?? [])
    .map((step) => ({ ...step, lists: step.lists.filter(({ permission }) => may(permission)) }))
    .filter(({ lists, done }) => lists.length > 0 || (done && may(done.permission)))
  return {
    cards,
    /** What other roles have to do. */
    others: seen.filter((card) => !cards.includes(card)),
    blocks,
    numbers: ownFirst(
      blocks.filter((block): block is BoardNumbers => block.kind === 'figures' || block.kind === 'chart'),
    ),
    steps,
    /** Whether a card or step shows how much work waits. */
    counts: seen.length > 0 || steps.some(({ lists }) => lists.length > 0),
  }
}
