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
        en: 'A reference of this record: counts what refers to the record it points at instead of this one. Any other field: counts what has the same value',
      },
    }),
  ),
  below: optional(
    boolean({
      about: { cn: '树形数据：也计入下级的', en: 'In a tree, also counts what refers to the records below this one' },
    }),
  ),
  during: optional(
    shape(
      {
        at: string({ names: 'ownField', about: { cn: '本记录的日期或月份', en: 'The day or month of this record' } }),
        from: fieldName({ about: { cn: '其开始', en: 'The start of the counted record' } }),
        until: fieldName({
          about: { cn: '其结束，空为未结束', en: 'The end of the counted record; empty if it has none yet' },
        }),
      },
      { about: { cn: '只计当时有效的', en: 'Counts only records in effect at that time' } },
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
      en: 'Texts that the product writes into the field, shown in the reader\'s language; "{}" stands for any part',
    },
  }),
  required: boolean({ default: false }),
  requiredWhen: optional(condition()),
  visibleWhen: optional(
    condition({
      about: { cn: '不成立时不显示，也不保存', en: 'If false, the field is hidden and saved as empty' },
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
      en: 'No other record may have the same value; for list fields, no item in common',
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
      en: 'Entities whose viewSensitive permission is also needed to see the unmasked value, because it may contain their data',
    },
  }),
  unmasked: optional(
    string({
      about: {
        cn: '取自敏感字段而不掩码的理由',
        en: 'Why the value may be shown to everyone although it comes from a sensitive field',
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
              about: { cn: '计此字段不同值的个数', en: 'Counts the distinct values of this field instead of records' },
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
      en: 'If false, the field is prompted for and checked but not stored',
    },
  }),
  deletedWith: optional(
    condition({
      mayBeTrue: true,
      about: {
        cn: '满足时随此引用所指的记录一同删除，否则妨碍其删除',
        en: 'If true, the record is deleted along with the one it refers to; otherwise it prevents that deletion',
      },
    }),
  ),
  draws: boolean({
    default: false,
    about: {
      cn: '动用所引用的记录（如款项）：本记录一经写入，其版本随之变化，先前看到它的人须刷新',
      en: 'The record draws on what it refers to, such as a balance: each write raises the revision of the referenced record, so that stale changes to that are refused',
    },
  }),
  was: optional(
    string({ about: { cn: '曾用名，改名不丢数据', en: 'The former name, so that a rename keeps the data' } }),
  ),
})

/** A field as written: the common keys and its type's options, side by side. */
export type FieldFile = Static<typeof fieldCommon> & { type: string; [option: string]: unknown }
