/** The effects that transitions, saves, actions and daily rules have in common. */
import {
  boolean,
  condition,
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
      about: { cn: '指向该记录的引用字段', en: 'The reference to the record that is updated' },
    }),
    when: optional(condition()),
    set: record(formula(), {
      keys: 'field',
      about: { cn: '该记录的字段 → 本记录上的表达式', en: 'Field of that record → expression over this one' },
    }),
  }),
  {
    default: [],
    about: {
      cn: '同一事务中对所引用记录的修改',
      en: 'What the same transaction changes in records that this one refers to',
    },
  },
)
export const message = shape({
  type: string({
    names: 'messageType',
    about: {
      cn: '消息类型，由角色的消息授权决定谁能收到',
      en: 'The type of message: roles say which ones they receive',
    },
  }),
  when: optional(condition()),
  title: label({
    holes: true,
    about: { cn: '标题，{字段} 取自记录', en: 'The title; {field} is filled from the record' },
  }),
  content: optional(label({ holes: true })),
  link: optional(string({ names: 'link', about: { cn: '点击后打开的页面', en: 'The screen that it opens' } })),
  to: optional(
    fieldName({
      about: {
        cn: '只发给此字段所指的用户，不论其角色接收哪些类型',
        en: 'Only to the users whom this field names, whatever types their roles receive',
      },
    }),
  ),
  departments: optional(
    fieldName({
      about: {
        cn: '只发给这些部门及其下级，为空则不限',
        en: 'Only to users of these departments and those below, where any are named',
      },
    }),
  ),
})
export const messages = list(message, {
  default: [],
  about: {
    cn: '同一事务中发出的站内消息',
    en: 'Messages sent in the same transaction, to users whose roles receive the type and who may see the record',
  },
})
export const follows = optional(
  string({
    names: 'procedure',
    about: {
      cn: '写入之后在同一事务中执行的过程',
      en: 'A procedure that goes on with what was written, in the same transaction',
    },
  }),
)
export const asked = list(
  shorthand(
    'field',
    shape({
      field: fieldName(),
      required: boolean({ default: false }),
      label: optional(
        label({ about: { cn: '此处的名称', en: 'What it is called here, where that is not the name of the field' } }),
      ),
      defaultFrom: optional(
        formula({
          about: {
            cn: '记录中尚无值时的初始值（对一条记录操作时）',
            en: 'A formula for what it begins with where it is about one record that has nothing there',
          },
        }),
      ),
      single: optional(
        boolean({
          about: { cn: '仅对一条记录操作时填写', en: 'Asked for where it is about one record, not of several at once' },
        }),
      ),
      consecutive: optional(
        boolean({
          about: {
            cn: '多条记录时号码依次加一',
            en: 'Of several records each has the number after that of the one before',
          },
        }),
      ),
      namedBy: optional(
        fieldName({
          about: {
            cn: '多条记录时，各记录只取文件名中含该字段值的文件',
            en: 'Of several records each takes the files whose names hold the value of this field, and no other',
          },
        }),
      ),
    }),
  ),
  {
    distinct: ['field'],
    default: [],
    about: { cn: '执行前要填写的字段', en: 'Fields that are asked for first' },
  },
)

export const permissionPattern = '^[a-zA-Z]+:[a-zA-Z]+:[a-zA-Z]+$'
export const permissionName = string({
  names: 'permission',
  about: { cn: '权限：操作名，或 area:entity:action', en: 'An action name, or area:entity:action' },
})

export const foresee = optional(
  string({
    names: 'procedure',
    about: {
      cn: '确认前，由此过程说明将产生的结果；试办的一切均不保留',
      en: 'Says what it would come to, before the user agrees; nothing that it tries stays',
    },
  }),
)

/** A condition, and the message if it does not hold. */
export const guards = list(shape({ check: condition(), ...problemRule }), { default: [] })
