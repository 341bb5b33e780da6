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
  oneOf,
  optional,
  record,
  shape,
  string,
} from '../../model/shape.ts'
import type { ObjectShape, Static } from '../../model/shape.ts'
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
const entityBase = shape({
  label: label(),
  display: fieldName({ about: { cn: '代表记录的字段', en: 'The field that names a record' } }),
  code: optional(fieldName({ about: { cn: '随名称显示的编号字段', en: 'The field shown beside the name' } })),
  search: list(fieldName(), {
    distinct: true,
    default: [],
    about: { cn: '文字搜索的字段（含拼音和首字母）', en: 'Fields that search covers, by text, pinyin and initials' },
  }),
  endpoint: optional(string({ pattern: '^/[A-Za-z0-9/_-]+$', like: '/partner/api' })),
  single: boolean({
    default: false,
    about: {
      cn: '只有一条记录，由系统建立，如系统参数',
      en: 'Has exactly one record, which the system creates, such as settings',
    },
  }),
  engine: optional(
    oneOf(['log'], {
      about: {
        cn: '由系统记录，只读：操作日志',
        en: 'Read-only records kept by the engine, such as the log',
      },
    }),
  ),
  rowOf: optional(
    string({ names: 'entity', about: { cn: '作为哪个实体的明细行', en: 'Its records are rows of that entity' } }),
  ),
  tree: optional(
    shape({
      parent: fieldName(),
      depth: integer({ default: 3, minimum: 1, maximum: 9 }),
      order: optional(
        fieldName({
          about: {
            cn: '同级之间的顺序（整数字段），列表中可拖动',
            en: 'The integer field that orders siblings; lists then allow dragging',
          },
        }),
      ),
    }),
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
  fourEyes: list(string({ names: 'step' }), {
    minItems: 2,
    distinct: true,
    default: [],
    about: {
      cn: '依次办理且不由同一人办理的步骤：做过前一步的用户不能再办后一步，直至他人重新办理',
      en: 'Steps for different users: one who did a step may not do a later one until someone else has done that step again',
    },
  }),
  once: list(string({ names: 'repeatable' }), {
    distinct: true,
    default: [],
    about: {
      cn: '不得因重复提交而重复办理的操作（新建或动作）：不带Idempotency-Key的相同请求，十分钟内再次提交会被拒绝',
      en: 'Operations (`create` or actions) that must not run twice by accident: without an Idempotency-Key, an equal call is refused for ten minutes',
    },
  }),
  copies: optional(
    shape(
      { by: fieldName(), fields: list(fieldName(), { minItems: 1, distinct: true }) },
      {
        about: {
          cn: '新记录取自此引用所指记录的字段',
          en: 'Fields that a new record copies from the record that this reference points at',
        },
      },
    ),
  ),
  suggests: optional(
    shape(
      { run: string({ names: 'procedure' }), on: list(fieldName(), { minItems: 1, distinct: true }) },
      {
        about: {
          cn: '表单中填写这些字段后，由此过程填入其他字段',
          en: 'A procedure fills in other fields when one of these is filled in, or when the form opens with parameters',
        },
      },
    ),
  ),
  reads: optional(
    shape(
      { count: fieldName(), when: optional(condition()) },
      {
        about: {
          cn: '打开详情的不同用户数记入该字段',
          en: 'The integer field that counts the distinct users who opened a record',
        },
      },
    ),
  ),
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
  indexes: list(list(string({ names: 'field' }), { distinct: true }), { default: [] }),
  facts: list(string({ names: 'field' }), {
    default: [],
    distinct: true,
    about: {
      cn: '确认或填写操作时，除编号和名称外还显示该记录的哪些字段',
      en: 'Fields that dialogs about a record show besides its number and name',
    },
  }),
})

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
