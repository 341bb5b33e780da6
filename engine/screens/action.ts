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
  pathOf,
} from '../model/model.ts'
import type { ActionPlan, AssembleScope, DeclaredScreen, Entity, Label, Static } from '../model/model.ts'

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

type Place = ActionPlan['on']

/** The context of one list of actions. `pointer` is the list's position in its file. */
export interface ActionContext {
  scope: AssembleScope
  pointer: string
  on: Place
  /** The standard actions beside it that open the entity's own screens. */
  opening?: readonly string[]
}

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

/** The entity's conditions hold whatever a screen adds. */
const both = (first: string | undefined, second: string) => (first === undefined ? second : `(${first}) && (${second})`)

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

interface Standard {
  label: Label
  operation: keyof Entity['permissions']
  /** Its place, if it does not apply to the record of that place. */
  on?: Place
  /** The write that the entity must allow; its condition shows the action. */
  allow?: 'create' | 'update' | 'delete'
}
export const standard: Record<string, Standard> = {
  create: { label: { cn: '新增', en: 'Add' }, operation: 'create', on: 'toolbar', allow: 'create' },
  import: { label: { cn: '导入', en: 'Import' }, operation: 'create', on: 'toolbar', allow: 'create' },
  export: { label: { cn: '导出', en: 'Export' }, operation: 'export', on: 'toolbar' },
  detail: { label: { cn: '详情', en: 'Details' }, operation: 'view' },
  edit: { label: { cn: '编辑', en: 'Edit' }, operation: 'update', allow: 'update' },
  delete: { label: { cn: '删除', en: 'Delete' }, operation: 'delete', allow: 'delete' },
}
const confirmDelete: Label = { cn: '确定删除该数据吗？', en: 'Delete this record?' }

const isOwn = (name: string, scope: AssembleScope) => {
  const { states, actions, downloads = {} } = scope.entity()
  return (
    Object.hasOwn(actions, name) ||
    Object.hasOwn(downloads, name) ||
    states.some(({ transitions }) => Object.hasOwn(transitions, name))
  )
}

/** Label, permission and condition of a standard action; `standardAction` adds what it does. */
function standardPlan(name: string, { scope, on }: ActionContext): Omit<ActionPlan, 'do'> | undefined {
  if (!Object.hasOwn(standard, name)) return undefined
  const { label, operation, on: place = on, allow } = standard[name]
  const { permissions, allow: allowed } = scope.entity()
  const condition = allow && allowed[allow]
  return {
    name,
    label,
    on: place,
    permission: permissions[operation],
    danger: name === 'delete',
    primary: name === 'create',
    ...(name === 'delete' && { confirm: confirmDelete }),
    ...(typeof condition === 'string' && { shownWhen: condition }),
  }
}

function standardAction(name: string, context: ActionContext): ActionPlan | undefined {
  const plan = standardPlan(name, context)
  if (!plan) return undefined
  const { scope, pointer } = context
  const { name: entity, endpoint, allow } = scope.entity()
  const write = standard[name].allow
  if (write && allow[write] === false) {
    scope.issue('not-permitted', pointer, { entity, found: name })
    return undefined
  }
  if (name === 'delete' || name === 'export') return { ...plan, do: { kind: name, path: pathOf(endpoint, name) } }
  const opened = opening(name, context)
  // Importing does not require the permission to add single records.
  return (
    opened && {
      ...plan,
      do: opened.do,
      ...(name === 'import' && { permission: scope.permissionOfScreen(opened.screen) }),
    }
  )
}

const opened: Record<string, { kind: string; mode?: 'create' | 'edit' }> = {
  create: { kind: 'form', mode: 'create' },
  edit: { kind: 'form', mode: 'edit' },
  detail: { kind: 'detail' },
  import: { kind: 'imports' },
}

export const openersOf = (kind: string): string[] => Object.keys(opened).filter((name) => opened[name].kind === kind)

/** The entity's own screen for it: a link if it has a route, else a drawer. */
function opening(
  name: string,
  { scope, pointer, opening: beside = [] }: ActionContext,
): { do: ActionPlan['do']; screen: string } | undefined {
  const { kind, mode } = opened[name]
  const entity = scope.entity()
  const screens = scope.screensOf(entity.name, kind)
  for (const screen of screens) {
    const query = queryFor(screen, mode)
    if (!query) continue
    if (screen.route === undefined) return { do: { kind: 'drawer', screen: screen.name, query }, screen: screen.name }
    const search = Object.entries(query)
      .map(([key, value]) => `${key}=${value}`)
      .join('&')
    return { do: { kind: 'link', to: search ? `${screen.route}?${search}` : screen.route }, screen: screen.name }
  }
  const needed = `a screen of the kind "${kind}" for ${entity.name}`
  if (screens.length > 0) {
    const has = screens.map((screen) => screen.name).join(', ')
    scope.issue('missing-screen', pointer, {
      what: `"${name}" needs ${needed} whose mode is "${mode}", and ${has} has no such mode`,
    })
    return undefined
  }
  // One missing file is one issue, at the first action that opens it.
  const [first = name, ...others] = new Set(beside.filter((one) => opened[one].kind === kind))
  if (first !== name) return undefined
  const all = [first, ...others].map((one) => `"${one}"`).join(' and ')
  const called = `${entity.name}.${kind}`
  const why = scope.screen(called) ? `${called} is of another entity` : `there is no file ${called}.json`
  const what = `${all} ${others.length ? 'need' : 'needs'} ${needed}: ${why}`
  scope.issue('missing-screen', pointer, { what })
  return undefined
}

/**
 * The parameters that open a screen in this mode, with `id` filled from the record; undefined if it has no such mode.
 */
function queryFor(
  { file, variants = {} }: DeclaredScreen,
  mode: 'create' | 'edit' | undefined,
): Record<string, string> | undefined {
  const filled = (parameters: { name: string; required: boolean }[], chosen: Record<string, string>) =>
    Object.fromEntries(
      parameters.filter(({ required }) => required).map(({ name }) => [name, chosen[name] ?? `{${name}}`]),
    )
  for (const [parameter, plans] of Object.entries(variants)) {
    for (const [value, keys] of Object.entries(plans)) {
      if (mode !== undefined && (keys.mode ?? file.mode) !== mode) continue
      return filled(keys.parameters ?? file.parameters, { [parameter]: value })
    }
  }
  if (mode !== undefined && (file.mode !== mode || Object.keys(variants).length > 0)) return undefined
  return filled(file.parameters, {})
}

const foreseen = (path: string, procedure: string | undefined) =>
  procedure === undefined ? {} : { foresee: `${path}/foresee` }

/** A transition, or an action of the entity, which provides label, permission, condition and form. */
function entityAction(name: string, { scope, on }: ActionContext): ActionPlan | undefined {
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
