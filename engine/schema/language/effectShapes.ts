/** The effects that transitions, saves, actions and daily rules have in common. */
import {
  boolean,
  condition,
  either,
  entityName,
  fieldName,
  formula,
  label,
  list,
  optional,
  record,
  shape,
  shorthand,
  string,
} from '../../model/shape.ts'

/** The placeholders of a question about one record, or about several: `{n}` of them. */
export const question = { fills: { words: ['n'], fields: true } } as const
export const problemRule = { message: label({ fills: { words: [], fields: true } }) }
export const sets = record(formula(), {
  keys: 'field',
  default: {},
  about: { cn: '字段 → 表达式', en: 'Field → expression' },
})
export const appends = list(shape({ entity: entityName(), set: record(formula(), { keys: 'field', default: {} }) }), {
  default: [],
  about: { cn: '同一事务中追加的记录', en: 'Records added in the same transaction' },
})
export const updates = list(
  shape({
    entity: entityName(),
    by: string({
      names: 'ownField',
      about: { cn: '指向该记录的引用字段', en: 'The reference to the record to update' },
    }),
    when: optional(condition()),
    set: record(formula(), {
      keys: 'field',
      about: { cn: '该记录的字段 → 本记录上的表达式', en: 'Field of that record → expression over this record' },
    }),
  }),
  {
    default: [],
    about: {
      cn: '同一事务中对所引用记录的修改',
      en: 'Changes to referenced records, made in the same transaction',
    },
  },
)
export const message = shape({
  type: string({
    names: 'messageType',
    about: {
      cn: '消息类型，由角色的消息授权决定谁能收到',
      en: 'The message type; each role lists the types that it receives',
    },
  }),
  when: optional(condition()),
  title: label({
    holes: true,
    about: { cn: '标题，{字段} 取自记录', en: 'The title; {field} is filled from the record' },
  }),
  content: optional(label({ holes: true })),
  link: optional(string({ names: 'link', about: { cn: '点击后打开的页面', en: 'The screen that the message opens' } })),
  to: optional(
    fieldName({
      about: {
        cn: '只发给此字段所指的用户，不论其角色接收哪些类型',
        en: 'Sent only to the users named by this field, whatever their roles receive',
      },
    }),
  ),
  departments: optional(
    fieldName({
      about: {
        cn: '只发给这些部门及其下级，不填则不限',
        en: 'Sent only to users of these departments and their subdepartments; to all if none is named',
      },
    }),
  ),
})
export const messages = list(message, {
  default: [],
  about: {
    cn: '同一事务中发出的站内消息',
    en: 'Messages sent in the same transaction to users who may see the record and whose roles receive the type',
  },
})
export const follows = optional(
  string({
    names: 'procedure',
    about: {
      cn: '写入之后在同一事务中执行的过程',
      en: 'A procedure that runs after the write, in the same transaction',
    },
  }),
)
export const promptedFields = list(
  shorthand(
    'field',
    shape({
      field: fieldName(),
      required: boolean({ default: false }),
      label: optional(label({ about: { cn: '此处的名称', en: "Label used here instead of the field's own" } })),
      defaultFrom: optional(
        formula({
          about: {
            cn: '记录中尚无值时的初始值（对一条记录操作时）',
            en: 'Formula for the initial value if the action is on one record whose field is empty',
          },
        }),
      ),
      single: optional(
        boolean({
          about: { cn: '仅对一条记录操作时填写', en: 'Prompted for on a single record, not in a batch' },
        }),
      ),
      consecutive: optional(
        boolean({
          about: {
            cn: '多条记录时号码依次加一',
            en: "In a batch, each record gets the number after the previous record's",
          },
        }),
      ),
      namedBy: optional(
        fieldName({
          about: {
            cn: '多条记录时，各记录只取文件名中含该字段值的文件',
            en: 'In a batch, each record gets the files whose names contain the value of this field',
          },
        }),
      ),
    }),
  ),
  {
    distinct: ['field'],
    default: [],
    about: { cn: '执行前要填写的字段', en: 'Fields that the user is prompted for first' },
  },
)

export const permissionPattern = '^[a-zA-Z]+:[a-zA-Z]+:[a-zA-Z]+$'
export const permissionName = string({
  names: 'permission',
  about: { cn: '权限：操作名，或 area:entity:action', en: 'An action name, or area:entity:action' },
})

export const foresee = optional(
  either<boolean | string>([boolean(), string({ names: 'procedure' })], {
    about: {
      cn: '确认前先试办并说明将产生的结果，试办的一切均不保留；写过程名时，由该过程说明',
      en: 'Shows the outcome before the user confirms; the trial run changes nothing. A procedure describes it itself',
    },
  }),
)

/** A condition, and the message if it does not hold. */
export const guards = list(shape({ check: condition(), ...problemRule }), { default: [] })
