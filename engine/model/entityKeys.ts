import { condition, fieldName, integer, label, list, oneOf, optional, shape, string, type Static } from './shape.ts'

/** What the file of an entity says that stays as it is in the model. */
export const entityKeys = shape({
  label: label(),
  /** The field that names a record. */
  display: fieldName({ about: { cn: '代表记录的字段', en: 'The field that names a record' } }),
  /** The field shown beside it (the `code` of a reference). */
  code: optional(fieldName({ about: { cn: '随名称显示的编号字段', en: 'The field shown beside the name' } })),
  /** Fields searched by text, by pinyin and by pinyin initials. */
  search: list(fieldName(), {
    distinct: true,
    default: [],
    about: { cn: '文字搜索的字段（含拼音和首字母）', en: 'Fields that search covers, by text, pinyin and initials' },
  }),
  /**
   * Its records are the engine's own and read-only: everything that was done, with who did it, when, and what it
   * changed.
   */
  engine: optional(
    oneOf(['log'], {
      about: {
        cn: '由系统记录，只读：操作日志',
        en: 'Read-only records kept by the engine, such as the log',
      },
    }),
  ),
  /** The reference to itself, its maximum depth, and the field that orders siblings. */
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
  /** Steps that need two people, in their order: `create`, `edit`, `delete`, names of transitions and actions. */
  fourEyes: optional(
    list(string({ names: 'step' }), {
      minItems: 2,
      distinct: true,
      about: {
        cn: '依次办理且不由同一人办理的步骤：做过前一步的用户不能再办后一步，直至他人重新办理',
        en: 'Steps for different users: one who did a step may not do a later one until someone else has done that step again',
      },
    }),
  ),
  /** Operations that must not run twice by accident: `create`, names of actions. */
  once: optional(
    list(string({ names: 'repeatable' }), {
      distinct: true,
      about: {
        cn: '不得因重复提交而重复办理的操作（新建或动作）：不带Idempotency-Key的相同请求，十分钟内再次提交会被拒绝',
        en: 'Operations (`create` or actions) that must not run twice by accident: without an Idempotency-Key, an equal call is refused for ten minutes',
      },
    }),
  ),
  /** Initial values of a new record: these fields, copied from the record that its reference `by` points at. */
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
  /**
   * A procedure that suggests form values whenever one of `on` was filled in, and when the form opens with parameters.
   * It writes nothing.
   */
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
  /** Opening a record counts its distinct readers in the field `count`, while the condition holds. */
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
  indexes: list(list(string({ names: 'field' }), { distinct: true }), { default: [] }),
  /** Fields that a dialog about a record shows, beside its number and name. */
  facts: optional(
    list(string({ names: 'field' }), {
      distinct: true,
      about: {
        cn: '确认或填写操作时，除编号和名称外还显示该记录的哪些字段',
        en: 'Fields that dialogs about a record show besides its number and name',
      },
    }),
  ),
})

export type EntityKeys = Static<typeof entityKeys>
