import type { ScreenKind } from '../../model/model.ts'
import { icon } from './appShape.ts'
import { permissionName } from './effectShapes.ts'
import {
  boolean,
  either,
  entityName,
  filter,
  integer,
  label,
  list,
  merged,
  optional,
  record,
  shape,
  shorthand,
  string,
} from '../../model/shape.ts'
import type { ObjectShape, Shape, Static } from '../../model/shape.ts'

const badge = shape({ filter: filter(), permission: optional(permissionName) })

const menuShape = shape({
  order: integer({ default: 100 }),
  directory: optional(
    string({ names: 'directory', about: { cn: '所在的菜单目录', en: 'The menu group of the area that contains it' } }),
  ),
  icon,
  /** The label in the menu, if it differs from the title. */
  label: optional(label()),
  affix: optional(boolean({ about: { cn: '固定标签', en: 'A pinned tab' } })),
  badge: optional(
    either<Static<typeof badge> | Static<typeof badge>[]>([badge, list(badge)], {
      about: {
        cn: '菜单角标：等待处理的记录数；写多个时，取用户有权限的第一个',
        en: 'The menu badge: the number of waiting records. If there are several, the first that the user has the permission for',
      },
    }),
  ),
})

/** Keys of every screen file. */
const screenCommon = shape({
  route: optional(string({ pattern: '^/[A-Za-z0-9/_-]*$', like: '/customer/detail' })),
  title: label(),
  entity: optional(entityName()),
  permission: optional(permissionName),
  roles: optional(
    list(string({ names: 'role' }), {
      minItems: 1,
      distinct: true,
      about: {
        cn: '仅这些角色可打开此页面及其下级页面，管理员不受限',
        en: 'Only these roles, and the administrator, may open the screen and the screens that belong to it',
      },
    }),
  ),
  noCache: boolean({ default: false }),
  parent: optional(
    string({
      names: 'screen',
      about: { cn: '所属列表页（面包屑和菜单）', en: 'The parent screen in the breadcrumb and the menu' },
    }),
  ),
  menu: optional(menuShape),
  parameters: list(shorthand('name', shape({ name: string(), required: boolean({ default: true }) })), {
    distinct: ['name'],
    default: [],
  }),
  permissionLabels: optional(
    record(label(), {
      keys: 'declaredPermission',
      about: {
        cn: '此页面自己的权限标识 → 权限树上的名称',
        en: 'Full permission of the screen → its name in the permission tree',
      },
    }),
  ),
})

/**
 * A screen file's shape: common keys, the kind's keys, and variants that override some of them by a query parameter.
 */
export function screenShape(kind: ScreenKind): ObjectShape {
  const whole = merged(screenCommon, kind.shape)
  // A route's roles and permissions are the same whatever its parameters.
  const { roles: _roles, permissionLabels: _labels, ...varying } = whole.properties
  const properties = Object.fromEntries(
    Object.entries(varying).map(([key, value]) => {
      const { default: _, ...rest } = value as Shape<unknown>
      return [key, optional(rest as Shape<unknown>)]
    }),
  )
  return merged(whole, shape({ variants: optional(record(record(shape(properties)))) }))
}
