import type { ComputedFile } from '../named.ts'
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
  optional,
  shape,
  string,
  unknown,
} from '../../model/shape.ts'
import type { Static } from '../../model/shape.ts'

/** The record whose members an aggregate covers, and the condition that they meet. */
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
export const fieldCommon = shape({
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
      about: { cn: '在此字段的同一值之内唯一', en: 'Unique among the records with the same value of this field' },
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

/** A field as written: the common keys and its type's options, side by side. */
export type FieldFile = Static<typeof fieldCommon> & { type: string; [option: string]: unknown }
