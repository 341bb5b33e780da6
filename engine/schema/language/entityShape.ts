import { actions, daily, saves, stateMachine } from './actShapes.ts'
import { downloadsShape } from './downloads.ts'
import { problemRule, permissionPattern, permissionName, guards } from './effectShapes.ts'
import { fieldCommon } from './fieldShape.ts'
import type { FieldFile } from './fieldShape.ts'
import {
  boolean,
  condition,
  discriminated,
  either,
  fieldName,
  filter,
  integer,
  label,
  list,
  merged,
  optional,
  record,
  shape,
  string,
} from '../../model/shape.ts'
import type { ObjectShape, Static } from '../../model/shape.ts'
import { entityKeys } from '../../model/entityKeys.ts'
import type { Widget } from '../../model/model.ts'

const limits = list(
  shape({
    where: filter(),
    max: integer({ minimum: 1 }),
    within: optional(
      either<string | string[]>([fieldName(), list(fieldName(), { minItems: 1, distinct: true })], {
        about: {
          cn: '在这些字段的同一值之内；多选字段则有一项相同',
          en: 'Counts records with the same values in these fields; for list fields, with an item in common',
        },
      }),
    ),
    period: optional(
      shape(
        { from: fieldName(), to: fieldName() },
        {
          about: {
            cn: '仅计期间有重叠的记录，空为不限',
            en: 'Counts only those whose period overlaps; an empty end is open',
          },
        },
      ),
    ),
    at: fieldName(),
    message: label({
      holes: true,
      about: {
        cn: '超过时的提示，{字段}是已有记录的值',
        en: 'Message if one more is refused; {field} is a value of the records in the way',
      },
    }),
  }),
  {
    default: [],
    about: { cn: '符合条件的记录最多几条', en: 'Maximum number of matching records' },
  },
)

/** The entity file without its fields, whose shape depends on the widgets. */
const entityBase = merged(
  entityKeys,
  shape({
    endpoint: optional(string({ pattern: '^/[A-Za-z0-9/_-]+$', like: '/partner/api' })),
    single: boolean({
      default: false,
      about: {
        cn: '只有一条记录，由系统建立，如系统参数',
        en: 'Has exactly one record, which the system creates, such as settings',
      },
    }),
    rowOf: optional(
      string({ names: 'entity', about: { cn: '作为哪个实体的明细行', en: 'Its records are rows of that entity' } }),
    ),
    log: boolean({
      default: false,
      about: {
        cn: '是日志：所引用的记录仍可删除',
        en: 'Its references do not prevent the deletion of what they point at',
      },
    }),
    parts: optional(
      list(
        shape({
          where: filter(),
          view: permissionName,
          export: permissionName,
        }),
        {
          minItems: 1,
          about: {
            cn: '分部分授权：各部分记录由谁查看、导出',
            en: 'Splits the records into parts with separate permissions to view and export',
          },
        },
      ),
    ),
    offered: optional(filter({ about: { cn: '可被选用的记录', en: 'Which records a reference offers' } })),
    scope: optional(
      either<{ via: string | string[] } | { only: string[] } | { owners: string[]; departments: string[] }>([
        shape({ via: either<string | string[]>([fieldName(), list(fieldName(), { minItems: 1, distinct: true })]) }),
        shape({
          only: list(fieldName(), {
            minItems: 1,
            distinct: true,
            about: {
              cn: '仅这些字段所指的用户本人可见，管理员也不例外',
              en: 'Visible only to the users named by these fields, not even to administrators',
            },
          }),
        }),
        shape({
          owners: list(fieldName(), { distinct: true }),
          departments: list(string(), {
            distinct: true,
            default: [],
            about: { cn: '指向部门的字段或 引用.字段', en: 'A field, or reference.field, that points at a department' },
          }),
        }),
      ]),
    ),
    rules: list(shape({ check: condition(), when: optional(condition()), at: fieldName(), ...problemRule }), {
      default: [],
    }),
    limits,
    states: optional(
      either<Static<typeof stateMachine> | Static<typeof stateMachine>[]>([stateMachine, list(stateMachine)]),
    ),
    saves,
    daily,
    actions,
    downloads: downloadsShape(permissionName, guards),
    allow: optional(
      shape({
        create: either<boolean | string>([boolean(), condition()], { default: true }),
        update: either<boolean | string>([boolean(), condition()], { default: true }),
        delete: either<boolean | string>([boolean(), condition()], { default: true }),
      }),
    ),
    undo: optional(
      shape(
        { guards },
        {
          about: {
            cn: '撤销写入其记录的导入时',
            en: 'When an import that wrote its records is undone',
          },
        },
      ),
    ),
    permissions: optional(
      shape(
        Object.fromEntries(
          ['view', 'create', 'update', 'delete', 'export', 'viewSensitive'].map((operation) => [
            operation,
            optional(string({ names: 'declaredPermission', pattern: permissionPattern, like: 'area:entity:action' })),
          ]),
        ),
      ),
    ),
    permissionName: optional(
      string({
        pattern: '^[a-z][A-Za-z0-9]*$',
        like: 'customer',
        about: {
          cn: '权限标识的中间一段，默认是实体名',
          en: 'The middle part of its permissions, by default the name of the entity',
        },
      }),
    ),
    permissionLabels: record(label(), {
      default: {},
      about: {
        cn: '操作名 → 权限树上的名称',
        en: 'Action → its name in the permission tree, if no action has that name',
      },
    }),
  }),
)

export type EntityFile = Static<typeof entityBase> & { fields: Record<string, FieldFile> }

/** The entity file's shape, for this list of widgets. */
export function entityShape(widgets: readonly Widget[]): ObjectShape {
  const field = discriminated<FieldFile>(
    'type',
    Object.fromEntries(
      widgets.map(({ type, options, alsoCalled }) => [
        type,
        { ...merged(fieldCommon, options), ...(alsoCalled && { alsoCalled }) },
      ]),
    ),
  )
  return merged(
    entityBase,
    shape({
      byType: optional(
        shape(Object.fromEntries(widgets.map((widget) => [widget.type, optional(optionsOf(widget))])), {
          about: {
            cn: '字段类型 → 该类型的字段除另行写明外的选项，如金额的币种',
            en: 'Field type → options that fields of it have here unless they say otherwise, such as the currency of amounts',
          },
        }),
      ),
      fields: record(field, { keys: 'ownField' }),
    }),
  )
}

/** The options of a field type, each optional and without its default. */
const optionsOf = ({ type, options: { properties } }: Pick<Widget, 'type' | 'options'>): ObjectShape =>
  shape(
    Object.fromEntries(
      Object.entries(properties).map(([key, { default: _, ...rest }]) => [key, optional<unknown>(rest)]),
    ),
    { about: { cn: `${type}字段的选项`, en: `Options of ${type} fields` } },
  )
