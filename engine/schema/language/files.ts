/**
 * The shapes of the files that are not screens, and what every screen file has. The screens' own shapes are declared by
 * their kinds, the options of a field by its widget.
 */
import { downloadsShape } from './downloads.ts'
import { iconNames } from '../../model/icons.ts'
import {
  boolean,
  condition,
  discriminated,
  either,
  entityName,
  fieldName,
  filter,
  formula,
  integer,
  label,
  list,
  merged,
  oneOf,
  optional,
  record,
  shape,
  shorthand,
  string,
  unknown,
} from '../../model/shape.ts'
import type { ObjectShape, Shape, Static } from '../../model/shape.ts'
import { warningMeanings } from '../warnings/meanings.ts'
import { reasonsKey } from '../warnings/reasons.ts'
import type { Label, ScreenKind, Value, Widget } from '../../model/model.ts'
import type { ComputedFile } from '../named.ts'

// ─── app.json ───────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Specification, section 9. */
export const defaultThemeColour = '#1890ff'

const setting = (about: Label) =>
  string({ names: 'setting', pattern: '^[a-z][a-zA-Z0-9]*[.][a-z][a-zA-Z0-9]*$', like: 'entity.field', about })
const icon = optional(oneOf(iconNames))
const appShape = shape({
  title: label({ about: { cn: '产品名称', en: 'Name of the product' } }),
  languages: list(string(), {
    distinct: true,
    default: ['cn', 'en'],
    about: { cn: '界面语言，第一个为默认', en: 'Languages, the first is the default' },
  }),
  theme: optional(
    shape({ colour: string({ default: defaultThemeColour, pattern: '^#[0-9a-fA-F]{6}$', like: '#1890ff' }) }),
  ),
  home: string({ about: { cn: '首页路由', en: 'Route of the home screen' } }),
  backends: list(string({ pattern: '^/[A-Za-z0-9/_-]+$', like: '/partner/api' }), {
    distinct: true,
    default: [],
    about: { cn: '由其他后端提供的路径前缀', en: 'Prefixes of the paths that a proxy leads to other back ends' },
  }),
  policies: shape(
    {
      sessionMinutes: optional(
        setting({ cn: '会话有效分钟', en: 'Minutes after its last use in which a session ends' }),
      ),
      signInFailures: optional(
        setting({ cn: '登录失败几次后锁定', en: 'Wrong passwords after which one has to wait' }),
      ),
      passwordDays: optional(
        setting({ cn: '密码有效天数，0 为长期', en: 'Days after which a password must be changed; 0: never' }),
      ),
      defaultPassword: optional(
        setting({ cn: '新用户和重置后的密码', en: 'The password of new users, and of those whose is reset' }),
      ),
      importRows: optional(setting({ cn: '导入行数上限', en: 'The most rows of a file that is imported' })),
      exportRows: optional(setting({ cn: '导出行数上限', en: 'The most rows of an export' })),
      badgeMaximum: optional(
        setting({ cn: '菜单角标最大值', en: 'The largest number of a badge in the menu, 99 at most' }),
      ),
      logDays: optional(
        setting({
          cn: '登录、查看、导出和被拒绝的操作在日志中保留的天数',
          en: 'How many days the log keeps sign-ins, views, exports and refusals',
        }),
      ),
      pictureMegabytes: optional(setting({ cn: '图片大小上限（MB）', en: 'The most that a picture may have, in MB' })),
    },
    {
      default: {},
      about: {
        cn: '系统自身遵守、由管理员设置的参数：实体.字段',
        en: 'What the system keeps to by itself and administrators set, as entity.field of an entity with "single": true',
      },
    },
  ),
  areas: list(
    shape({
      name: string({ pattern: '^[a-z][a-zA-Z0-9]*$', like: 'customer' }),
      label: label(),
      icon,
      directories: list(
        shape({
          name: string({ pattern: '^[a-z][a-zA-Z0-9]*$', like: 'customer' }),
          label: label(),
          icon,
          order: integer({ default: 100 }),
        }),
        {
          distinct: ['name'],
          default: [],
          about: { cn: '领域之下的菜单目录', en: 'Directories of the menu below the area' },
        },
      ),
    }),
    {
      distinct: ['name'],
      about: { cn: '业务领域，按菜单顺序', en: 'Areas in menu order; each is a folder' },
    },
  ),
})

// ─── dictionary ─────────────────────────────────────────────────────────────────────────────────────────────────────────

const dictionaryShape = shape({
  label: label(),
  mayGrow: boolean({ default: false, about: { cn: '管理员可否增加值', en: 'May administrators add values?' } }),
  choices: list(
    shape({
      value: string({ minLength: 1 }),
      label: label(),
      tag: optional(oneOf(['info', 'primary', 'success', 'warning', 'danger'])),
    }),
    { minItems: 1, distinct: ['value'] },
  ),
})

// ─── records: rows that come with the files ─────────────────────────────────────────────────────────────────────────────

const recordsShape = shape({
  entity: entityName(),
  key: fieldName({
    about: { cn: '按此字段识别已有记录', en: 'The field that tells whether a record is there already' },
  }),
  rows: list(record(unknown(), { keys: 'field' }) as Shape<Record<string, Value>>),
})

// ─── entity ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** What is filled in a question about a record, or about several: `{n}` of them. */
const question = { fills: { words: ['n'], fields: true } } as const
const problemRule = { message: label({ fills: { words: [], fields: true } }) }
const sets = record(formula(), { keys: 'field', default: {}, about: { cn: '字段 → 表达式', en: 'Field → expression' } })
const appends = list(shape({ entity: entityName(), set: record(formula(), { keys: 'field', default: {} }) }), {
  default: [],
  about: { cn: '同一事务中追加的记录', en: 'Records added in the same transaction' },
})
const updates = list(
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
const message = shape({
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
const messages = list(message, {
  default: [],
  about: {
    cn: '同一事务中发出的站内消息',
    en: 'Messages sent in the same transaction, to users whose roles receive the type and who may see the record',
  },
})
const follows = optional(
  string({
    names: 'procedure',
    about: {
      cn: '写入之后在同一事务中执行的过程',
      en: 'A procedure that goes on with what was written, in the same transaction',
    },
  }),
)
const asked = list(
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

/** Of which record others are added up, and which of them. */
const amongOthers = {
  by: fieldName(),
  where: optional(filter()),
  of: optional(
    string({
      names: 'ownField',
      about: {
        cn: '按本记录此引用所指的记录（或此字段的值相同的记录）汇总，而非本记录',
        en: 'A reference of this record: what counts refers to the record that it points at, instead of to this one. Or any other field: what counts has the same value',
      },
    }),
  ),
  below: optional(
    boolean({
      about: { cn: '树形数据：也计入下级的', en: 'Of a tree: what refers to those below this record counts too' },
    }),
  ),
  during: optional(
    shape(
      {
        at: string({ names: 'ownField', about: { cn: '本记录的日期或月份', en: 'The day or month of this record' } }),
        from: fieldName({ about: { cn: '其开始', en: 'When one of them begins' } }),
        until: fieldName({ about: { cn: '其结束，空为未结束', en: 'When it ends; empty: not yet' } }),
      },
      { about: { cn: '只计当时有效的', en: 'Only those that go on then' } },
    ),
  ),
}

/** Keys of a field whatever its type. */
const fieldCommon = shape({
  label: label(),
  hint: optional(label()),
  brought: list(label(), {
    default: [],
    about: {
      cn: '产品自身写入该字段的文本，按读者的语言显示；“{}”为其中任意部分',
      en: 'Texts that the product itself writes into it, shown in the reader\'s language; "{}" is any part of them',
    },
  }),
  required: boolean({ default: false }),
  requiredWhen: optional(condition()),
  visibleWhen: optional(
    condition({
      about: { cn: '不成立时不显示，也不保存', en: 'Where false the field is not shown and is saved as empty' },
    }),
  ),
  readOnlyWhen: optional(condition()),
  readOnly: boolean({ default: false, about: { cn: '由系统写入', en: 'Written by the system only' } }),
  default: optional(unknown()),
  defaultFrom: optional(formula()),
  unique: boolean({
    default: false,
    about: {
      cn: '不与其他记录重复；列表则每一项不重复',
      en: 'No other record has the same; of a list no other has one of its items',
    },
  }),
  uniqueWithin: optional(
    string({
      names: 'ownField',
      about: { cn: '在此引用字段之内唯一', en: 'Unique among the records with the same value of this reference' },
    }),
  ),
  sensitive: boolean({
    default: false,
    about: { cn: '无权限者只见掩码', en: 'Masked without the viewSensitive permission' },
  }),
  sensitiveOf: list(entityName(), {
    default: [],
    distinct: true,
    about: {
      cn: '敏感字段还须有这些实体的查看敏感信息权限才完整显示',
      en: 'Entities whose viewSensitive permission is also needed to see the sensitive field whole, because it may hold their values',
    },
  }),
  unmasked: optional(
    string({
      about: {
        cn: '取自敏感字段而不掩码的理由',
        en: 'Why everybody may see it, although its value comes from a sensitive field',
      },
    }),
  ),
  computed: optional(
    either<string | ComputedFile>(
      [
        formula(),
        shape({ sum: string({ names: 'entityField', scope: true }), ...amongOthers }),
        shape({ min: string({ names: 'entityField', scope: true }), ...amongOthers }),
        shape({ max: string({ names: 'entityField', scope: true }), ...amongOthers }),
        shape({
          count: entityName(),
          ...amongOthers,
          distinct: optional(
            fieldName({
              about: { cn: '计此字段不同值的个数', en: 'How many different values this field has among them' },
            }),
          ),
        }),
        shape({ last: entityName(), ...amongOthers }),
        shape({ from: string({ names: 'lookup' }) }),
        shape({
          find: entityName(),
          by: string({ names: 'ownField' }),
          in: list(fieldName(), { minItems: 1, distinct: true }),
        }),
      ],
      {
        about: {
          cn: '公式，或对引用本记录的记录求和、计数，或最新的那一条，或取自所引用的记录，或按某字段的值找到的记录',
          en: 'A formula, or { sum | min | max: "entity.field", by } or { count: "entity", by, distinct }, or { last: "entity", by } for a reference to the newest, or { from: "reference.field" } of the record that a reference points at, or { find: "entity", by, in } for the record that has in one of those fields what this one has in "by"',
        },
      },
    ),
  ),
  kept: boolean({
    default: true,
    about: {
      cn: '否：只供导入、表单和规则读取，不保存',
      en: 'false: asked for and read by rules, but no record keeps it',
    },
  }),
  deletedWith: optional(
    condition({
      mayBeTrue: true,
      about: {
        cn: '满足时随此引用所指的记录一同删除，否则妨碍其删除',
        en: 'Where true the record is deleted with the one that this refers to; otherwise it stands in the way of that',
      },
    }),
  ),
  draws: boolean({
    default: false,
    about: {
      cn: '动用所引用的记录（如款项）：本记录一经写入，其版本随之变化，先前看到它的人须刷新',
      en: 'Uses up what it refers to, such as money: writing a record raises the revision of the one referred to, so that users who saw that before must read it again',
    },
  }),
  was: optional(string({ about: { cn: '曾用名，改名不丢数据', en: 'The former name: a rename that loses nothing' } })),
})

const permissionPattern = '^[a-zA-Z]+:[a-zA-Z]+:[a-zA-Z]+$'
const permissionName = string({
  names: 'permission',
  about: { cn: '权限：操作名，或 area:entity:action', en: 'An action name, or area:entity:action' },
})

const foresee = optional(
  string({
    names: 'procedure',
    about: {
      cn: '确认前，由此过程说明将产生的结果；试办的一切均不保留',
      en: 'Says what it would come to, before the user agrees; nothing that it tries stays',
    },
  }),
)

const transition = shape({
  label: label(),
  from: list(string({ names: 'state' }), { minItems: 1, distinct: true }),
  to: string({ names: 'state' }),
  permission: optional(permissionName),
  when: optional(condition()),
  guards: list(shape({ check: condition(), ...problemRule }), { default: [] }),
  set: sets,
  append: appends,
  updates,
  notify: messages,
  run: follows,
  form: asked,
  confirm: optional(label(question)),
  foresee,
  job: boolean({
    default: false,
    about: {
      cn: '一条记录也可能耗时较长：后台办理，显示进度，可停止；多条记录总是如此',
      en: 'May take long even for one record: runs in the background. Several records always do',
    },
  }),
  danger: boolean({ default: false }),
})
const stateMachine = shape({ field: fieldName(), initial: string({ names: 'state' }), transitions: record(transition) })

/** The entity file without its fields, whose shape depends on the widgets. */
const entityBase = shape({
  label: label(),
  display: fieldName({ about: { cn: '代表记录的字段', en: 'The field that names a record' } }),
  code: optional(fieldName({ about: { cn: '随名称显示的编号字段', en: 'The field shown beside the name' } })),
  search: list(fieldName(), {
    distinct: true,
    default: [],
    about: { cn: '文字搜索的字段（含拼音和首字母）', en: 'Fields found by text, pinyin and initials' },
  }),
  endpoint: optional(string({ pattern: '^/[A-Za-z0-9/_-]+$', like: '/partner/api' })),
  single: boolean({
    default: false,
    about: {
      cn: '只有一条记录，由系统建立，如系统参数',
      en: 'It has exactly one record, which the system makes: what administrators set',
    },
  }),
  engine: optional(
    oneOf(['log'], {
      about: {
        cn: '由系统记录，只读：操作日志',
        en: 'Records of the engine itself, only read: the log of what was done',
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
            en: 'The whole-number field that orders siblings: their list lets one drag them',
          },
        }),
      ),
    }),
  ),
  log: boolean({
    default: false,
    about: {
      cn: '是日志：所引用的记录仍可删除',
      en: 'It tells about others and keeps none of them: what it refers to may still be deleted',
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
          en: 'Its records fall into parts, each seen and exported with permissions of its own',
        },
      },
    ),
  ),
  offered: optional(filter({ about: { cn: '可被选用的记录', en: 'Which records a reference offers' } })),
  scope: optional(
    either<{ via: string } | { only: string[] } | { owners: string[]; departments: string[] }>([
      shape({ via: fieldName() }),
      shape({
        only: list(fieldName(), {
          minItems: 1,
          distinct: true,
          about: {
            cn: '仅这些字段所指的用户本人可见，管理员也不例外',
            en: 'Seen by the users whom these fields name and by nobody else, administrators included',
          },
        }),
      }),
      shape({
        owners: list(fieldName(), { distinct: true }),
        departments: list(string(), {
          distinct: true,
          default: [],
          about: { cn: '指向部门的字段或 引用.字段', en: 'A field, or reference.field, that leads to a department' },
        }),
      }),
    ]),
  ),
  rules: list(shape({ check: condition(), when: optional(condition()), at: fieldName(), ...problemRule }), {
    default: [],
  }),
  limits: list(
    shape({
      where: filter(),
      max: integer({ minimum: 1 }),
      within: optional(
        either<string | string[]>([fieldName(), list(fieldName(), { minItems: 1, distinct: true })], {
          about: {
            cn: '在这些字段的同一值之内；多选字段则有一项相同',
            en: 'Among the records with the same value of these fields; of lists, with an item in common',
          },
        }),
      ),
      period: optional(
        shape(
          { from: fieldName(), to: fieldName() },
          {
            about: {
              cn: '仅计期间有重叠的记录，空为不限',
              en: "Of them, those whose period meets this one's; an empty end is open",
            },
          },
        ),
      ),
      at: fieldName(),
      message: label({ fills: { words: [] } }),
    }),
    {
      default: [],
      about: { cn: '符合条件的记录最多几条', en: 'How many records may match at most' },
    },
  ),
  fourEyes: list(string({ names: 'step' }), {
    minItems: 2,
    distinct: true,
    default: [],
    about: {
      cn: '依次办理且不由同一人办理的步骤：做过前一步的用户不能再办后一步，直至他人重新办理',
      en: 'Steps that are not for one person: whoever did an earlier one since the last time of a later one does not do that',
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
          en: 'The fields that a new record begins with as the record has them that this reference points at',
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
          en: 'When one of these fields is filled in, and when the form opens with parameters, the procedure fills in others',
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
          en: 'The whole-number field that counts the different users who opened a record',
        },
      },
    ),
  ),
  states: optional(
    either<Static<typeof stateMachine> | Static<typeof stateMachine>[]>([stateMachine, list(stateMachine)]),
  ),
  saves: list(
    shape({
      on: oneOf(['create', 'update', 'delete']),
      when: optional(condition()),
      changed: optional(list(fieldName(), { distinct: true })),
      permission: optional(permissionName),
      set: sets,
      append: appends,
      updates,
      notify: messages,
      run: follows,
      confirm: optional(label({ fills: { words: [] } })),
      job: boolean({
        default: false,
        about: {
          cn: '可能耗时较长：这样的保存后台办理，显示进度，可停止',
          en: 'May take long: such a save runs in the background',
        },
      }),
    }),
    { default: [] },
  ),
  daily: record(
    shape({
      hourly: boolean({
        default: false,
        about: { cn: '每小时一次，不等到次日', en: 'Every hour, not only once a day' },
      }),
      newly: boolean({
        default: false,
        about: {
          cn: '只对上次执行时还不符合条件的记录：条件持续期间只做一次，停机错过的也会补上',
          en: 'Only to records that did not match the last time: once for as long as they do, also where the day on which they began was missed',
        },
      }),
      where: filter({ default: {} }),
      when: optional(
        condition({
          about: { cn: '对每条记录再判断的条件', en: 'Of the records that match, those for which it holds' },
        }),
      ),
      transition: optional(
        string({
          names: 'transition',
          about: {
            cn: '由系统执行的状态变更；守卫不允许的保持不变',
            en: 'What the system then does to each; those that its guards refuse stay as they are',
          },
        }),
      ),
      create: optional(
        shape(
          { entity: entityName(), set: record(formula(), { keys: 'field', default: {} }) },
          {
            about: {
              cn: '由系统按表单的默认值、带出和校验为每条记录新建一条记录；不能新建的次日再试',
              en: 'A record that the system makes for each as the form would, with its defaults and checks; what is refused is tried again the next day',
            },
          },
        ),
      ),
      run: optional(
        string({
          names: 'procedure',
          about: { cn: '对全部符合的记录执行一次的过程', en: 'A procedure that is given all of them at once' },
        }),
      ),
      notify: messages,
      refused: list(message, {
        default: [],
        about: {
          cn: '系统对某条记录未能办理时发出的站内消息，内容之后为原因；同一记录持续未能办理的，只发一次',
          en: 'Messages about a record for which the system was refused, once as long as it is; the reason stands behind the content',
        },
      }),
    }),
    {
      default: {},
      about: {
        cn: '规则名 → 每天一次由系统执行的事；名称不变则不会重做',
        en: 'Rule name → what the system does by itself, once a day; as long as the name stays, nothing is done twice',
      },
    },
  ),
  actions: record(
    shape({
      label: label(),
      permission: optional(permissionName),
      when: optional(condition()),
      guards: list(shape({ check: condition(), ...problemRule }), { default: [] }),
      confirm: optional(label(question)),
      danger: boolean({ default: false }),
      update: optional(list(fieldName(), { distinct: true })),
      run: optional(string({ names: 'procedure' })),
      prepare: optional(
        string({
          names: 'procedure',
          about: {
            cn: '打开对话框前，由此过程给出字段的初始值',
            en: 'Gives the values that the fields which are asked for begin with',
          },
        }),
      ),
      foresee,
      job: optional(
        either<boolean | string>([boolean(), string({ names: 'procedure' })], {
          about: {
            cn: '可能耗时较长：后台办理，显示进度，可停止；写过程名时，由该过程把 run 分成若干部分，各自成败',
            en: 'May take long: runs in the background. A procedure divides `run` into parts, each its own work',
          },
        }),
      ),
      set: sets,
      append: appends,
      updates,
      notify: messages,
      form: asked,
    }),
    { default: {} },
  ),
  downloads: downloadsShape(permissionName, list(shape({ check: condition(), ...problemRule }), { default: [] })),
  allow: optional(
    shape({
      create: either<boolean | string>([boolean(), condition()], { default: true }),
      update: either<boolean | string>([boolean(), condition()], { default: true }),
      delete: either<boolean | string>([boolean(), condition()], { default: true }),
    }),
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
        en: 'The middle part of its permissions where it is not the name of the entity',
      },
    }),
  ),
  permissionLabels: record(label(), {
    default: {},
    about: { cn: '操作名 → 权限树上的名称', en: 'Action → its name in the permission tree, where no action names it' },
  }),
  indexes: list(list(string({ names: 'field' }), { distinct: true }), { default: [] }),
  facts: list(string({ names: 'field' }), {
    default: [],
    distinct: true,
    about: {
      cn: '确认或填写操作时，除编号和名称外还显示该记录的哪些字段',
      en: 'What a dialog about a record shows of it, beside its number and name',
    },
  }),
})

/** A field as written: the common keys and its type's options, side by side. */
export type FieldFile = Static<typeof fieldCommon> & { type: string; [option: string]: unknown }
export type EntityFile = Static<typeof entityBase> & { fields: Record<string, FieldFile> }

/** The entity file's shape, for this list of widgets. */
function entityShape(widgets: readonly Widget[]): ObjectShape {
  const field = discriminated<FieldFile>(
    'type',
    Object.fromEntries(widgets.map((widget) => [widget.type, merged(fieldCommon, widget.options)])),
  )
  return merged(entityBase, shape({ fields: record(field, { keys: 'ownField' }) }))
}

// ─── screens ────────────────────────────────────────────────────────────────────────────────────────────────────────────

const badge = shape({ filter: filter(), permission: optional(permissionName) })

const menuShape = shape({
  order: integer({ default: 100 }),
  directory: optional(
    string({ names: 'directory', about: { cn: '所在的菜单目录', en: 'The directory of its area that it stands in' } }),
  ),
  icon,
  /** The label in the menu, where it is not the title. */
  label: optional(label()),
  affix: optional(boolean({ about: { cn: '固定标签', en: 'A pinned tab' } })),
  badge: optional(
    either<Static<typeof badge> | Static<typeof badge>[]>([badge, list(badge)], {
      about: {
        cn: '菜单角标：等待处理的记录数；写多个时，取用户有权限的第一个',
        en: 'A number in the menu: how many records wait. Of several, the first whose permission the user has',
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
        en: 'Only these roles open the screen and those that belong to it; the administrator does anyway',
      },
    }),
  ),
  noCache: boolean({ default: false }),
  parent: optional(
    string({
      names: 'screen',
      about: { cn: '所属列表页（面包屑和菜单）', en: 'The screen it belongs to, for the breadcrumb and the menu' },
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
        en: 'Whole permission of the screen itself → its name in the permission tree',
      },
    }),
  ),
})

/**
 * A screen file's shape: common keys, the kind's keys, and variants that override some of them by a query parameter.
 */
function screenShape(kind: ScreenKind): ObjectShape {
  const whole = merged(screenCommon, kind.shape)
  // A route is open or closed, and its permissions are there, whatever its parameters.
  const { roles: _roles, permissionLabels: _labels, ...varying } = whole.properties
  const properties = Object.fromEntries(
    Object.entries(varying).map(([key, value]) => {
      const { default: _, ...rest } = value as Shape<unknown>
      return [key, optional(rest as Shape<unknown>)]
    }),
  )
  return merged(whole, shape({ variants: optional(record(record(shape(properties)))) }))
}

// ─── templates and families ─────────────────────────────────────────────────────────────────────────────────────────────

/**
 * `schemas/<area>/<template>/<template>.template.json`: what a family must say, and which files it makes. The files
 * themselves lie in the same folder (`additionalstaff.list.json`), with `${…}`, `$if` and `$each` in them; their names
 * may hold `${…}` too.
 */
export const templateShape = shape({
  label: label(),
  parameters: unknown({ about: { cn: '参数的 JSON Schema', en: 'The shape of the parameters, as a JSON Schema' } }),
  area: string({ about: { cn: '生成的文件属于哪个领域', en: 'The area that the generated files belong to' } }),
  order: optional(string({ about: { cn: '按此参数排列各族', en: 'The parameter by which families are in order' } })),
  values: optional(
    record(unknown(), {
      about: {
        cn: '由参数算出的其他值，依次可见',
        en: 'What is worked out of the parameters, each value seeing those before it',
      },
    }),
  ),
  rules: optional(
    list(
      shape({
        each: optional(
          string({
            about: { cn: '逐项检查此列表（item、index）', en: 'Checked for each item of this list, as item and index' },
          }),
        ),
        check: string({
          about: {
            cn: '须成立的条件；others 为同一模板的其他族',
            en: 'What must hold; others are the other families of the template',
          },
        }),
        at: string({ about: { cn: '所涉及的参数，如 pages/fm', en: 'The parameter it is about, as pages/fm' } }),
        message: string({ about: { cn: '不成立时的说明', en: 'What is said where it does not' } }),
      }),
    ),
  ),
  files: optional(
    record(
      shape({
        as: optional(string()),
        when: optional(string()),
        each: optional(
          string({ about: { cn: '列表的每一项各生成一个文件', en: 'One file for each item of this list' } }),
        ),
        item: optional(string()),
      }),
      { about: { cn: '文件 → 生成的名称和条件', en: 'File → the name it gets, and when it is made' } },
    ),
  ),
})
export type TemplateFile = Static<typeof templateShape>

export const familyShape = shape({
  template: string({ names: 'template' }),
  parameters: record(unknown()),
  patch: record(unknown(), {
    default: {},
    about: { cn: '对生成文件的合并补丁', en: 'Generated file → JSON Merge Patch' },
  }),
})

// ─── all of them ────────────────────────────────────────────────────────────────────────────────────────────────────────

const known = new WeakMap<object, WeakMap<object, Record<string, ObjectShape>>>()

/** The key of every file except templates and families, which make other files. */
const reasons = shape({
  [reasonsKey]: optional(
    shape(
      Object.fromEntries(
        Object.entries(warningMeanings).map(([code, about]) => [
          code,
          optional(record(string({ minLength: 1 }), { about })),
        ]),
      ),
      {
        about: {
          cn: '哪些警告是有意的：警告 → 位置 → 原因',
          en: 'Which warnings are intended: warning → place, such as "states.transitions.pay" → reason',
        },
      },
    ),
  ),
})
const withReasons = (of: ObjectShape): ObjectShape => merged(of, reasons)

/** Kind of file → its shape, for these lists. The same lists give the same shapes, whose checks are compiled once. */
export function fileShapes(
  widgets: Readonly<Record<string, Widget>>,
  kinds: Readonly<Record<string, ScreenKind>>,
): Record<string, ObjectShape> {
  const byKinds = known.get(widgets) ?? new WeakMap<object, Record<string, ObjectShape>>()
  known.set(widgets, byKinds)
  let shapes = byKinds.get(kinds)
  if (!shapes) {
    shapes = {
      app: withReasons(appShape),
      entity: withReasons(entityShape(Object.values(widgets))),
      dictionary: withReasons(dictionaryShape),
      records: withReasons(recordsShape),
      template: templateShape,
      family: familyShape,
      ...Object.fromEntries(Object.values(kinds).map((kind) => [kind.kind, withReasons(screenShape(kind))])),
    } as Record<string, ObjectShape>
    byKinds.set(kinds, shapes)
  }
  return shapes
}
