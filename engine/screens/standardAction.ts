import { pathOf } from '../model/model.ts'
import type { ActionPlan, DeclaredScreen, Entity, Label } from '../model/model.ts'
import type { ActionContext } from './ActionContext.ts'

interface Standard {
  label: Label
  operation: keyof Entity['permissions']
  /** Its place, if it does not apply to the record of that place. */
  on?: ActionPlan['on']
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

/** Label, permission and condition of a standard action; `standardAction` adds what it does. */
export function standardPlan(name: string, { scope, on }: ActionContext): Omit<ActionPlan, 'do'> | undefined {
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

export function standardAction(name: string, context: ActionContext): ActionPlan | undefined {
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

export const opened: Record<string, { kind: string; mode?: 'create' | 'edit' }> = {
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
  const [first = name, ...others] = new Set(beside.filter((each) => opened[each].kind === kind))
  if (first !== name) return undefined
  const all = [first, ...others].map((each) => `"${each}"`).join(' and ')
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
