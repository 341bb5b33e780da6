/** Operations on records: transitions, saves, actions, and daily rules. */
import {
  question,
  sets,
  appends,
  updates,
  message,
  messages,
  follows,
  asked,
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
  guards: guards,
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
)

export const actions = record(
  shape({
    label: label(),
    permission: optional(permissionName),
    when: optional(condition()),
    guards: guards,
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
)
