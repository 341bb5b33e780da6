import {
  boolean,
  condition,
  fieldName,
  label,
  list,
  oneOf,
  optional,
  record,
  shape,
  shorthand,
  string,
} from '../model/model.ts'
import type { ActionPlan, AssembleScope, Static } from '../model/model.ts'
import type { ActionContext } from './ActionContext.ts'
import { both, entityAction } from './entityAction.ts'
import { opened, standardAction, standardPlan } from './standardAction.ts'

/**
 * A button or link of a screen. Its name is enough for the standard ones (`create`, `edit`, `detail`, `delete`,
 * `export`, `import`), for a transition and for an action of the entity, which then provide label, permission, confirm
 * text and form.
 */
const actionShape = shorthand(
  'action',
  shape({
    action: string({ names: 'action' }),
    on: optional(oneOf(['toolbar', 'row', 'batch', 'header', 'footer'])),
    label: optional(label()),
    permission: optional(string({ names: 'permission' })),
    shownWhen: optional(condition()),
    confirm: optional(label({ fills: { words: ['n'], fields: true } })),
    danger: optional(boolean()),
    /** Navigates there; `{field}` is filled from the record. */
    link: optional(string({ names: 'link' })),
    /** Opens that screen in a drawer. */
    drawer: optional(string({ names: 'screen' })),
    query: optional(record(string())),
    /** A dialog with these fields … */
    show: optional(list(fieldName(), { distinct: true })),
    /** … and these transitions as decisions. */
    review: optional(list(string({ names: 'transition' }), { distinct: true })),
  }),
)
/**
 * One action may appear several times: in another place, under another name, for other records, or doing something
 * else.
 */
export const actionsShape = list(actionShape, {
  distinct: ['action', 'on', 'label', 'shownWhen', 'link', 'drawer'],
  default: [],
})
export type ActionFile = Static<typeof actionShape>

/** Actions as written → what the view draws. */
export function assembleActions(actions: readonly ActionFile[], { scope, pointer, on }: ActionContext): ActionPlan[] {
  const opening = actions
    .filter(({ action, link, drawer, review }) => Object.hasOwn(opened, action) && !link && !drawer && !review)
    .map(({ action }) => action)
  return withOnePrimary(
    actions.flatMap(
      (action, index) => assembleAction(action, { scope, pointer: `${pointer}/${index}`, on, opening }) ?? [],
    ),
  )
}

/** If several add something in the same place, the first is the primary one. */
const withOnePrimary = (plans: ActionPlan[]): ActionPlan[] =>
  plans.map((plan) => {
    const first = plans.find(({ on, primary }) => primary && on === plan.on)
    return plan.primary && plan !== first ? { ...plan, primary: false } : plan
  })

function assembleAction(file: ActionFile, context: ActionContext): ActionPlan | undefined {
  const { scope } = context
  const base = freeAction(file, context) ?? standardAction(file.action, context) ?? entityAction(file.action, context)
  if (!base) return undefined
  const on = file.on ?? base.on
  return {
    ...base,
    on,
    do: on === 'batch' ? ofSeveral(base.do) : base.do,
    ...(file.label && { label: file.label }),
    ...(file.confirm && { confirm: file.confirm }),
    ...(file.danger !== undefined && { danger: file.danger }),
    ...(file.shownWhen !== undefined && { shownWhen: both(base.shownWhen, file.shownWhen) }),
    ...(file.permission !== undefined && { permission: scope.permission(file.permission) }),
  }
}

/** Per-record values are not prompted for once for several records. */
const ofSeveral = (run: ActionPlan['do']): ActionPlan['do'] =>
  run.kind === 'call' ? { ...run, form: run.form.filter(({ single }) => !single) } : run

/** An action that declares what it does; a standard or entity action keeps its label and permission. */
function freeAction(file: ActionFile, context: ActionContext): ActionPlan | undefined {
  const { scope, on } = context
  const run = freeRun(file, context)
  if (!run) return undefined
  const known =
    standardPlan(file.action, context) ?? (isOwn(file.action, scope) ? entityAction(file.action, context) : undefined)
  return { name: file.action, label: {}, on, permission: '', danger: false, primary: false, ...known, do: run }
}

function freeRun(
  { link, drawer, query = {}, show = [], review }: ActionFile,
  context: ActionContext,
): ActionPlan['do'] | undefined {
  if (link !== undefined) return { kind: 'link', to: link }
  if (drawer !== undefined) return { kind: 'drawer', screen: drawer, query }
  if (!review) return undefined
  return { kind: 'review', show, calls: review.flatMap((name) => entityAction(name, context) ?? []) }
}

const isOwn = (name: string, scope: AssembleScope) => {
  const { states, actions, downloads = {} } = scope.entity()
  return (
    Object.hasOwn(actions, name) ||
    Object.hasOwn(downloads, name) ||
    states.some(({ transitions }) => Object.hasOwn(transitions, name))
  )
}
