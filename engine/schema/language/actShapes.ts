/** Operations on records: transitions, saves, actions, and daily rules. */
import {
  question,
  sets,
  appends,
  updates,
  message,
  messages,
  follows,
  promptedFields,
  permissionName,
  foresee,
  guards,
} from './effectShapes.ts'
import {
  boolean,
  condition,
  either,
  entityName,
  fieldName,
  filter,
  formula,
  label,
  list,
  oneOf,
  optional,
  record,
  shape,
  string,
} from '../../model/shape.ts'

const transition = shape({
  label: label(),
  from: list(string({ names: 'state' }), { minItems: 1, distinct: true }),
  to: string({ names: 'state' }),
  permission: optional(permissionName),
  when: optional(condition()),
  guards,
  set: sets,
  append: appends,
  updates,
  notify: messages,
  run: follows,
  form: promptedFields,
  confirm: optional(label(question)),
  foresee,
  job: boolean({
    default: false,
    about: {
      cn: '一条记录也可能耗时较长：后台办理，显示进度，可停止；多条记录总是如此',
      en: 'Runs in the background even for one record, because it may take long. A batch always runs in the background',
    },
  }),
  danger: boolean({ default: false }),
})
export const stateMachine = shape({
  field: fieldName(),
  initial: string({ names: 'state' }),
  transitions: record(transition),
})

export const saves = list(
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
    confirm: optional(label({ fills: { words: [], fields: true } })),
    job: boolean({
      default: false,
      about: {
        cn: '可能耗时较长：这样的保存后台办理，显示进度，可停止',
        en: 'Such a save may take long and runs in the background',
      },
    }),
  }),
  { default: [] },
)

export const daily = record(
  shape({
    hourly: boolean({
      default: false,
      about: { cn: '每小时一次，不等到次日', en: 'Every hour, not only once a day' },
    }),
    newly: boolean({
      default: false,
      about: {
        cn: '只对上次执行时还不符合条件的记录：条件持续期间只做一次，停机错过的也会补上',
        en: "Applies to a record once, when it begins to match, even if that day's run was missed",
      },
    }),
    where: filter({ default: {} }),
    when: optional(
      condition({
        about: { cn: '对每条记录再判断的条件', en: 'A further condition on the records that match' },
      }),
    ),
    transition: optional(
      string({
        names: 'transition',
        about: {
          cn: '由系统执行的状态变更；守卫不允许的保持不变',
          en: 'The action that the system runs on each record; those refused by its guards stay unchanged',
        },
      }),
    ),
    create: optional(
      shape(
        { entity: entityName(), set: record(formula(), { keys: 'field', default: {} }) },
        {
          about: {
            cn: '由系统按表单的默认值、带出和校验为每条记录新建一条记录；不能新建的次日再试',
            en: 'A record that the system creates for each, with the defaults and checks of the form; a refused one is tried again the next day',
          },
        },
      ),
    ),
    run: optional(
      string({
        names: 'procedure',
        about: { cn: '对全部符合的记录执行一次的过程', en: 'A procedure that receives all of the records at once' },
      }),
    ),
    notify: messages,
    refused: list(message, {
      default: [],
      about: {
        cn: '系统对某条记录未能办理时发出的站内消息，内容之后为原因；同一记录持续未能办理的，只发一次',
        en: 'Messages about a record whose action was refused, sent once until it succeeds; the reason follows the content',
      },
    }),
  }),
  {
    default: {},
    about: {
      cn: '规则名 → 每天一次由系统执行的事；名称不变则不会重做',
      en: 'Rule name → what the system does on its own, once a day. The name identifies the rule: keep it, and nothing runs twice',
    },
  },
)

export const actions = record(
  shape({
    label: label(),
    permission: optional(permissionName),
    when: optional(condition()),
    guards,
    confirm: optional(label(question)),
    danger: boolean({ default: false }),
    update: optional(list(fieldName(), { distinct: true })),
    run: optional(string({ names: 'procedure' })),
    prepare: optional(
      string({
        names: 'procedure',
        about: {
          cn: '打开对话框前，由此过程给出字段的初始值',
          en: 'A procedure that returns the initial values of the fields prompted for',
        },
      }),
    ),
    foresee,
    job: optional(
      either<boolean | string>([boolean(), string({ names: 'procedure' })], {
        about: {
          cn: '可能耗时较长：后台办理，显示进度，可停止；写过程名时，由该过程把 run 分成若干部分，各自成败',
          en: 'May take long and runs in the background. A procedure splits `run` into parts, each written separately',
        },
      }),
    ),
    set: sets,
    append: appends,
    updates,
    notify: messages,
    form: promptedFields,
  }),
  { default: {} },
)
