import type { Value } from '../../model/model.ts'
import {
  boolean,
  entityName,
  fieldName,
  label,
  list,
  oneOf,
  optional,
  record,
  shape,
  string,
  unknown,
} from '../../model/shape.ts'
import type { Shape } from '../../model/shape.ts'

export const dictionaryShape = shape({
  label: label(),
  mayGrow: boolean({ default: false, about: { cn: '管理员可否增加值', en: 'Administrators may add values' } }),
  choices: list(
    shape({
      value: string({ minLength: 1 }),
      label: label(),
      tag: optional(oneOf(['info', 'primary', 'success', 'warning', 'danger'])),
    }),
    {
      distinct: ['value'],
      about: { cn: '值；管理员可增加时可为空', en: 'The values; none only where administrators may add them' },
    },
  ),
})

// ─────────────────────────────────────────────────────────────────────────────

export const recordsShape = shape({
  entity: entityName(),
  key: fieldName({
    about: { cn: '按此字段识别已有记录', en: 'The field by which an existing record is recognised' },
  }),
  rows: list(record(unknown(), { keys: 'field' }) as Shape<Record<string, Value>>),
})
