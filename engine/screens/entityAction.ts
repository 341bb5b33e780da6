import type { ActionPlan } from '../model/model.ts'
import type { ActionContext } from './ActionContext.ts'

/** The entity's conditions hold whatever a screen adds. */
export const both = (first: string | undefined, second: string) =>
  first === undefined ? second : `(${first}) && (${second})`

const foreseen = (path: string, foresee: boolean | string | undefined) =>
  foresee ? { foresee: `${path}/foresee` } : {}

/** A transition, or an action of the entity, which provides label, permission, condition and form. */
export function entityAction(name: string, { scope, on }: ActionContext): ActionPlan | undefined {
  const { states, actions, downloads, endpoint } = scope.entity()
  const common = { name, on, primary: false }
  const path = `${endpoint}/${name}`
  for (const { transitions } of states) {
    if (!Object.hasOwn(transitions, name)) continue
    const { label, permission, confirm, danger, form, field, from, to, when, foresee } = transitions[name]
    const state =
      from.length === 1 ? `${field} == '${from[0]}'` : `${field} in [${from.map((value) => `'${value}'`).join(', ')}]`
    return {
      ...common,
      label,
      permission,
      danger,
      shownWhen: when === undefined ? state : both(state, when),
      ...(confirm && { confirm }),
      do: { kind: 'call', path, form, keepEmpty: false, transition: { field, from, to }, ...foreseen(path, foresee) },
    }
  }
  const download = downloads?.[name]
  if (download) {
    const { label, permission, files } = download
    return {
      ...common,
      label,
      permission,
      danger: false,
      ...(files !== undefined && { shownWhen: `size(${files}) > 0` }),
      do: { kind: 'export', path },
    }
  }
  if (!Object.hasOwn(actions, name)) return undefined
  const { label, permission, confirm, danger, form, update, when, prepare, foresee } = actions[name]
  const updated = (update ?? []).map((field) => ({ field, required: false }))
  return {
    ...common,
    label,
    permission,
    danger,
    ...(when !== undefined && { shownWhen: when }),
    ...(confirm && { confirm }),
    do: {
      kind: 'call',
      path,
      form: [...updated, ...form],
      keepEmpty: update !== undefined,
      ...(prepare !== undefined && { prepare: `${path}/prepare` }),
      ...foreseen(path, foresee),
    },
  }
}
