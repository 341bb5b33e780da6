import {
  boolean,
  condition,
  either,
  entityName,
  fieldName,
  filter,
  formula,
  integer,
  label,
  list as listOf,
  oneOf,
  optional,
  record,
  shape,
  shorthand,
  string,
} from '../../model/model.ts'
import type { Static } from '../../model/model.ts'

export const mostRows = 200_000

export const importsShape = shape({
  into: entityName({ own: true, about: { cn: '写入哪个实体', en: 'The entity whose records it writes' } }),
  columns: listOf(
    shorthand(
      'field',
      shape({
        field: fieldName(),
        label: optional(label()),
        required: optional(
          boolean({
            about: {
              cn: '模板中标记为必填',
              en: 'Whether the template marks it as required; by default as in the field',
            },
          }),
        ),
        note: optional(label({ about: { cn: '模板中的填写说明', en: 'A note in the template' } })),
        sample: optional(string({ about: { cn: '示例行中的值', en: 'Its value in the sample row' } })),
        compared: boolean({
          default: false,
          about: { cn: '只与系统数据核对，不写入', en: 'Must match the record; it is not written' },
        }),
        sameAs: optional(
          fieldName({ about: { cn: '填“同上”时取此列', en: 'The column whose value 同上 ("as above") stands for' } }),
        ),
        after: optional(
          string({
            about: {
              cn: '排在哪一列之后：字段或列名',
              en: 'The column that it follows, by field or by heading in any language',
            },
          }),
        ),
      }),
    ),
    { minItems: 1, distinct: ['field'] },
  ),
  without: listOf(string(), {
    default: [],
    about: { cn: '不要的列：字段或列名', en: 'Columns to leave out, by field or by heading in any language' },
  }),
  key: listOf(fieldName(), {
    minItems: 1,
    distinct: true,
    about: { cn: '匹配已有数据的列', en: 'The columns that identify the record of a row' },
  }),
  existing: oneOf(['refuse', 'skip', 'update', 'choose'], {
    default: 'skip',
    about: {
      cn: '已存在的数据：拒绝、跳过、更新、上传时选择',
      en: 'What happens to a row whose record already exists',
    },
  }),
  missing: oneOf(['create', 'refuse'], {
    default: 'create',
    about: { cn: '不存在的数据：新增、拒绝', en: 'What happens to a row whose record does not exist' },
  }),
  among: filter({ default: {}, about: { cn: '只在这些记录中匹配', en: 'Limits the records that the key may find' } }),
  prefer: filter({
    default: {},
    about: {
      cn: '同一匹配值有多条记录时取符合此条件的那一条，否则报错',
      en: 'Chooses among several records with the same key; if it does not leave exactly one, the row is refused',
    },
  }),
  together: optional(
    shape(
      {
        sum: fieldName({ about: { cn: '各记录的金额', en: 'The amount of each of the records' } }),
        as: fieldName({ about: { cn: '与合计比较的列', en: 'The column that is compared with the sum' } }),
      },
      {
        about: {
          cn: '同一匹配值有多条记录、prefer 一条也不选时：该行若最接近全部之和，即指全部，并更新第一条；否则报错',
          en: 'If `prefer` leaves several records: a row whose amount is nearest to their sum stands for all of them and updates the first; any other row is refused',
        },
      },
    ),
  ),
  updateWhen: optional(condition({ about: { cn: '允许更新的条件', en: 'Whether a row may update this record' } })),
  updateMessage: optional(
    label({
      fills: { words: [], fields: true },
      about: { cn: '不允许更新时的提示', en: 'The message for a record that a row may not update' },
    }),
  ),
  checks: listOf(
    shape({
      check: condition(),
      when: optional(condition()),
      at: fieldName(),
      message: label({ fills: { words: [], fields: true } }),
      hint: boolean({
        default: false,
        about: { cn: '只提示，不阻止写入', en: 'If true, it is only a hint: it is shown, and the row is written' },
      }),
    }),
    { default: [], about: { cn: '仅导入时检查的规则', en: "Rules of this import, in addition to the entity's" } },
  ),
  given: listOf(
    shorthand(
      'field',
      shape({
        field: fieldName(),
        required: boolean({ default: false }),
        label: optional(label()),
        defaultFrom: optional(formula()),
      }),
    ),
    {
      default: [],
      distinct: ['field'],
      about: {
        cn: '上传时为整个文件填写的字段：空单元格取其值，其他值报错',
        en: 'Fields prompted for at the upload, for the whole file: a row without a value takes the one given, a row with another value is refused',
      },
    },
  ),
  shows: listOf(fieldName(), {
    distinct: true,
    default: [],
    about: {
      cn: '明细中显示生成数据的哪些字段',
      en: 'Fields of the resulting record shown beside the row',
    },
  }),
  set: record(formula(), {
    keys: 'field',
    default: {},
    about: { cn: '字段 → 表达式', en: 'Field → expression over the row' },
  }),
  transition: optional(
    either<string | { by: string; of: Record<string, string> }>(
      [string({ names: 'transition' }), shape({ by: fieldName(), of: record(string({ names: 'transition' })) })],
      {
        about: {
          cn: '写入后执行的状态变更；或按某列的值各执行一种',
          en: 'The action that runs on the record after it is written; or one for each value of a column',
        },
      },
    ),
  ),
  foresee: optional(
    string({
      names: 'procedure',
      about: {
        cn: '写入前算出每行结果的过程：供提示使用的值，以及发现的问题',
        en: 'A procedure that runs before writing and computes, for each valid row, values for hints and further problems',
      },
    }),
  ),
  finish: optional(
    string({
      names: 'procedure',
      about: {
        cn: '整批写入或撤销之后执行的过程',
        en: 'A procedure that runs after all rows are written, and after an undo',
      },
    }),
  ),
  confirmAlways: boolean({
    default: true,
    about: { cn: '全部正确时也要确认', en: 'Also asks for confirmation if the file has no errors' },
  }),
  maxRows: integer({
    default: mostRows,
    minimum: 1,
    maximum: mostRows,
    about: { cn: '最多行数', en: 'Maximum number of rows in a file' },
  }),
  details: optional(
    string({
      names: 'link',
      about: {
        cn: '导入明细的地址，{id} 为批次',
        en: 'The address that shows the rows of a file; {id} is the batch. By default the import detail screen',
      },
    }),
  ),
  permissionName: optional(
    string({
      pattern: '^[a-z][A-Za-z0-9]*$',
      like: 'customerImport',
      about: { cn: '权限标识的中间一段', en: 'The middle part of its permissions' },
    }),
  ),
})
export type ImportsFile = Static<typeof importsShape>
